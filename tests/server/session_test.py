"""run.server.session: each kind of request in a session. Expected positions are found in the text.

    session_test.py DIDEROTC TREE
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from checks import check, finish

sys.path.insert(0, sys.path[0])
from client import Client, Failed, position  # noqa: E402

DIDEROTC, TREE = sys.argv[1:3]
URI = "file:///a.diderot"
FAILED, INVALID = -32803, -32602

PROGRAM = """#version 2.0
/* Level sets of 𝒱,
 * a test. */
input image(2)[] img ("what is seen");
input real size      ("of a step") = 0.5;
const int N = 7;
field#2(2)[] F = bspln3 ⊛ img;                   // 𝒱 smooth
field#1(2)[] G = F + 1;

function real twice (real x) = 2.0*x;

strand walker (int i) {
   output vec2 pos = [size*i, twice(size)];
   real λ = 0.0;
   update {
      real size = |∇F(pos)|;
      pos += size*[1.0, λ];
      if (inside(pos, F)) {
         λ = max(λ, F(pos) + N);
      }
      foreach (walker w in sphere(1.0)) {
         λ += w.λ;
      }
      stabilize;
   }
}

create_collection { walker(i) | i in 0..N-1 }
"""


def units(text):
    return len(text.encode("utf-16-le")) // 2


def place(text, word, n=0, after=0):
    """Line and character of the n-th `word`, and so many characters on."""
    at = -1
    for _ in range(n + 1):
        at = text.index(word, at + 1)
    found = position(text, at + after)
    return found["line"], found["character"]


def offset(text, p, is_utf8=False):
    line = text.split("\n")[p["line"]]
    unit, at = 0, 0
    while unit < p["character"]:
        unit += len(line[at].encode()) if is_utf8 else units(line[at])
        at += 1
    return sum(len(l) + 1 for l in text.split("\n")[: p["line"]]) + at


def cut(text, span, is_utf8=False):
    return text[offset(text, span["start"], is_utf8) : offset(text, span["end"], is_utf8)]


def edited(text, edits):
    for edit in sorted(edits, key=lambda e: -offset(text, e["range"]["start"])):
        start, end = (offset(text, edit["range"][k]) for k in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def fails(code, ask, *args, **more):
    try:
        result = ask(*args, **more)
    except Failed as error:
        return check(error.code == code, "error", code, "expected, found", error.code, error)
    return check(False, args, "must fail, but gives", result)


def mistakes(text):
    """Those of the compiler's own document."""
    ended = subprocess.run([DIDEROTC, "--check", "--diagnostics=json", "--stdin", "a.diderot"],
                           input=text.encode(), capture_output=True)
    return json.loads(ended.stdout)["diagnostics"]


def check_mistakes(client, text):
    """The server says what the compiler says, at the same places."""
    found = sorted((m["range"]["start"]["line"], m["range"]["start"]["character"],
                    m["range"]["end"]["line"], m["range"]["end"]["character"], m["code"],
                    m["message"].split("\n")[0]) for m in client.shown())
    wanted = sorted((m["start"]["line"] - 1, m["start"]["utf16Column"] - 1, m["end"]["line"] - 1,
                     m["end"]["utf16Column"] - 1, m["code"], m["message"])
                    if "start" in m else (0, 0, 0, 0, m["code"], m["message"]) for m in mistakes(text))
    check(found == wanted, "messages:", found, "expected", wanted)


def change(client, text, version=[10]):
    version[0] += 1
    client.notify("textDocument/didChange", textDocument={"uri": URI, "version": version[0]},
                  contentChanges=[{"text": text}])


# --- one function for each subject


