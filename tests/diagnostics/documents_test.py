"""diagnostics.documents: what --diagnostics=json and sarif print is JSON to somebody else's parser, has
the members that doc/diderotc.md and SARIF 2.1.0 ask for, and says what the text form says.

    documents_test.py DIDEROTC TREE FOLDER      (FOLDER: scratch, is made)

The programs are those of tests/golden/diag and, for their names and bytes, some written here. Columns
are counted again from the bytes of the files.
"""
import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.parse

from checks import check, finish

DIDEROTC, TREE, FOLDER = sys.argv[1:4]
LEVELS = {"error": "error", "warning": "warning", "remark": "note"}


def run(args, folder=FOLDER, **more):
    return subprocess.run([DIDEROTC, *args], cwd=folder, capture_output=True, **more)


def document(style, args, folder=FOLDER, status=None, quiet=True):
    """The parsed document of a command, whose standard error must be empty."""
    ended = run(["--diagnostics=" + style, *args], folder)
    check(status is None or ended.returncode == status, args, "ended with", ended.returncode)
    check(not quiet or ended.stderr == b"", args, "says", ended.stderr[:300])
    try:
        return ended.returncode, json.loads(ended.stdout.decode("utf-8"))
    except ValueError as error:
        check(False, args, "prints no JSON:", error, ended.stdout[:300])
        return ended.returncode, None


def only(value, required, optional=()):
    """value is an object with these members and no others."""
    keys = set(value) if isinstance(value, dict) else None
    return check(
        keys is not None and set(required) <= keys <= set(required) | set(optional),
        "members", keys, "of", str(value)[:200])


# ---- JSON --------------------------------------------------------------------------------------


class Bytes:
    """A file as the compiler sees it: without a byte-order mark, lines ending in a line feed."""

    def __init__(self, path):
        with open(path, "rb") as file:
            text = file.read()
        text = text[3:] if text.startswith(b"\xef\xbb\xbf") else text
        self.lines = text.split(b"\n")

    def columns(self, line, n_bytes):
        before = self.lines[line - 1][:n_bytes]
        # an invalid byte counts as one character: surrogateescape makes one of each
        text = before.decode("utf-8", "surrogateescape")
        wide = sum(ord(c) >= 0x10000 for c in text)
        return len(text) + 1, len(text) + wide + 1


def check_position(source, position):
    if not only(position, ["line", "column", "byteColumn", "utf16Column"]):
        return
    line, byte = position["line"], position["byteColumn"]
    if not check(1 <= line <= len(source.lines), "line", position):
        return
    check(1 <= byte <= len(source.lines[line - 1]) + 1, "byte", position)
    column, utf16 = source.columns(line, byte - 1)
    check((column, utf16) == (position["column"], position["utf16Column"]), "columns", position)


