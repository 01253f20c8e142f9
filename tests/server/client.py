"""A client of `diderotc lsp` for tests: sends messages and waits for answers, one after the other."""
import json
import os
import select
import subprocess


def position(text, at):
    """Of the at-th character, as the protocol counts."""
    start = text.rfind("\n", 0, at) + 1
    return {"line": text.count("\n", 0, at), "character": len(text[start:at].encode("utf-16-le")) // 2}


class Failed(Exception):
    """An error of the protocol."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    def __init__(self, diderotc, timeout=60):
        self.process = subprocess.Popen([diderotc, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timeout = timeout
        self.received = b""
        self.last_id = 0
        self.diagnostics = {}  # of each URI, the last that came
        self.notices = []
        self.answers = {}

    # --- messages

    @staticmethod
    def framed(message):
        body = json.dumps(message).encode() if not isinstance(message, bytes) else message
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    def write(self, data):
        """Writes, and reads meanwhile: nobody waits for the other for ever."""
        out, into = self.process.stdout.fileno(), self.process.stdin.fileno()
        os.set_blocking(into, False)
        while data:
            readable, writable, _ = select.select([out], [into], [], self.timeout)
            if not readable and not writable:
                raise AssertionError("the server takes no more")
            if readable:
                self.read_chunk()
            if writable:
                data = data[os.write(into, data[:65536]) :]

    def read_chunk(self):
        chunk = os.read(self.process.stdout.fileno(), 1 << 20)
        if not chunk:
            raise AssertionError(f"the server has ended, status {self.process.wait()}")
        self.received += chunk

    def next_message(self):
        """The next one; those of the server itself are kept."""
        while b"\r\n\r\n" not in self.received:
            self.wait()
        header, _, rest = self.received.partition(b"\r\n\r\n")
        length = int(header.removeprefix(b"Content-Length: "))
        while len(self.received) < len(header) + 4 + length:
            self.wait()
        self.received = self.received[len(header) + 4 :]
        body, self.received = self.received[:length], self.received[length:]
        message = json.loads(body)
        assert message["jsonrpc"] == "2.0"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message:
            self.notices.append(message)
        return message

    def wait(self):
        if not select.select([self.process.stdout], [], [], self.timeout)[0]:
            raise AssertionError("no answer")
        self.read_chunk()

    def notify(self, method, **params):
        self.write(self.framed({"jsonrpc": "2.0", "method": method, "params": params}))

    def answer_to(self, identifier):
        while True:
            message = self.next_message()
            if "method" not in message and message["id"] == identifier:
                if "error" in message:
                    raise Failed(message["error"])
                return message["result"]

    def request(self, method, **params):
        self.last_id += 1
        self.write(self.framed({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}))
        return self.answer_to(self.last_id)

    # --- sessions

    def initialize(self, *encodings):
        general = {"positionEncodings": list(encodings)} if encodings else {}
        result = self.request("initialize", processId=None, rootUri=None, capabilities={"general": general})
        self.notify("initialized")
        return result

    def open(self, text, uri="file:///a.diderot", version=1):
        self.notify("textDocument/didOpen",
                    textDocument={"uri": uri, "languageId": "diderot", "version": version, "text": text})

    def at(self, method, line, character, uri="file:///a.diderot", **more):
        return self.request(f"textDocument/{method}", textDocument={"uri": uri},
                            position={"line": line, "character": character}, **more)

    def of(self, method, uri="file:///a.diderot", **more):
        return self.request(f"textDocument/{method}", textDocument={"uri": uri}, **more)

    def shown(self, uri="file:///a.diderot"):
        """The messages about the present text."""
        return self.of("diagnostic", uri)["items"]

    def end(self):
        """Ends as clients do; the status must be 0."""
        assert self.request("shutdown") is None
        self.notify("exit")
        self.process.stdin.close()
        status = self.process.wait(self.timeout)
        assert status == 0, f"status {status}"