def messages(client):
    check_mistakes(client, PROGRAM)
    for before, after in [("F(pos) + N", "F(pos) + M"), ("max(λ", "max(λ, 1"), ("stabilize;", "stabilize"),
                          ("strand", "strnd"), ("bspln3", "tent"), ("real λ = 0.0", "real λ = 1 + true"),
                          ("#version 2.0\n", ""), ("img;", "img"), ("create_collection", "")]:
        text = PROGRAM.replace(before, after, 1)
        change(client, text)
        check_mistakes(client, text)
        check(client.shown(), "no message for", after)
    change(client, PROGRAM.replace("real λ", "real pos"))
    redefined = [m for m in client.shown() if m["code"] == "E0207"][0]
    related = redefined["relatedInformation"][0]["location"]
    check(cut(PROGRAM, related["range"]) == "pos" and related["uri"] == URI, related)
    change(client, PROGRAM)
    unused = [m for m in client.shown() if m["code"] == "W0502"]
    check([(cut(PROGRAM, m["range"]), m["tags"]) for m in unused] == [("G", [1])], unused)


def hovers(client):
    def text(word, n=0, after=0):
        result = client.at("hover", *place(PROGRAM, word, n, after))
        return result and result["contents"]["value"]

    for word, n, parts in [
        ("F(pos)", 0, ["field#2(2)[] F = bspln3 ⊛ img", "`field#2(2)[]`", "2 continuous derivatives"]),
        ("size*i", 0, ["input real size", "of a step", "default: `0.5`"]),
        ("size*[", 0, ["real size = |∇F(pos)|", "local variable"]),
        ("N-1", 0, ["const int N = 7", "value: `7`"]),
        ("bspln3", 0, ["support 2", "degree 1", "2 continuous"]),
        ("⊛", 0, ["kernel#k, image(d)[s] -> field#k(d)[s]", "all versions"]),
        ("∇F", 0, ["∇ : field#k(d)[] -> field#(k-1)(d)[d]"]),
        ("twice(size)", 0, ["function real twice (real x)"]),
        ("max(", 0, ["max : real, real -> real"]),
        ("walker w", 0, ["strand walker"]),
        ("w.λ", 0, ["walker"]),
        ("0.0", 0, ["`real`", "value `0`"]),
        ("[1.0", 0, ["`vec2`"]),
    ]:
        value = text(word, n)
        check(value and all(part in value for part in parts), word, "hover:", value)
    check(text("smooth") is None and text("version") is None, "hover in a comment")
    result = client.at("hover", *place(PROGRAM, "λ, F", 0))
    check(cut(PROGRAM, result["range"]) == "λ", result)


IMAGES = """#version 2.0
input image(2)[] img = load_image("grey.nrrd");
input image(2)[3] rgb = load_image("%s");
input image(2)[] none = load_image("sub folder/none.nrrd");
input real[] xs = load_sequence("row.nrrd");
field#1(2)[] F = bspln3 ⊛ img;
strand s (int i) { output real x = F([0.0, 0.0]) + rgb[0, 0][0]; update { stabilize; } }
create_array { s(i) | i in 0..1 }
"""


