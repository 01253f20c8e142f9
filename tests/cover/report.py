"""Line coverage of a build of the preset cover, as Markdown: per folder, per file, and the lines
that never ran.

    report.py ROOT BUILD REASONS >report.md

gcov (part of gcc) reads the counts. A line compiled several times, as those of headers and of
sources that are built for several instruction sets, has run when one of them has. REASONS lists what
cannot run and why, a pattern per line:

    REASON<tab>PATTERN

A line that PATTERN finds something in, and the lines of its statement after it, are not counted. Nor
is the statement after a switch without default, where every case returns: it is there for compilers
that do not believe in enumerations.
"""

import collections
import json
import os
import re
import subprocess
import sys

FOLDERS = ("frontend", "ir", "runtime", "backend-c", "backend-cuda", "driver", "tools")
GROUP = 100  # files per process


def counted_files(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcno") and "_verify_interface_header_sets" not in folder:  # no code
                yield os.path.join(folder, name)


def gcov(files, build):
    """The reports of gcov, one per object file."""
    for start in range(0, len(files), GROUP):
        command = ["gcov", "--json-format", "--stdout", *files[start:start + GROUP]]
        done = subprocess.run(command, cwd=build, check=False, capture_output=True, text=True)
        if not done.stdout:
            sys.exit(done.stderr)
        for line in done.stdout.splitlines():  # its status is also about files without a function
            if line.startswith("{"):
                yield json.loads(line)


def read_counts(root, build):
    """path -> line -> [count, function]"""
    counts = collections.defaultdict(dict)
    for report in gcov(sorted(counted_files(build)), build):
        for file in report["files"]:
            path = os.path.relpath(os.path.join(build, file["file"]), root)
            if not path.startswith(tuple(folder + "/" for folder in FOLDERS)):
                continue
            if not os.path.exists(os.path.join(root, path)):  # of an earlier build
                continue
            for line in file["lines"]:
                entry = counts[path].setdefault(line["line_number"], [0, ""])
                entry[0] += max(line["count"], 0)
                entry[1] = line.get("function_name", "")
    return counts


def read_reasons(path):
    with open(path, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file if line.strip() and line[0] != "#"]
    return [(reason, re.compile(pattern)) for reason, pattern in rows]


def explained(text, reasons):
    """line -> reason, for lines that cannot run"""
    result = {}
    reason = None
    for number, line in enumerate(text, 1):
        for name, pattern in reasons:
            if reason is None and pattern.search(line):
                reason = name
        if reason is not None:
            result[number] = reason
            if line.rstrip().endswith((";", "}", "*/")):
                reason = None
    for number in after_switches(text):
        result.setdefault(number, AFTER_SWITCH)
    return result


AFTER_SWITCH = "what follows a switch in which every case of an enumeration returns"


def after_switches(text):
    """The lines after total switches; gcov knows whether they ran."""
    open_switches = []
    for number, line in enumerate(text, 1):
        indent = len(line) - len(line.lstrip())
        if line.lstrip().startswith("switch ("):
            open_switches.append([indent, False])
        elif open_switches and line.lstrip().startswith("default:"):
            open_switches[-1][1] = True
        elif open_switches and line.strip() == "}" and indent == open_switches[-1][0]:
            if not open_switches.pop()[1]:
                yield number + 1


def ranges(numbers):
    """Neighbours together; lines without code between them do not part them."""
    result = []
    for number in numbers:
        if result and number <= result[-1][1] + 2:
            result[-1][1] = number
        else:
            result.append([number, number])
    return result


def row(name, covered, total):
    percent = 100 * covered / total if total else 100
    return f"| {name} | {total} | {covered} | {percent:.1f} % |"


def main():
    root, build, reasons_path = (os.path.abspath(arg) for arg in sys.argv[1:4])
    reasons = read_reasons(reasons_path)
    counts = read_counts(root, build)
    texts = {}
    folders = collections.defaultdict(lambda: [0, 0])
    components = collections.defaultdict(lambda: [0, 0])
    unreachable = collections.Counter()
    missed = {}
    files = []
    for path in sorted(counts):
        with open(os.path.join(root, path), encoding="utf-8") as file:
            texts[path] = file.read().splitlines()
        skipped = explained(texts[path], reasons)
        lines = counts[path]
        wanted = [n for n in sorted(lines) if lines[n][0] or n not in skipped]
        unreachable.update(skipped[n] for n in lines if n not in wanted)
        missed[path] = [n for n in wanted if not lines[n][0]]
        covered = len(wanted) - len(missed[path])
        files.append((path, covered, len(wanted)))
        for table, key in ((folders, path.split("/")[0]), (components, os.path.dirname(path))):
            table[key][0] += covered
            table[key][1] += len(wanted)

    head = "| lines | run | share |\n|---|---:|---:|---:|"
    print("# Lines that the tests run\n")
    print("| folder", head)
    for name in FOLDERS:
        if name in folders:
            print(row(name, *folders[name]))
    print("\nNot counted, because they cannot run:\n\n| lines | reason |\n|---:|---|")
    for reason, count in unreachable.most_common():
        print(f"| {count} | {reason} |")
    print("\n| component", head)
    for name in sorted(components):
        print(row(name, *components[name]))
    print("\n| file", head)
    for entry in files:
        print(row(*entry))
    print("\n## Lines that never ran")
    for path, numbers in missed.items():
        if numbers:
            print(f"\n{path}\n")
        for first, last in ranges(numbers):
            text = texts[path][first - 1].strip()
            print(f"    {first}-{last} {counts[path][first][1]}: {text}")


main()
