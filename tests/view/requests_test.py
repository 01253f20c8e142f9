"""Invalid requests, which must be refused and do no harm to the view; then valid ones."""
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time

from checks import check, finish, until
from client import View

diderotc, root, folder, n_hostile = *sys.argv[1:4], int(sys.argv[4])
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(os.path.join(folder, "files/below"))
program = os.path.join(folder, "files/program.diderot")
GOOD = """#version 2.0
input image(1)[] img ("samples");
input real gain ("[0..4] what they are multiplied by") = 1.0;
field#0(1)[] F = img ⊛ tent;
strand point (int k) {
   output real x = 0.0;
   update { x = gain*F(1.0); stabilize; }
}
create_array { point(k) | k in 0..9 }
"""
RAMP = ("NRRD0004\ntype: float\ndimension: 1\nsizes: 4\nspace dimension: 1\nspace directions: (1)\n"
        "space origin: (0)\nencoding: ascii\n\n1 2 4 8\n")


def write(name, text):
    with open(os.path.join(folder, name), "w") as file:
        file.write(text)


write("files/program.diderot", GOOD)
write("files/below/ramp.nrrd", RAMP)
write("secret.nrrd", RAMP)
os.symlink("../secret.nrrd", os.path.join(folder, "files/out.nrrd"))
os.symlink("..", os.path.join(folder, "files/up"))
os.symlink("below/ramp.nrrd", os.path.join(folder, "files/in.nrrd"))
view = View(diderotc, program)
host = "127.0.0.1:%d" % view.port


def refused():
    state = "GET /%s/state HTTP/1.1\r\nConnection: close\r\nHost: %s\r\n%s\r\n"

    def status(token=view.token, name=host, more=""):
        answer = view.raw((state % (token, name, more)).encode())
        return answer[9:12].decode()

    check(status() == "200", "the right one")
    check(status(name="localhost:99") == "200", "through a tunnel")
    for name in ("evil.example", "evil.example:%d" % view.port, "127.0.0.1.evil.example", "localhost.", "127.0.0.2",
                 "127.0.0.1:", "127.0.0.1:123456", "127.0.0.1@evil.example", "[::2]", ""):
        check(status(name=name) == "403", "host", name, status(name=name))
    for origin in ("http://evil.example", "https://" + host, "null", "http://localhost:%d" % view.port, "file://", ""):
        check(status(more="Origin: %s\r\n" % origin) == "403", "origin", origin)
    check(status(more="Origin: http://%s\r\n" % host) == "200", "its own origin")
    for token in ("", "0" * 32, view.token[:-1], view.token[:-1] + "g", view.token + "0", view.token.upper() + "x"):
        check(status(token=token) == "404", "token", token)
    check(view.ask("POST", "state")[0] == 405 and view.ask("GET", "run")[0] == 405, "methods")
    check(view.ask("GET", "../state")[0] == 404 and view.ask("GET", "page.cmake")[0] == 404, "other files")
    check(view.ask("POST", "run", "x" * 70000)[0] == 413, "too long")
    check(view.ask("GET", "a" * 600)[0] == 414, "too long a path")
    headers = view.ask("GET", "")[2]
    policy = headers["Content-Security-Policy"]
    check("default-src 'none'" in policy and "unsafe" not in policy, policy)
    check(headers["Referrer-Policy"] == "no-referrer" and headers["X-Content-Type-Options"] == "nosniff", headers)


def processes(of):
    """How many programs a view has."""
    with open("/proc/%d/task/%d/children" % (of.process.pid, of.process.pid)) as file:
        return len(file.read().split())


def bad_bodies():
    good = {"page": "p", "run": 1, "thinning": 1, "mode": "end", "values": {}}
    for change in ({"page": 1}, {"page": "x" * 65}, {"run": "1"}, {"thinning": 0}, {"thinning": 65}, {"mode": "x"},
                   {"values": []}, {"values": {"none": ["1"]}}, {"values": {"gain": "1"}}, {"values": {"gain": [1]}},
                   {"values": {"gain": ["1\0"]}}, {"values": {"gain": ["1"] * 5000}}):
        status, text, _ = view.ask("POST", "run", json.dumps({**good, **change}))
        check(status == 400, change, status, text)
    for strand in (None, 17, "", "x", "1,x", "#1\0", "1" * 65, "-1", "1 2", "--trace", ["1"], {"#": 1}):
        status, text, _ = view.ask("POST", "run", json.dumps({**good, "mode": "trace", "strand": strand}))
        check(status == 400 and text.startswith((b"strand: ", b"no JSON: ")), strand, status, text)
    check(processes(view) == 1, "no program for traces that nobody may have", processes(view))
    for body in ("", "[]", "{", "null", "[" * 5000, '{"page":"p","page":"p"}'):
        check(view.ask("POST", "run", body)[0] == 400, body[:20])
    for file in ("out.nrrd", "../secret.nrrd", "up/secret.nrrd", "/etc/passwd", "below", "none.nrrd", "", "below/../out.nrrd"):
        status, text = view.frames(img=[file])
        check(status == 400 and "img" in text, file, status, text)