def images(client):
    """What files say: sizes and places under the cursor, those that are missing or do not fit as messages."""
    with tempfile.TemporaryDirectory(prefix="a folder ") as folder:
        uri = "file://" + folder.replace(" ", "%20") + "/p.diderot"
        text = IMAGES.replace("%s", os.path.join(folder, "grey.nrrd")).replace(" + rgb[0, 0][0]", "")

        def write(name, lines, data):
            with open(os.path.join(folder, name), "w") as file:
                file.write("NRRD0004\n%s\nencoding: ascii\n\n%s\n" % (lines, data))

        def shown(changed=text):
            client.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "diderot", "version": 1, "text": changed})
            found = [(m["code"], m["message"].split("\n")[0]) for m in client.shown(uri) if m["code"] not in ("W0502",)]
            return found

        def hover(word, after=1):
            line, character = place(text, word, 0, after)
            result = client.request("textDocument/hover", textDocument={"uri": uri}, position={"line": line, "character": character})
            return result["contents"]["value"]

        write("grey.nrrd", "type: short\ndimension: 2\nsizes: 4 3\nspace dimension: 2\nspace directions: (0.5,0) (0,2)\n"
              "space origin: (10,-1)", "1 2 3 4 " * 3)
        write("row.nrrd", "type: float\ndimension: 1\nsizes: 5", "1 2 3 4 5")
        found = shown()
        missing = [message for code, message in found if "none.nrrd" in message]
        check(len(missing) == 1 and "sub folder" in missing[0], "a missing file", found)
        check(any("grey.nrrd" in message and "image(2)[3]" in message for _, message in found), "one that does not fit", found)
        check(len(found) == 2, "and no other", found)
        said = "4 × 3 samples of short, the first at (10, -1), axes along (0.5, 0), (0, 2)"
        for word in ('"grey.nrrd"', 'load_image("grey', "img =", "bspln3 ⊛ img"):
            value = hover(word, 9 if word.startswith("bspln3") else 1)
            check(said in value, word, value)
        check("5 samples of float, at their indices" in hover('"row.nrrd"'), hover('"row.nrrd"'))
        check("no file" in hover('"sub folder'), hover('"sub folder'))
        os.mkdir(os.path.join(folder, "sub folder"))
        write("sub folder/none.nrrd", "type: uchar\ndimension: 2\nsizes: 2 2", "1 2 3 4")
        write("grey.nrrd", "type: float\ndimension: 3\nsizes: 3 7 9\nkinds: 3-vector space space", "0 " * 189)
        found = shown(text + "\n")
        check(len(found) == 1 and "grey.nrrd" in found[0][1] and "image(2)[]" in found[0][1], "files that have changed", found)
        write("grey.nrrd", "type: float\ndimension: 2\nsizes: 7 9", "0 " * 63)
        check(len(shown()) == 1 and "7 × 9 samples of float" in hover('"grey.nrrd"'), "read again", hover('"grey.nrrd"'))
        with open(os.path.join(folder, "grey.nrrd"), "w") as file:
            file.write("NRRD0004\ntype: what\n")
        check([m for _, m in shown(text) if "grey.nrrd" in m], "one that cannot be read")
        client.notify("textDocument/didClose", textDocument={"uri": uri})


def names(client):
    for word, n, declared in [("F(pos)", 1, place(PROGRAM, "F = ")), ("size*[", 0, place(PROGRAM, "size = |")),
                              ("size*i", 0, place(PROGRAM, "size  ")), ("w.λ", 0, place(PROGRAM, "w in")),
                              ("walker(i)", 0, place(PROGRAM, "walker (")), ("x;", 0, place(PROGRAM, "x) ="))]:
        found = client.at("definition", *place(PROGRAM, word, n))["range"]["start"]
        check((found["line"], found["character"]) == declared, word, "is declared at", found)
    check(client.at("definition", *place(PROGRAM, "bspln3")) is None, "kernels are declared nowhere")
    lambdas = client.at("references", *place(PROGRAM, "λ = 0"), context={"includeDeclaration": True})
    check(len(lambdas) == len(re.findall("λ", PROGRAM)), "references of λ:", len(lambdas))
    check(all(cut(PROGRAM, r["range"]) == "λ" for r in lambdas), lambdas)
    uses = client.at("references", *place(PROGRAM, "λ = 0"), context={"includeDeclaration": False})
    check(len(uses) == len(lambdas) - 1, "without the declaration:", len(uses))
    sizes = client.at("documentHighlight", *place(PROGRAM, "size = |"))
    check(sorted(h["range"]["start"]["line"] for h in sizes) == [15, 16], "highlights:", sizes)
    check(sorted(h["kind"] for h in sizes) == [2, 3], "highlights:", sizes)


