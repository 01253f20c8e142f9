"""A view that runs, and requests to it."""
import atexit
import http.client
import json
import re
import socket
import subprocess

from programs import received, reader


class View:
    def __init__(self, diderotc, program, *options, arguments=(), cwd=None):
        self.process = subprocess.Popen([diderotc, "view", "--no-browser", "--warnings=none", *options, program, "--",
                                         *arguments], stdout=subprocess.PIPE, cwd=cwd, text=True)
        atexit.register(self.process.kill)
        self.address = self.process.stdout.readline().strip()
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        if not match:
            raise RuntimeError("no address: " + self.address)
        self.port, self.token = int(match[1]), match[2]
        self.n_runs = 0

    def ask(self, method, path, body=None, headers=None):
        """The status, what was answered and the headers, at a path behind the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, "/%s/%s" % (self.token, path), body, headers or {})
        answer = connection.getresponse()
        result = answer.status, answer.read(), dict(answer.getheaders())
        connection.close()
        return result

    def state(self, after=-1):
        return json.loads(self.ask("GET", "state?after=%d" % after)[1])

    def settled(self, after=-1):
        """The state when nothing is being compiled any more, later than that version."""
        state = self.state(after)
        while state["phase"] == "building":
            state = self.state(state["version"])
        return state

    def order(self, thinning=1, mode="end", page="test", strand=None, **values):
        """A connection that gets the frames of a run."""
        self.n_runs += 1
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/%s/run" % self.token, json.dumps(
            {"page": page, "run": self.n_runs, "thinning": thinning, "mode": mode, "values": values,
             **({"strand": strand} if strand is not None else {})}))
        return connection

    def frames(self, *arguments, **values):
        connection = self.order(*arguments, **values)
        answer = connection.getresponse()
        if answer.status != 200:
            return answer.status, answer.read().decode()
        result = list(received(reader(answer.read)))
        connection.close()
        return result

    def raw(self, data, patience=5):
        """What comes back for some bytes, until the server closes or is silent for so many seconds."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=patience) as connection:
            try:
                connection.sendall(data)
                parts = b""
                while part := connection.recv(1 << 16):
                    parts += part
                return parts
            except OSError:
                return b""

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=180)