def check_message(message, sources, is_note):
    more = [] if is_note else ["notes"]
    only(message, ["severity", "code", "name", "message", *more], ["file", "start", "end"])
    severities = ["note", "help"] if is_note else ["error", "warning", "remark"]
    check(message["severity"] in severities, message)
    check(re.fullmatch(r"[EWRNH]\d{4}", message["code"]), message)
    check(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", message["name"]), message)
    check(message["message"] and "\n" not in message["message"], message)
    check(("start" in message) == ("end" in message), message)
    if "start" in message:
        source = sources[message["file"]]
        check_position(source, message["start"])
        check_position(source, message["end"])
        places = [(message[key]["line"], message[key]["column"]) for key in ("start", "end")]
        check(places[0] <= places[1], "the end is before the start", message)


def text_line(message):
    """The message as --diagnostics=plain has it."""
    place = message.get("file")
    if "start" in message:
        start, end = message["start"], message["end"]
        place = f"{place}:{start['line']}.{start['column']}-"
        last = max(end["column"] - 1, 1)
        if (end["line"], end["column"]) == (start["line"], start["column"]):
            last = end["column"]  # an empty place is that of the character behind it
        if end["line"] != start["line"]:
            place += f"{end['line']}."
        place += str(last)
    word = message["severity"].capitalize()
    name = f" [{message['name']}]" if message["code"][0] == "W" else ""
    if message["name"] == "too-many":
        name = ""
    where = f"[{place}] " if place else ""
    return f"{where}{word}: {message['message']}{name}"


def check_json(parsed, files, folder):
    only(parsed, ["version", "tool", "files", "diagnostics"])
    check(parsed["version"] == 1 and parsed["files"] == files, parsed["files"])
    only(parsed["tool"], ["name", "version"])
    sources = {file: Bytes(os.path.join(folder, file)) for file in files
               if os.path.isfile(os.path.join(folder, file))}
    for message in parsed["diagnostics"]:
        check_message(message, sources, False)
        for note in message["notes"]:
            check_message(note, sources, True)


# ---- SARIF -------------------------------------------------------------------------------------


def check_text(message):
    only(message, ["text"])
    check(re.fullmatch(r"([^{}]|\{\{|\}\})+", message["text"]), "braces", message)


def check_location(location, files, is_related):
    only(location, ["physicalLocation"], ["message"] if is_related else [])
    physical = location["physicalLocation"]
    only(physical, ["artifactLocation"], ["region"])
    only(physical["artifactLocation"], ["uri"])
    uri = physical["artifactLocation"]["uri"]
    check(re.fullmatch(r"([A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), "no URI:", uri)
    check(urllib.parse.unquote(uri) in files, uri, "is none of the files")
    if "region" in physical:
        region = physical["region"]
        only(region, ["startLine", "startColumn", "endLine", "endColumn"])
        check(all(type(value) is int and value >= 1 for value in region.values()), region)
        start = region["startLine"], region["startColumn"]
        check(start <= (region["endLine"], region["endColumn"]), region)
    if is_related:
        check_text(location["message"])


def check_descriptors(descriptors):
    for descriptor in descriptors:
        only(descriptor, ["id", "name", "shortDescription", "defaultConfiguration"])
        check_text(descriptor["shortDescription"])
        check(descriptor["defaultConfiguration"]["level"] in LEVELS.values(), descriptor)
    ids = [descriptor["id"] for descriptor in descriptors]
    check(len(ids) == len(set(ids)) > 0, "ids of rules")
    return ids


def check_notification(notification, ids, files):
    only(notification, ["descriptor", "level", "message", "locations"])
    check(notification["descriptor"]["id"] in ids, notification)
    check_text(notification["message"])
    for location in notification["locations"]:
        check_location(location, files, False)


def check_sarif(parsed, files, status):
    only(parsed, ["$schema", "version", "runs"])
    check(parsed["version"] == "2.1.0" and len(parsed["runs"]) == 1)
    (sarif,) = parsed["runs"]
    only(sarif, ["tool", "columnKind", "invocations", "artifacts", "results"])
    check(sarif["columnKind"] == "unicodeCodePoints")
    driver = sarif["tool"]["driver"]
    only(driver, ["name", "version", "rules", "notifications"])
    rules = check_descriptors(driver["rules"])
    notifications = check_descriptors(driver["notifications"])
    uris = [artifact["location"]["uri"] for artifact in sarif["artifacts"]]
    check([urllib.parse.unquote(uri) for uri in uris] == files, uris)
    (invocation,) = sarif["invocations"]
    kinds = ["toolConfigurationNotifications", "toolExecutionNotifications"]
    only(invocation, ["executionSuccessful", "exitCode", *kinds])
    check(invocation["exitCode"] == status, invocation)
    said = [entry for kind in kinds for entry in invocation[kind]]
    check(invocation["executionSuccessful"] == (not said), invocation)
    for notification in said:
        check_notification(notification, notifications, files)
    for result in sarif["results"]:
        only(result, ["ruleId", "ruleIndex", "level", "message", "locations", "relatedLocations"])
        check(rules[result["ruleIndex"]] == result["ruleId"], "rule of", result)
        check(result["level"] in LEVELS.values(), result)
        check_text(result["message"])
        check(len(result["locations"]) == 1, result)
        for location in result["locations"]:
            check_location(location, files, False)
        for location in result["relatedLocations"]:
            check_location(location, files, True)
    return sarif


def check_alike(messages, results):
    """JSON and SARIF have the same messages in the same order."""
    check(len(messages) == len(results), len(messages), "messages,", len(results), "results")
    for message, result in zip(messages, results):
        text = result["message"]["text"].replace("{{", "{").replace("}}", "}").split("\n")[0]
        check(text == message["message"] and result["ruleId"] == message["code"], message, result)
        check(result["level"] == LEVELS[message["severity"]], message, result)
        region = result["locations"][0]["physicalLocation"].get("region")
        if check((region is not None) == ("start" in message), message) and region:
            check([region["startLine"], region["startColumn"], region["endLine"],
                   region["endColumn"]] == [message["start"]["line"], message["start"]["column"],
                                            message["end"]["line"], message["end"]["column"]],
                  message, result)


# ---- the programs ------------------------------------------------------------------------------


def compare(files, folder, is_text=True):
    """The three forms of the same messages; returns the JSON messages."""
    status, parsed = document("json", ["--check", *files], folder)
    status_sarif, sarif = document("sarif", ["--check", *files], folder)
    plain = run(["--check", "--diagnostics=plain", *files], folder)
    check(status == status_sarif == plain.returncode, "statuses differ")
    if parsed is None or sarif is None:
        return []
    check_json(parsed, files, folder)
    check_alike(parsed["diagnostics"], check_sarif(sarif, files, status)["results"])
    found = [text_line(message) for message in parsed["diagnostics"]]
    wanted = plain.stderr.decode("utf-8", "replace").splitlines()
    for ours, text in zip(found, wanted):
        check(ours == text or not is_text, "JSON says\n ", ours, "\ntext says\n ", text)
    check(len(found) == len(wanted), len(found), "messages,", len(wanted), "lines")
    return parsed["diagnostics"]


def golden_programs():
    folder = os.path.join(TREE, "tests/golden/diag")
    files = sorted(os.path.relpath(os.path.join(at, name), folder)
                   for at, _, names in os.walk(folder) for name in names
                   if name.endswith(".diderot"))
    messages = compare(files, folder, is_text=True)
    check(len(files) > 100 and len(messages) > len(files), "too few programs")


def write(name, text):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(text)
    return name


def strange_programs():
    ends = b"strand s (int i) { output int x = i; update { stabilize; } }\ncreate_array { s(i) | i in 0..9 }\n"
    files = [
        write("one name, größer {1}%20.diderot", b"#version 2.0\nint {x = 1;\n" + ends),
        write("mark.diderot", b"\xef\xbb\xbf#version 2.0\nint y\xef\xbb\xbf;\n" + ends),
        write("lines.diderot", b"#version 2.0\r\nint x = z;\r\n" + ends.replace(b"\n", b"\r\n")),
        write("bytes.diderot", b"#version 2.0\n// \xff\xc0\x80 \xf0\x9f\x98\x80\nint x = 1;\n"),
        write("nul.diderot", b"#version 2.0\n/* \xf0\x9f\x98\x80 */ int \0x = $;\n" + ends),
        write("empty.diderot", b""),
        write("end.diderot", b"#version 2.0"),
        write("quote\"back\\slash\n.diderot", b"#version 2.0\nreal \"\\\" = 1;\n" + ends),
        "absent.diderot",
    ]
    # the text form prints names with line ends in them as they are, so its lines are others
    messages = compare([file for file in files[:-2]], FOLDER)
    check(len(messages) >= 7, "messages", messages)
    document("json", ["--check", *files], status=1)
    status, parsed = document("sarif", ["--check", *files], status=1)
    check_sarif(parsed, files, status)
    huge = write("huge.diderot", b"#version 2.0\n" + b"int x = \xe2\x88\x87;\n" * 20000 + ends)
    check(len(compare([huge], FOLDER)) == 101, "more than a hundred errors and a last one")
    deep = write("deep.diderot", b"#version 2.0\nint x = " + b"(" * 20000 + b"1;\n" + ends)
    compare([deep], FOLDER)


def right_programs():
    right = write("right.diderot", b"#version 2.0\nstrand s (int i) { output int x = i; update "
                  b"{ stabilize; } }\ncreate_array { s(i) | i in 0..9 }\n")
    check(compare([right, right], FOLDER) == [], "a right program")
    status, parsed = document("sarif", ["--exec", "-o", "made", right], status=0)
    check_sarif(parsed, [right], status)
    check(os.access(os.path.join(FOLDER, "made"), os.X_OK), "nothing was made")
    # what is behind the front end
    made = document("json", ["--exec", "-o", "no-folder/made", right], status=1)[1]
    check([m["code"] for m in made["diagnostics"]] == ["E0005"], made)
    check_json(made, [right], FOLDER)
    return right


# ---- what is no program ------------------------------------------------------------------------


def bad_commands(right):
    for args in (["--no-such-option", "--check"], ["--check"], ["--check", "x.c"], ["--Cx"],
                 [right, right], ["--target=abacus", right], ["--emit-c", right], ["-o"],
                 ["--dump=ast", right], ["--from=mid", "--to=low", "x.ir"], ["run", right]):
        is_run = args[0] == "run"
        for style in ("json", "sarif"):
            command = ["run", "--diagnostics", style, right] if is_run else \
                ["--diagnostics", style, *args]
            ended = run(command)
            check(ended.returncode == 1 and ended.stderr == b"", args, ended)
            parsed = json.loads(ended.stdout)
            if style == "json":
                check_json(parsed, [], FOLDER)
                check([m["code"] for m in parsed["diagnostics"]] == ["E0009"], parsed)
            else:
                check(check_sarif(parsed, [], 1)["results"] == [], parsed)
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([DIDEROTC, "--check", "--diagnostics=json", right], cwd=FOLDER,
                               stdout=full, stderr=subprocess.PIPE, check=False)
    check(ended.returncode == 1 and ended.stderr.startswith(b"Error: the messages are lost"), ended)


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def has_ended(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"  # nobody may fetch it
    except OSError:
        return True


def wait_until(condition):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    return None


def start(style, pipe, right):
    """A command whose second program is a pipe: its process, and the child that reads the pipe."""
    process = subprocess.Popen([DIDEROTC, "--check", "--diagnostics=" + style, right, pipe, right],
                               cwd=FOLDER, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def opened():
        try:
            return os.open(os.path.join(FOLDER, pipe), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # nobody reads yet
            return None

    end = wait_until(opened)
    found = children(process.pid) if end else []
    return process, end, found[0] if found else None


def failing_compiler(right):
    """Whatever ends the process of a program, the document is whole and has the other programs."""
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        print("without /proc/PID/task/PID/children: not tried how a failing compiler is told")
        return
    pipe = "pipe.diderot"
    os.mkfifo(os.path.join(FOLDER, pipe))
    for style in ("json", "sarif", "plain"):
        process, end, child = start(style, pipe, right)
        if not check(child, "no child reads the pipe"):
            process.kill()
            continue
        os.kill(child, signal.SIGKILL)
        wait_until(lambda: children(process.pid) != [child])
        os.close(end)
        out, err = process.communicate(timeout=30)
        check(process.returncode == 70, process.returncode)
        if style == "plain":
            with open(os.path.join(TREE, "tests/diagnostics/stopped.out"), "rb") as file:
                check(out == b"" and err == file.read(), out, err)
            continue
        check(err == b"", err)
        parsed = json.loads(out)
        if style == "json":
            (message,) = parsed["diagnostics"]
            check(message["code"] == "E0010" and message["file"] == pipe, message)
            check("(signal 9)" in message["message"], message)
        else:
            sarif = check_sarif(parsed, [right, pipe, right], 70)
            check(len(sarif["invocations"][0]["toolExecutionNotifications"]) == 1, sarif)
    process, end, child = start("json", pipe, right)
    if check(child, "no child reads the pipe"):
        process.terminate()
        process.communicate(timeout=30)
        check(wait_until(lambda: has_ended(child)), "the child goes on alone")
        os.close(end)


os.makedirs(FOLDER, exist_ok=True)
for name in os.listdir(FOLDER):
    path = os.path.join(FOLDER, name)
    if not os.path.isdir(path):
        os.remove(path)
golden_programs()
strange_programs()
right_file = right_programs()
bad_commands(right_file)
failing_compiler(right_file)
finish()