def renames(client):
    prepared = client.at("prepareRename", *place(PROGRAM, "λ, F"))
    check(prepared["placeholder"] == "λ", prepared)
    for word, name, wanted in [("λ = 0", "level", PROGRAM.replace("λ", "level")),
                               ("walker (", "one", PROGRAM.replace("walker", "one")),
                               ("size*i", "unit", re.sub(r"size(?= +\(|\*i|\)\])", "unit", PROGRAM))]:
        edits = client.at("rename", *place(PROGRAM, word), newName=name)["changes"][URI]
        check(edited(PROGRAM, edits) == wanted, "renamed", word, edited(PROGRAM, edits))
    # Taken, hiding another, hidden by another, no name, a keyword; nothing that has a name.
    for word, name in [("λ = 0", "pos"), ("size = |", "λ"), ("size*i", "F"), ("G = F", "N")]:
        fails(FAILED, client.at, "rename", *place(PROGRAM, word), newName=name)
    for name in ["", "1a", "a b", "strand", "a;", "⊛", "a\0", 7, None]:
        fails(INVALID, client.at, "rename", *place(PROGRAM, "λ = 0"), newName=name)
    for word in ["bspln3", "max", "update", "0.0"]:
        fails(FAILED, client.at, "rename", *place(PROGRAM, word), newName="other")
        fails(FAILED, client.at, "prepareRename", *place(PROGRAM, word))


def outline(client):
    symbols = client.of("documentSymbol")
    check([s["name"] for s in symbols] == ["img", "size", "N", "F", "G", "twice", "walker"], symbols)
    check([s["name"] for s in symbols[-1]["children"]] == ["pos", "λ", "update"], symbols[-1])
    for symbol in symbols:
        check(cut(PROGRAM, symbol["selectionRange"]) == symbol["name"], symbol)
        check(symbol["name"] in cut(PROGRAM, symbol["range"]), symbol)
    folds = sorted((f["startLine"], f["endLine"]) for f in client.of("foldingRange"))
    lines = PROGRAM.split("\n")
    ends = {"strand": "}", "   update": "   }", "      if": "      }", "      foreach": "      }"}
    wanted = [(1, 2)] + [(i, next(k for k in range(i + 1, len(lines)) if lines[k] == ends[start]) - 1)
                         for start in ends for i, line in enumerate(lines) if line.startswith(start)]
    check(folds == sorted(w for w in wanted if w[1] > w[0]), "folds", folds, wanted)


def colours(client, legend):
    data = client.of("semanticTokens/full")["data"]
    line, unit, found = 0, 0, []
    for i in range(0, len(data), 5):
        line, unit = line + data[i], data[i + 1] + (unit if data[i] == 0 else 0)
        start = {"line": line, "character": unit}
        end = {"line": line, "character": unit + data[i + 2]}
        found.append((cut(PROGRAM, {"start": start, "end": end}), legend["tokenTypes"][data[i + 3]]))
    for word, kind in [("#version 2.0", "keyword"), ("real", "type"), ("size", "parameter"), ("F", "function"),
                       ("λ", "property"), ("bspln3", "macro"), ("⊛", "operator"), ("0.5", "number"),
                       ('"of a step"', "string"), ("// 𝒱 smooth", "comment"), ("/* Level sets of 𝒱,", "comment"),
                       (" * a test. */", "comment"), ("walker", "class"), ("max", "function"), ("N", "variable"),
                       ("i", "parameter"), ("i", "variable"), ("w", "variable"), ("stabilize", "keyword")]:
        check((word, kind) in found, word, "is no", kind, [k for w, k in found if w == word])
    painted = "".join(w for w, _ in found)
    brackets = str.maketrans("", "", " \n()[]{},;.#")
    check(painted.translate(brackets) == PROGRAM.translate(brackets), "not all is painted")


