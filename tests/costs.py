"""costs.py BUILD [-R REGEX] [-n N] [--out FILE]: how much time of processors the tests of a build take.

Runs them one after the other, as ctest would (not those labelled slow), and adds up what each test's processes and those
that they waited for used, in user and in system mode. That hardly depends on what else the machine does, unlike the times
that ctest prints. Prints the N most expensive tests (20) and the sums by the first two words of names; --out keeps all.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile


def tests_of(build, regex):
    """What ctest knows of the tests whose programs are there."""
    text = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, check=True, capture_output=True).stdout
    chosen = []
    for test in json.loads(text)["tests"]:
        facts = {row["name"]: row["value"] for row in test.get("properties", [])}
        is_slow = "slow" in facts.get("LABELS", []) or facts.get("DISABLED")
        if test.get("command") and not is_slow and re.search(regex, test["name"]):
            chosen.append((test["name"], test["command"], facts))
    return chosen


def in_order(build, regex):
    """Those first that others need: they make their programs."""
    for is_first in (True, False):
        for test in tests_of(build, regex):
            if ("FIXTURES_SETUP" in test[2]) == is_first:
                yield test


def cost(command, facts):
    """Seconds of processors, and whether the status is as wanted, as far as the status alone says it."""
    environment = dict(os.environ)
    environment.update(entry.split("=", 1) for entry in facts.get("ENVIRONMENT", []))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which is ignored where a shell started this with &
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, env=environment, cwd=facts.get("WORKING_DIRECTORY"),
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    by_words = "PASS_REGULAR_EXPRESSION" in facts or "FAIL_REGULAR_EXPRESSION" in facts
    passed = by_words or process.returncode == facts.get("SKIP_RETURN_CODE", 0) \
        or (process.returncode != 0) == bool(facts.get("WILL_FAIL"))
    return usage.ru_utime + usage.ru_stime, passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("-R", dest="regex", default="")
    parser.add_argument("-n", type=int, default=20)
    parser.add_argument("--out", type=argparse.FileType("w"))
    arguments = parser.parse_args()
    rows, sums = [], {}
    for name, command, facts in in_order(arguments.build, arguments.regex):
        seconds, passed = cost(command, facts)
        rows.append((seconds, name))
        kind = ".".join(name.split(".")[:2])
        n, total = sums.get(kind, (0, 0))
        sums[kind] = (n + 1, total + seconds)
        if not passed:
            print(f"{name}: failed", file=sys.stderr)
        if arguments.out:
            print(f"{seconds:.2f} {name}", file=arguments.out, flush=True)
    for seconds, name in sorted(rows, reverse=True)[:arguments.n]:
        print(f"{seconds:8.1f}  {name}")
    for kind, (n, total) in sorted(sums.items(), key=lambda row: -row[1][1])[:arguments.n]:
        print(f"{total:8.1f}  {kind}, {n} tests")
    print(f"{sum(row[0] for row in rows):8.1f}  all {len(rows)} tests")


main()