def page():
    """Its files are those of the repository, and small together."""
    size = 0
    for name in os.listdir(os.path.join(root, "frontend/view/page")):
        with open(os.path.join(root, "frontend/view/page", name), "rb") as file:
            expected = file.read()
        status, found, headers = view.ask("GET", name)
        check(status == 200 and found == expected, name)
        check(headers["Content-Type"].split(";")[0] == {"js": "text/javascript", "css": "text/css", "html": "text/html"}[
            name.split(".")[-1]], name, headers["Content-Type"])
        size += len(found)
    check(size <= 150000, "the page has %d bytes" % size)
    check(view.ask("GET", "")[1] == view.ask("GET", "index.html")[1], "the page itself")


def files():
    check(json.loads(view.ask("GET", "files?under=")[1]) == ["below/", "in.nrrd", "program.diderot"], "files")
    check(json.loads(view.ask("GET", "files?under=below/r")[1]) == ["below/ramp.nrrd"], "files below")
    for under in ("..", "../", "up/", "up/s", "/etc/", "/", "below/../../"):
        check(json.loads(view.ask("GET", "files?under=" + under)[1]) == [], under)


def hostile(seed):
    """Bytes that are almost requests."""
    random.seed(seed)
    token = view.token if random.random() < 0.7 else "0" * 32
    method = random.choice(["GET", "POST", "HEAD", "PUT", "DELETE", "get", "", "X" * random.randrange(9000)])
    path = random.choice(["state", "run", "step", "files", "", "main.js", "a" * random.randrange(40000), "%00", "%2e%2e/"])
    head = ["%s /%s/%s HTTP/1.%d" % (method, token, path, random.randrange(3)), "Host: " + random.choice([host, "x"])]
    for _ in range(random.randrange(4)):
        head.append(random.choice(["Content-Length: %d" % random.choice([-1, 0, 5, 10**6, 10**20]), "Origin: http://x",
                                   "Transfer-Encoding: chunked", "Expect: 100-continue", "X: " + "y" * random.randrange(40000),
                                   "Range: bytes=0-", "Upgrade: websocket", ":", "Connection: close"]))
    body = bytes(random.randrange(256) for _ in range(random.randrange(300)))
    if random.random() < 0.5:
        body = json.dumps({"page": "h", "run": 1, "thinning": 1, "mode": random.choice(["end", "trace"]), "values":
                           {"gain": [str(seed)]}, "strand": random.choice(["#3", "9", "9,9,9,9", "#" * 40, ",", None, "#9" * 9])}).encode()
    data = "\r\n".join(head).encode() + b"\r\n\r\n" + body
    if random.random() < 0.3:
        at = random.randrange(len(data))
        data = data[:at] + bytes([random.randrange(256)]) + data[at + 1:]
    return data[:random.randrange(len(data))] if random.random() < 0.2 else data


def works():
    (head, values), = view.frames(img=["in.nrrd"], gain=["0.5"])
    check(head["kind"] == "last" and values["x"] == [1.0] * 10, head)