def signatures(client):
    def help_at(text, word, after):
        change(client, text)
        return client.at("signatureHelp", *place(text, word, 0, after))

    both = help_at(PROGRAM, "max(λ, F", len("max(λ, "))
    check(both["activeParameter"] == 1 and "max(real, real) -> real" in [s["label"] for s in both["signatures"]], both)
    for word, after, label, active in [("twice(size", len("twice("), "twice(real x)", 0),
                                       ("walker(i)", len("walker("), "walker(int i)", 0),
                                       ("F(pos) + N", 2, "F(vec2)", 0)]:
        found = help_at(PROGRAM, word, after)
        check([s["label"] for s in found["signatures"]] == [label] and found["activeParameter"] == active, found)
    # While it is written.
    half = PROGRAM.replace("λ = max(λ, F(pos) + N);", "λ = clamp(0.0, ")
    found = help_at(half, "clamp(0.0, ", len("clamp(0.0, "))
    check(found and found["activeParameter"] == 1, "signature of half a call:", found)
    # The version is the one that the arguments so far fit.
    for written, label in [("max(i, ", "max(int, int) -> int"), ("max(λ, ", "max(real, real) -> real"),
                           ("clamp(", "clamp(real, real, tensor[s,e]) -> tensor[s,e]"),
                           ("clamp(pos, ", "clamp(tensor[s], tensor[s], tensor[s]) -> tensor[s]"),
                           ("lerp(F, F, ", "lerp(field#k(d)[s], field#j(d)[s], real) -> field#min(k,j)(d)[s]"),
                           ("lerp(0.0, 1, F, ", "lerp(tensor[s], tensor[s], real, real, real) -> tensor[s]")]:
        for whole in ["λ = " + written, "λ = max(λ, " + written + "F(pos) + N));"]:
            found = help_at(PROGRAM.replace("λ = max(λ, F(pos) + N);", whole), written, len(written))
            active = found["signatures"][found["activeSignature"]]["label"]
            check(active == label and found["activeParameter"] == written.count(","), whole, "is", active)
    typed = "λ = |clamp(2.0*pos - [1, 1], pos, pos)|;"
    found = help_at(PROGRAM.replace("λ = max(λ, F(pos) + N);", typed), "pos, pos)|", 0)
    check(found["signatures"][found["activeSignature"]]["label"].startswith("clamp(tensor[s], tensor[s]"), found)
    check(help_at(PROGRAM, "real λ", 0) is None, "a signature where nothing is called")
    change(client, PROGRAM)


def completions(client):
    def labels(text, word, after, n=0):
        change(client, text)
        return {i["label"]: i for i in client.at("completion", *place(text, word, n, after))}

    found = labels(PROGRAM, "λ = max", 0)
    check({"λ", "pos", "size", "F", "N", "twice", "walker", "i", "sqrt", "bspln3", "real", "if"} <= set(found),
          "completion lacks", {"λ", "pos", "size", "F", "N", "twice"} - set(found))
    check("w" not in found and "x" not in found, "names of other scopes")
    check(found["λ"]["detail"] == "real" and found["twice"]["detail"] == "real (real x)", found["λ"])
    check("size" in labels(PROGRAM, "|∇F", 0) and "λ" not in labels(PROGRAM, "0.5;", 0), "order of declarations")
    for n, first, second in [(0, "pos", "F"), (1, "F", "pos")]:  # what the argument may be comes first
        found = labels(PROGRAM, ["pos, F", "F))"][n], 0)
        check(found[first]["sortText"][0] < found[second]["sortText"][0], "arguments of inside:", found[first], found[second])
    found = labels(PROGRAM.replace("twice(size)", "twice("), "twice(]", 6)
    check(found["size"]["sortText"] < found["img"]["sortText"] and found["N"]["sortText"] < found["F"]["sortText"], "of twice", [found[k] for k in ("size", "img", "N", "F")])
    half = PROGRAM.replace("λ += w.λ;", "λ += w.")
    check(set(labels(half, "w.", 2)) == {"pos", "λ"}, "state behind a point", set(labels(half, "w.", 2)))
    half = PROGRAM.replace("stabilize;", "real n = sum { 1 | s in walker.")
    check(set(labels(half, "walker.", 7)) == {"all", "active", "stable"}, "sets behind a point")
    half = PROGRAM.replace("⊛ img", "⊛ ")
    found = labels(half, "⊛ ", 2)
    ranks = sorted(found.values(), key=lambda i: i["sortText"])
    check(ranks[0]["label"] == "img" and found["tent"]["sortText"] < found["size"]["sortText"], ranks[:3])
    half = PROGRAM.replace("∇F", "\\nab")
    found = labels(half, "\\nab", 4)
    item = [i for i in found.values() if i.get("filterText") == "\\nabla"][0]
    check(edited(half, [item["textEdit"]]) == PROGRAM.replace("∇F", "∇"), item)
    check(not labels(PROGRAM, "smooth", 3) and not labels(PROGRAM, "of a step", 3), "in a comment, in a string")
    # From nothing on.
    for text in ["", "#version 2.0\n", "#version 2.0\ninput real girth = 1.0;\nstrand s (int i) {\n   output real y = "]:
        change(client, text)
        lines = text.split("\n")
        end = client.at("completion", len(lines) - 1, len(lines[-1]))
        check(("girth" in [i["label"] for i in end]) == ("girth" in text), "at the end of", repr(text))
    change(client, PROGRAM)


