"""run.server.edits: random edits of a program, as an editor sends them. The server must have the
same text as Python: its answers are compared with those for the same text in a document that is opened anew.

    edits_test.py DIDEROTC TREE EDITS
"""
import glob
import json
import random
import sys

from checks import check, finish

sys.path.insert(0, sys.path[0])
from client import Client, Failed, position  # noqa: E402

DIDEROTC, TREE, N = sys.argv[1], sys.argv[2], int(sys.argv[3])
URI, OTHER = "file:///edited.diderot", "file:///anew.diderot"
PIECES = ["", " ", "\n", "\r\n", ";", "{", "}", "(", ")", "[", "|", "||", "∇", "⊛", "⊗", "𝒱", "λ", "/*", "*/", "//", '"',
          "real ", "strand ", "update", "x", "= 1.0;", "F(", "1", ".", "..", "#version 2.0\n", "\0", "\ufeff", "é\u0301",
          "create_array { s(i) | i in 0..3 }", "foreach (int i in 0..3) {", "if (true) ", "\\nab"]
ASKS = ["hover", "definition", "references", "documentHighlight", "signatureHelp", "completion", "prepareRename"]
WHOLE = ["documentSymbol", "foldingRange", "semanticTokens/full", "formatting"]


def main():
    rng = random.Random(17)
    programs = [open(p, encoding="utf-8").read() for p in sorted(glob.glob(f"{TREE}/examples/*/*.diderot"))]
    client = Client(DIDEROTC)
    client.initialize()
    text = rng.choice(programs)
    client.open(text, URI, 0)
    compared = 0
    for n in range(N):
        if n % 100 == 99:  # such texts become noise
            text = rng.choice(programs)
            changes = [{"text": text}]
        else:
            changes = []
            for _ in range(rng.choice([1, 1, 1, 3])):
                start = rng.randrange(len(text) + 1)
                end = min(len(text), start + rng.choice([0, 0, 1, 1, 5, 40]))
                # Places within \r\n are those before it.
                start, end = (p - (text[p - 1 : p + 1] == "\r\n") for p in (start, end))
                new = rng.choice(PIECES) if rng.random() < 0.7 else text[start : start + 30]
                changes.append({"range": {"start": position(text, start), "end": position(text, end)}, "text": new})
                text = text[:start] + new + text[end:]
        # A mark at the beginning is no part of the text.
        text = text.removeprefix("\ufeff")
        client.notify("textDocument/didChange", textDocument={"uri": URI, "version": n}, contentChanges=changes)
        at = position(text, rng.randrange(len(text) + 1))
        method = rng.choice(ASKS)
        more = {"context": {"includeDeclaration": True}} if method == "references" else {}
        try:
            client.request(f"textDocument/{method}", textDocument={"uri": URI}, position=at, **more)
            client.request(f"textDocument/{rng.choice(WHOLE)}", textDocument={"uri": URI}, options={})
        except Failed as error:
            check(error.code == -32803, method, at, error)
        if n % 20 == 0:
            compared += 1
            client.open(text, OTHER)
            for whole in ["diagnostic", "foldingRange", "semanticTokens/full", "documentSymbol"]:
                found, wanted = (json.dumps(client.of(whole, uri)).replace(uri, "") for uri in (URI, OTHER))
                check(found == wanted, "after", n, "edits", whole, "differs")
            everything = {"start": position(text, 0), "end": position(text, len(text))}
            for m in client.of("codeAction", URI, range=everything, context={"diagnostics": []}):
                check(m["edit"]["changes"][URI], m)
            client.of("inlayHint", URI, range=everything)
    check(compared > N / 25, compared)
    client.end()
    finish()


main()