def follows():
    """One strand, of the program as it is saved: F(1) = 2, times the gain."""
    def x():
        (head, trace), = view.frames(mode="trace", page="test.trace", strand="#7", img=["in.nrrd"], gain=["0.5"])
        check(head == {"kind": "trace"} and trace["strand"]["index"] == [7], head)
        return [(record["value"], record.get("at")) for part in trace["parts"] if part["method"] == "update"
                for record in part["records"] if "value" in record]

    check(x() == [(2, 1), (1, None)], "a probe, then what is assigned", x())
    begin = time.monotonic()
    x()
    print("a trace in %.1f ms" % (1000 * (time.monotonic() - begin)))
    before = view.settled()
    write("files/program.diderot", GOOD.replace("gain*F", "3.0*gain*F"))
    check(view.settled(before["version"])["phase"] == "ready", "saved")
    check(x() == [(2, 1), (3, None)], "the new program", x())
    before = view.settled()
    write("files/program.diderot", GOOD.replace("gain*F", "gane*F"))
    check(view.settled(before["version"])["phase"] == "broken", "a mistake")
    status, text = view.frames(mode="trace", strand="#7", img=["in.nrrd"])
    check(status == 409 and "program.diderot:7" in text, status, text)
    before = view.settled()
    write("files/program.diderot", GOOD)
    check(view.settled(before["version"])["phase"] == "ready", "mended")
    check(x() == [(2, 1), (1, None)], "as before", x())
    with open("/proc/%d/task/%d/children" % (view.process.pid, view.process.pid)) as file:
        tracer = int(file.read().split()[-1])  # the youngest, whose number may be less
    os.kill(tracer, signal.SIGKILL)
    until(lambda: processes(view) == 1)
    status, text = view.frames(mode="trace", strand="#7", img=["in.nrrd"])
    check(status == 409 and "has ended" in text, "a program that has ended", status, text)
    check(x() == [(2, 1), (1, None)], "another in its place", x())


def follows_the_last():
    """Of traces that wait for their program, and then of those that run, each page has its last."""
    write("files/births.diderot", BIRTHS)
    other = View(diderotc, os.path.join(folder, "files/births.diderot"))
    check(other.settled()["phase"] == "ready", other.state()["said"])
    early, apart, late = (other.order(mode="trace", page=page, strand="#9") for page in ("a", "b", "a"))
    answer = early.getresponse()
    check(answer.status == 409 and answer.read() == b"out of date\n", "replaced while it waits", answer.status)
    until(lambda: len(runs(other.process)) == 2)
    check(len(runs(other.process)) == 2 and processes(other) == 2, "both pages' last", runs(other.process))
    late.close()
    check(until(lambda: len(runs(other.process)) == 1), "a trace that nobody wants ends")
    write("files/births.diderot", BIRTHS + "// saved\n")
    other.settled(other.state()["version"])
    (head, _), = other.frames(mode="trace", page="b", strand="#1", thinning=1)
    check(head["kind"] == "trace", head)
    apart.close()
    until(lambda: not runs(other.process))
    check(runs(other.process) == [] and other.end() == 0, "all have ended")


def saved():
    """A mistake, then none; what ran before goes on to run meanwhile."""
    before = view.settled()
    write("files/program.diderot", GOOD.replace("stabilize;", "stabilize"))
    state = view.settled(before["version"])
    check(state["phase"] == "broken" and "program.diderot:7" in state["said"] and "^" in state["said"], state["said"])
    works()
    write("files/new.diderot", GOOD.replace("input real gain", "input int count = 3;\ninput real gain"))
    os.rename(os.path.join(folder, "files/new.diderot"), program)
    state = view.settled(state["version"])
    check([i["name"] for i in state["program"]["inputs"]] == ["img", "count", "gain"], state)
    check(state["builds"] == before["builds"] + 1 and state["phase"] == "ready", "a new program")


def idle():
    """Processor time of a second in which nothing happens."""
    def ticks():
        with open("/proc/%d/stat" % view.process.pid) as file:
            return sum(map(int, file.read().rsplit(")", 1)[1].split()[11:13]))
    before = ticks()
    time.sleep(1)
    check(ticks() - before <= 1, "idle", ticks() - before)


ENDLESS = """#version 2.0
strand turn (int k) {
   output int n = 0;
   update { n = (n + 1) % 1000; if (n > 1000) { stabilize; } }
}
create_array { turn(k) | k in 0..99 }
"""


# They go on for ever, and see each other, so that all run as long as one waits for another that is never born.
BIRTHS = """#version 2.0
strand one (int k) {
   output vec2 pos = [1.0*k, 0.0];
   output int n = 0;
   update {
      foreach (one o in sphere(0.5)) { n += o.n; }
      n = 1 - n;
   }
}
create_collection { one(k) | k in 0..3 }
"""


def runs(process):
    """The processes of runs: children of the program, which is a child of the view."""
    def children(pid):
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(word) for word in file.read().split()]
    return [run for program in children(process.pid) for run in children(program)]