def hints(client):
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": PROGRAM.count("\n"), "character": 0}}
    found = [(h["position"]["line"], h["position"]["character"], h["label"])
             for h in client.of("inlayHint", range=everything)]
    check(sorted(found) == sorted([place(PROGRAM, "size*i", 0, len("size*i")) + ("→ real",),
                                   place(PROGRAM, "+ N", 0, len("+ N")) + ("→ real",),
                                   place(PROGRAM, "F + 1", 0, len("F + 1")) + ("#2",)]), "hints:", found)
    fails(INVALID, client.of, "inlayHint", range={"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}})


def fixes(client):
    """What is offered for a mistake mends it."""
    for before, broken, title, wanted in [
        ("size*i", "sizee*i", "Write 'size'", None),
        ("twice(size)", "twic(size)", "Write 'twice'", None),
        ("w.λ", "w.λ1", "Write 'λ'", None),
        ("bspln3 ⊛", "ctmr ⊛", "Write 'bspln3'", None),
        ("bspln3 ⊛", "bspline3 ⊛", "Write 'bspln3'", None),
        ("bspln3 ⊛ img", "img * bspln3", "Write '⊛'", "img ⊛ bspln3"),
        ("stabilize;", "stabilize", "Add ';'", None),
        ("0.5;", ".5;", "Add the digit 0", None),
        ("input real size", "input float size", "Write 'real'", None),
        ("[1.0, λ]", "(1/N)*[1.0, λ]", "Write '1.0'", "(1.0/N)*[1.0, λ]"),
        ("[1.0, λ]", "(i/N)*[1.0, λ]", "Write 'real(i)'", "(real(i)/N)*[1.0, λ]"),
        ("field#1(2)[] G = F + 1", "field#1(2)[2,2] G = ∇∇F", "Write '∇⊗'", "field#1(2)[2,2] G = ∇⊗∇F"),
        ("inside(pos, F)", "λ = 0.0", "Write '=='", "λ == 0.0"),
        ("#version 2.0\n", "", "Begin with #version 2.0", None),
    ]:
        text = PROGRAM.replace(before, broken, 1)
        mended = PROGRAM.replace(before, wanted, 1) if wanted else PROGRAM
        change(client, text)
        shown = [m for m in client.shown() if m["code"] != "W0505"]
        actions = [a for m in shown for a in client.of("codeAction", range=m["range"], context={"diagnostics": [m]})]
        results = {a["title"]: edited(text, a["edit"]["changes"][URI]) for a in actions if a["kind"] == "quickfix"}
        check(results.get(title) == mended, "mending", broken, [*results])
    change(client, PROGRAM)
    line, unit = place(PROGRAM, "⊛")
    here = {"start": {"line": line, "character": unit}, "end": {"line": line, "character": unit}}
    actions = client.of("codeAction", range=here, context={"diagnostics": [], "only": ["refactor"]})
    results = [edited(PROGRAM, a["edit"]["changes"][URI]) for a in actions]
    check(results == [PROGRAM.replace("⊛ img", f"⊛ {b}(img)") for b in ("clamp", "mirror", "wrap")], actions)
    check(client.of("codeAction", range=here, context={"diagnostics": [], "only": ["source"]}) == [], "of another kind")


def formatting(client):
    loose = PROGRAM.replace("size*i, ", "size * i,").replace("      λ += w.λ;", "λ+=w.λ ;")
    for text in (loose, PROGRAM, PROGRAM.replace("\n", "\r\n"), PROGRAM.replace("\n\n", "\n\n\n")):
        change(client, text)
        edits = client.of("formatting", options={"tabSize": 3, "insertSpaces": True})
        wanted = subprocess.run([DIDEROTC, "format", "-"], input=text.encode(), capture_output=True, check=True).stdout
        check(edited(text, edits) == wanted.decode(), "formatted:", edits)
        check((text == PROGRAM) == (edits == []), "edits", edits)
    change(client, PROGRAM.replace("stabilize;", "stabilize"))
    fails(FAILED, client.of, "formatting", options={})
    change(client, PROGRAM)


def positions(client):
    last = PROGRAM.count("\n")
    check(client.at("hover", last, 0) is None, "at the end")
    check(client.at("hover", last + 1, 0) is None, "behind the last line")
    for line, unit in [(last + 2, 0), (last + 1, 1), (-1, 0), (0, -1), (1 << 40, 0), (0.5, 0), ("0", 0), (None, 0)]:
        fails(INVALID, client.at, "hover", line, unit)
    check(client.at("definition", 7, 1 << 40) is None, "behind the end of a line")
    fails(INVALID, client.request, "textDocument/hover", textDocument={"uri": URI})
    fails(INVALID, client.request, "textDocument/hover", textDocument={"uri": "file:///b.diderot"},
          position={"line": 0, "character": 0})
    fails(INVALID, client.request, "textDocument/hover")


def in_utf8():
    client = Client(DIDEROTC)
    check(client.initialize("utf-8", "utf-16")["capabilities"]["positionEncoding"] == "utf-8", "encoding")
    client.open(PROGRAM)
    line, _ = place(PROGRAM, "λ, F")
    unit = len(PROGRAM.split("\n")[line].split("λ, F")[0].encode())
    found = client.at("references", line, unit, context={"includeDeclaration": True})
    check(len(found) == PROGRAM.count("λ") and all(cut(PROGRAM, r["range"], True) == "λ" for r in found), found)
    client.end()


def several_documents(client):
    other = "file:///%C3%A9.diderot"
    client.open(PROGRAM.replace("N = 7", "N = x"), other)
    check([m["code"] for m in client.shown(other) if m["severity"] == 1] == ["E0201"], client.shown(other))
    check(not [m for m in client.shown() if m["severity"] == 1], "messages of another document")
    client.notify("textDocument/didClose", textDocument={"uri": other})
    fails(INVALID, client.of, "documentSymbol", other)
    check(client.diagnostics[other] == [], "messages of a closed document")


def main():
    client = Client(DIDEROTC)
    fails(-32002, client.of, "documentSymbol")
    result = client.initialize("utf-16", "utf-8")["capabilities"]
    check(result["positionEncoding"] == "utf-16", "encoding")
    client.open(PROGRAM)
    for part in (messages, hovers, images, names, renames, outline, signatures, completions, hints, fixes, formatting,
                 positions, several_documents):
        part(client)
    colours(client, result["semanticTokensProvider"]["legend"])
    check(client.diagnostics[URI] == client.shown(), "what was published last")
    check(client.notices == [], "other notices:", client.notices)
    fails(-32600, client.initialize)
    client.end()
    in_utf8()
    finish()


main()
