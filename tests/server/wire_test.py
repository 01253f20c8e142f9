"""run.server.wire: bytes that are not messages, messages that are not requests, requests that are cancelled:
each is answered by an error of the protocol, and the server continues.

    wire_test.py DIDEROTC TREE
"""
import json
import os
import subprocess
import sys
import time

from checks import check, finish

sys.path.insert(0, sys.path[0])
from client import Client, Failed  # noqa: E402

DIDEROTC, TREE = sys.argv[1:3]
PARSE, REQUEST, METHOD, PARAMS, CANCELLED = -32700, -32600, -32601, -32602, -32800
URI = "file:///a.diderot"


def started():
    client = Client(DIDEROTC)
    client.initialize()
    client.open(open(f"{TREE}/examples/vr/vr.diderot", encoding="utf-8").read())
    return client


def error_after(client, data, code, *what):
    """The bytes are answered by that error, which names no request."""
    client.write(data)
    while True:
        message = client.next_message()
        if "error" in message:
            check(message["error"]["code"] == code and message["id"] is None, *what, message)
            return


def headers(client):
    body = json.dumps({"jsonrpc": "2.0", "method": "initialized", "params": {}}).encode()
    for header in [b"Content-Length: x\r\n\r\n", b"Content-Length:\r\n\r\n", b"\r\n\r\n", b"Content-Length: 12 34\r\n\r\n",
                   b"Length: 5\r\n\r\n", b"\0\xff\r\n\r\n", b"Content-Length: 99999999999999999999\r\n\r\n"]:
        error_after(client, header, PARSE, header)
    error_after(client, b"x" * 5000 + b"\r\n\r\n", PARSE, "a long header")
    # Others than the length are skipped; names have no case.
    client.write(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-LENGTH:%d\r\n\r\n%s" % (len(body), body))
    check(client.of("documentSymbol"), "after other headers")


def bodies(client):
    for body in [b"{", b"", b"nothing", b"\xff\xfe", b'{"a": 1} x', b"[" * 5000, b'"\\ud800"', b"{\"a\":\"\xc3\"}"]:
        error_after(client, Client.framed(body), PARSE, body[:20])
    for body in [b"1", b"[]", b"null", b'"text"', b"{}", b'{"method": 5}', b'{"method": "initialized", "params": 5}',
                 b'{"id": {}, "method": "shutdown"}', b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]']:
        error_after(client, Client.framed(body), REQUEST, body)
    client.write(Client.framed({"jsonrpc": "2.0", "id": 7, "result": None}))  # to no question of ours
    check(client.of("documentSymbol"), "after what is no request")


def large_messages(client):
    """What is too large is skipped, however it comes."""
    n = (8 << 20) + 1
    client.write(b"Content-Length: %d\r\n\r\n" % n)
    for _ in range(8):
        client.write(b"[" * (1 << 20))
    error_after(client, b"[", REQUEST, "a message of 8 MiB")
    check(client.of("documentSymbol"), "after it")
    client.open("x" * ((1 << 20) + 1), "file:///large.diderot")
    check(client.of("documentSymbol"), "after a large document")
    check(any("1 MiB" in n["params"]["message"] for n in client.notices), "nobody was told")


def unknown_methods(client):
    for method in ["textDocument/nothing", "", "x" * 100000, "$/nothing", "textDocument/didOpen", "initialized"]:
        try:
            client.request(method)
            check(False, method, "is answered")
        except Failed as error:
            check(error.code == METHOD, method[:20], error.code)
    client.notify("nothing/known")
    client.notify("textDocument/hover", textDocument={"uri": URI}, position={"line": 0, "character": 0})


def wrong_params(client):
    """Each request with parts of its parameters missing or of other types."""
    methods = ["hover", "definition", "references", "rename", "prepareRename", "documentHighlight", "signatureHelp",
               "completion", "documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "formatting",
               "codeAction", "diagnostic"]
    for method in methods:
        for params in [{}, [], [1], {"textDocument": 5}, {"textDocument": {"uri": 5}}, {"textDocument": {"uri": "no"}}]:
            client.last_id += 1
            client.write(Client.framed({"jsonrpc": "2.0", "id": client.last_id,
                                        "method": f"textDocument/{method}", "params": params}))
            try:
                client.answer_to(client.last_id)
                check(False, method, params, "is answered")
            except Failed as error:
                check(error.code == PARAMS, method, params, error.code)
    for name in ["didOpen", "didChange", "didClose"]:
        for params in [{}, {"textDocument": 1}, {"textDocument": {"uri": URI}, "contentChanges": 3},
                       {"textDocument": {"uri": URI}, "contentChanges": [{"range": 1, "text": "x"}, 7, {"text": 5}]}]:
            if name != "didClose":
                client.notify(f"textDocument/{name}", **params)
    check(len(client.of("documentSymbol")) > 20, "the document is as it was")


def cancelled(client):
    """Taken back before it is looked at, in the same breath; others of the breath are answered."""
    ask = lambda i: {"jsonrpc": "2.0", "id": i, "method": "textDocument/documentSymbol",  # noqa: E731
                     "params": {"textDocument": {"uri": URI}}}
    take_back = lambda i: {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": i}}  # noqa: E731
    client.write(b"".join(map(Client.framed, [ask("a"), ask(900), take_back("a"), ask("b"), take_back(901),
                                              take_back({}), take_back(None)])))
    results = {}
    while len(results) < 3:
        message = client.next_message()
        if "method" not in message:
            results[message["id"]] = message.get("error", {}).get("code")
    check(results == {"a": CANCELLED, 900: None, "b": None}, results)
    client.write(Client.framed(take_back(900)))  # too late
    check(client.of("documentSymbol"), "after a late one")


def in_pieces(client):
    """A message byte by byte, and a hundred at once."""
    for byte in Client.framed({"jsonrpc": "2.0", "id": "slow", "method": "textDocument/foldingRange",
                               "params": {"textDocument": {"uri": URI}}}):
        client.write(bytes([byte]))
    check(client.answer_to("slow"), "byte by byte")
    many = b"".join(Client.framed({"jsonrpc": "2.0", "id": 1000 + i, "method": "textDocument/foldingRange",
                                   "params": {"textDocument": {"uri": URI}}}) for i in range(100))
    client.write(many)
    check(all(client.answer_to(1000 + i) for i in range(100)), "a hundred at once")


def long_lines(client):
    """Twenty thousand names in a line are no reason to wait."""
    line = " ".join(f"real a{i} = 1.0;" for i in range(20000))
    text = f"#version 2.0\n{line}\nstrand s (int i) {{ output real x = a1; update {{ stabilize; }} }}\ncreate_array {{ s(i) | i in 0..3 }}\n"
    client.open(text, "file:///long.diderot")
    start = time.monotonic()
    for method, more in [("documentSymbol", {}), ("semanticTokens/full", {}), ("foldingRange", {}), ("formatting", {"options": {}}),
                         ("rename", {"position": {"line": 1, "character": 5}, "newName": "other"}),
                         ("completion", {"position": {"line": 2, "character": 19}})]:
        check(client.of(method, "file:///long.diderot", **more) is not None, method, "of a long line")
    check(time.monotonic() - start < 60, "a long line takes", time.monotonic() - start)
    client.notify("textDocument/didClose", textDocument={"uri": "file:///long.diderot"})


def many_documents(client):
    """More than are kept ready; each is what it was."""
    for i in range(40):
        client.open(f"#version 2.0\nreal a{i} = 1.0;\nstrand s (int i) {{ output real x = a{i}; update {{ stabilize; }} }}\n"
                    "create_array { s(i) | i in 0..3 }\n", f"file:///{i}.diderot")
    for _ in range(2):
        for i in range(40):
            check(client.of("documentSymbol", f"file:///{i}.diderot")[0]["name"] == f"a{i}", "document", i)
    for i in range(40, 300):
        client.open("", f"file:///{i}.diderot")
    check(client.of("documentSymbol"), "after too many documents")
    check(any("256" in n["params"]["message"] for n in client.notices), "nobody was told of too many documents")


def endings():
    for messages, status in [([b""], 1), ([Client.framed({"jsonrpc": "2.0", "method": "exit"})], 1),
                             ([b"Content-Length: 100\r\n\r\n{"], 1)]:
        ended = subprocess.run([DIDEROTC, "lsp"], input=b"".join(messages), capture_output=True, timeout=60)
        check(ended.returncode == status and ended.stderr == b"", "status", ended.returncode, ended.stderr)
    ended = subprocess.run([DIDEROTC, "lsp", "--nothing"], input=b"", capture_output=True, timeout=60)
    check(ended.returncode == 1 and b"--nothing" in ended.stderr, "wrong option", ended)
    client = started()
    client.request("shutdown")
    try:
        client.of("documentSymbol")
        check(False, "answered after shutdown")
    except Failed as error:
        check(error.code == REQUEST, "after shutdown:", error.code)
    client.notify("exit")
    check(client.process.wait(60) == 0, "status after exit")


def memory_is_bounded(client):
    """As much after a thousand versions as after a hundred."""
    text = open(f"{TREE}/examples/vr/vr.diderot", encoding="utf-8").read()

    def resident():
        with open(f"/proc/{client.process.pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def versions(n):
        for i in range(n):
            client.notify("textDocument/didChange", textDocument={"uri": URI, "version": i},
                          contentChanges=[{"text": text + "\n" * (i % 50)}])
        client.of("documentSymbol")
        return resident()

    if os.path.exists("/proc/self/statm"):
        before = versions(200)  # AddressSanitizer keeps some of what is freed
        after = versions(600)
        check(after < before + (64 << 20), "memory grows from", before, "to", after)


def main():
    client = started()
    for part in (headers, bodies, unknown_methods, wrong_params, cancelled, in_pieces, large_messages, long_lines, many_documents):
        part(client)
    client.end()
    environment = "ASAN_OPTIONS"
    os.environ[environment] = os.environ.get(environment, "") + ":quarantine_size_mb=4"
    client = started()
    memory_is_bounded(client)
    client.end()
    endings()
    finish()


main()
