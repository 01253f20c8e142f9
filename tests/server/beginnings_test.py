"""run.server.beginnings: programs as they are while somebody types. Every STEP-th beginning of an example
is opened, and each kind of request is sent for its end. Requests may be refused only with a reason, and
no message may lie outside the text.

    beginnings_test.py DIDEROTC TREE STEP [EXAMPLE ...]     (all examples by default)
"""
import glob
import sys

from checks import check, finish

sys.path.insert(0, sys.path[0])
from client import Client, Failed, position  # noqa: E402

DIDEROTC, TREE, STEP = sys.argv[1], sys.argv[2], int(sys.argv[3])
URI = "file:///a.diderot"


def end_of(text):
    return position(text, len(text))


def ask(client, method, **params):
    try:
        return client.request(f"textDocument/{method}", textDocument={"uri": URI}, **params)
    except Failed as error:
        check(error.code == -32803, method, error)
        return None


def try_text(client, text):
    end = end_of(text)
    everything = {"start": {"line": 0, "character": 0}, "end": end}
    lines = [len(line.encode("utf-16-le")) // 2 for line in text.split("\n")]
    for method in ("hover", "definition", "documentHighlight", "signatureHelp", "completion", "prepareRename"):
        ask(client, method, position=end)
    ask(client, "references", position=end, context={"includeDeclaration": True})
    ask(client, "rename", position=end, newName="other")
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full"):
        check(ask(client, method) is not None, method, "of a beginning")
    ask(client, "formatting", options={})
    ask(client, "inlayHint", range=everything)
    ask(client, "codeAction", range=everything, context={"diagnostics": []})
    for m in ask(client, "diagnostic")["items"]:
        for place in (m["range"]["start"], m["range"]["end"]):
            check(place["line"] < len(lines) and place["character"] <= lines[place["line"]], m, "lies outside")


def main():
    names = sys.argv[4:] or [p.split("/")[-1].removesuffix(".diderot")
                             for p in sorted(glob.glob(f"{TREE}/examples/*/*.diderot"))]
    client = Client(DIDEROTC)
    client.initialize()
    client.open("", URI, 0)
    for name in names:
        program = open(f"{TREE}/examples/{name}/{name}.diderot", encoding="utf-8").read()
        client.notify("textDocument/didChange", textDocument={"uri": URI, "version": 0}, contentChanges=[{"text": ""}])
        before = 0
        for n in range(0, len(program) + 1, STEP):
            place = end_of(program[:before])
            client.notify("textDocument/didChange", textDocument={"uri": URI, "version": n},
                          contentChanges=[{"range": {"start": place, "end": place}, "text": program[before:n]}])
            before = n
            try_text(client, program[:n])
            if n > 0:
                check(client.shown(URI) or program[n:].strip() == "", "no message for", name, "up to", n)
    client.end()
    finish()


main()