def stale():
    """A run ends when the same page asks for another, and when its connection is closed; those of others go on."""
    write("files/endless.diderot", ENDLESS)
    other = View(diderotc, os.path.join(folder, "files/endless.diderot"))
    check(other.settled()["phase"] == "ready", "ready")
    first, apart = other.order(page="a"), other.order(page="b")
    until(lambda: len(runs(other.process)) == 2)
    begin = set(runs(other.process))
    check(len(begin) == 2, "two runs")
    second = other.order(page="a")
    check(until(lambda: len(begin & set(runs(other.process))) == 1), "replaced")
    until(lambda: len(runs(other.process)) == 2)
    check(len(runs(other.process)) == 2, "that of the other page goes on")
    second.close()
    check(until(lambda: len(runs(other.process)) == 1), "left alone")
    first.close()
    apart.close()
    until(lambda: not runs(other.process))
    check(runs(other.process) == [] and other.end() == 0, "all have ended")


def crowded():
    """As many connections as there may be, each waiting for another state; a mistake wakes them all."""
    state = view.settled()
    request = ("GET /%s/state?after=%d HTTP/1.1\r\nHost: %s\r\n\r\n" % (view.token, state["version"], host)).encode()
    crowd = [socket.create_connection(("127.0.0.1", view.port), timeout=20) for _ in range(60)]
    for connection in crowd:
        connection.sendall(request)
    time.sleep(0.3)
    write("files/program.diderot", GOOD.replace("stabilize;", "stabilise;"))
    answers = [connection.recv(1 << 16) for connection in crowd]
    check(all(answer.startswith(b"HTTP/1.1 200") for answer in answers), "all are told")
    for connection in crowd:
        connection.close()
    check(view.settled(state["version"])["phase"] == "broken", "a mistake")


def usage():
    taken = subprocess.run([diderotc, "view", "--no-browser", "--port=%d" % view.port, program], capture_output=True, text=True)
    check(taken.returncode == 1 and "cannot listen on port %d" % view.port in taken.stderr, taken.stderr)
    for words, message in ((["x.c"], "expected a diderot file"), (["--port=70000", program], "expected a port"),
                           ([], "missing file"), (["none.diderot"], "cannot read"), (["--files=" + program, program], "folder")):
        told = subprocess.run([diderotc, "view", *words], capture_output=True, text=True)
        check(told.returncode == 1 and message in told.stderr, words, told.stderr)
        is_about_a_file = message in ("cannot read", "folder")
        check(is_about_a_file != ("usage:" in told.stderr), words, told.stderr)


def opens():
    """By xdg-open, on a desktop alone, a file that leads to the address, which no list of processes shows then."""
    tools, opened = os.path.join(folder, "tools"), os.path.join(folder, "opened")
    os.makedirs(tools, exist_ok=True)
    with open(os.path.join(tools, "xdg-open"), "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\ncat \"$1\" >'%s.new' && mv '%s.new' '%s'\n" % (opened, opened, opened))
    os.chmod(os.path.join(tools, "xdg-open"), 0o755)
    for desktop in ({}, {"DISPLAY": ":0"}, {"WAYLAND_DISPLAY": "wayland-0"}):
        known = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        shown = subprocess.Popen([diderotc, "view", "--warnings=none", program], stdout=subprocess.PIPE, text=True,
                                 env={**known, **desktop, "PATH": tools + os.pathsep + os.environ["PATH"]})
        address = shown.stdout.readline().strip()
        until(lambda: os.path.exists(opened), 10 if desktop else 0.5)
        check(os.path.exists(opened) == bool(desktop), desktop)
        if os.path.exists(opened):
            with open(opened, encoding="utf-8") as file:
                check(address in file.read(), "its address")
            os.remove(opened)
        shown.terminate()
        shown.communicate()


check(view.settled()["phase"] == "ready", view.state()["said"])
(head, _), = view.frames()
check((head["kind"], head["name"]) == ("missing", "img"), head)
refused()
bad_bodies()
page()
files()
works()
for seed in range(n_hostile):
    view.raw(hostile(seed), 0.05)
    if not check(view.process.poll() is None, "the view lives", seed):
        break
works()
follows()
follows_the_last()
saved()
idle()
crowded()
stale()
usage()
opens()
check(view.end() == 0, "ends")
finish()
