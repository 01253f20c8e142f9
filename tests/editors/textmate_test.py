"""run.editors.textmate: the grammar for VS Code colours what sample.classes says; its other files are
JSON, and the pattern of its problem matcher reads messages of the compiler. XCompose has lines of four keys.

    textmate_test.py EDITORS TESTS DIDEROTC FOLDER

The grammar is run by the rules of TextMate: the pattern that matches first wins, of several at one place
the one listed first; lines are scanned one by one. Expressions are translated to those of Python.
"""
import json
import os
import re
import subprocess
import sys

from checks import check, finish

EDITORS, TESTS, DIDEROTC, FOLDER = sys.argv[1:5]
SCOPES = {
    "version": "keyword.control.directive", "comment": "comment", "string": "string.quoted",
    "escape": "constant.character.escape", "structure": "keyword.other", "word": "keyword.other",
    "statement": "keyword.control", "type": "storage.type", "value": "constant.language", "kernel": "support.constant.kernel",
    "builtin": "support.function", "operator": "keyword.operator", "number": "constant.numeric",
    "name": "",
}


def read(path):
    with open(os.path.join(EDITORS, "vscode", path), encoding="utf-8") as file:
        return json.load(file)


def compiled(expression):
    return re.compile(expression.replace("[[:alpha:]]", r"[^\W\d_]"))


class Grammar:
    def __init__(self, grammar):
        self.repository = grammar["repository"]
        self.top = self.rules(grammar["patterns"])

    def rules(self, patterns):
        """Patterns without includes, their expressions compiled."""
        found = []
        for pattern in patterns:
            if "include" in pattern:
                pattern = self.repository[pattern["include"].lstrip("#")]
            if "match" in pattern:
                found.append((compiled(pattern["match"]), pattern, None, None))
            elif "begin" in pattern:
                found.append((compiled(pattern["begin"]), pattern, compiled(pattern["end"]),
                              self.rules(pattern.get("patterns", []))))
            else:
                found += self.rules(pattern["patterns"])
        return found

    def scopes(self, lines):
        """Of each line the innermost scope of each character."""
        stack, result = [], []
        for line in lines:
            row, at = [""] * len(line), 0
            while at <= len(line):
                rules = stack[-1][3] if stack else self.top
                inner = stack[-1][1].get("name", "") if stack else ""
                end = stack[-1][2].search(line, at) if stack else None
                hits = [(hit.start(), k, hit) for k, rule in enumerate(rules)
                        if (hit := rule[0].search(line, at))]
                start, k, hit = min(hits, key=lambda h: h[:2]) if hits else (len(line) + 1, 0, None)
                if end and end.start() <= start:
                    row[at:end.end()] = [inner] * (end.end() - at)
                    at = end.end() if end.end() > at or at < len(line) else at + 1
                    stack.pop()
                    continue
                stop = min(start, len(line))
                row[at:stop] = [inner] * (stop - at)
                if not hit:
                    break
                rule = rules[k]
                row[start:hit.end()] = [rule[1].get("name", inner)] * (hit.end() - start)
                for number, capture in rule[1].get("captures", {}).items():
                    first, last = hit.span(int(number))
                    row[first:last] = [capture["name"]] * (last - first)
                if rule[2]:
                    stack.append(rule)
                at = hit.end() if hit.end() > at or rule[2] else at + 1
            result.append(row)
        return result


def colours():
    with open(os.path.join(TESTS, "sample.diderot"), encoding="utf-8") as file:
        lines = file.read().split("\n")
    scopes = Grammar(read("syntaxes/diderot.tmLanguage.json")).scopes(lines)
    with open(os.path.join(TESTS, "sample.classes"), encoding="utf-8") as file:
        rows = file.read().splitlines()
    check(len(rows) > 50, "rows")
    for row in rows:
        number, text, name = re.fullmatch(r"(\d+) (.*) (\w+)", row).groups()
        line = lines[int(number) - 1]
        word = r"(?<![\w'])" + re.escape(text) + r"(?![\w'])" if re.match(r"\w", text) else re.escape(text)
        hit = re.search(word, line)
        if not check(hit, row, "is not there"):
            continue
        for at in (hit.start(), hit.end() - 1):
            found = scopes[int(number) - 1][at]
            wanted = SCOPES[name]
            if name == "name":
                check(found in ("", "entity.name.type.diderot"), row, found)
            else:
                check(found.startswith(wanted + ".") or found == wanted, row, found)
    # brackets after them are not swallowed
    check(scopes[24][lines[24].index("{")] == "", "a brace")


def manifest():
    package = read("package.json")
    contributes = package["contributes"]
    for kind in ("grammars", "snippets"):
        for entry in contributes[kind]:
            check(os.path.exists(os.path.join(EDITORS, "vscode", entry["path"])), entry)
    (language,) = contributes["languages"]
    configuration = read(language["configuration"])
    for name in ("increaseIndentPattern", "decreaseIndentPattern"):
        compiled(configuration["indentationRules"][name])
    word = compiled(configuration["wordPattern"])
    for text in ("vec3", "F'", "σ2_x", "\\nabla", "real"):
        check(word.fullmatch(text), "no word:", text)
    snippets = read("snippets/diderot.json")
    check(snippets["nabla"]["prefix"] == "\\nabla" and snippets["nabla"]["body"] == "∇", snippets)
    check(len(snippets) > 20 and all(len(entry["body"]) == 1 for entry in snippets.values()), snippets)
    return contributes["problemMatchers"][0]["pattern"]


def matcher(pattern):
    os.makedirs(FOLDER, exist_ok=True)
    name = "a [strange] name.diderot"
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write("#version 2.0\n/* ∇∇ */ input real x = yy;\nstrand s (int i) { output real z = 1.0;\n"
                   "update { stabilize;\n z = 1.0;\nz = 2.0; } }\ncreate_array { s(i) | i in 0..9 }\n")
    said = subprocess.run([DIDEROTC, "--check", "--diagnostics=plain", name], cwd=FOLDER,
                          capture_output=True, encoding="utf-8", check=False).stderr
    found = []
    for line in said.splitlines():
        hit = re.match(pattern["regexp"], line)
        if check(hit, "the problem matcher does not read", line):
            found.append([hit[pattern[key]] for key in ("file", "line", "column", "severity")])
            check(hit[pattern["message"]] in line, line)
    check([name, "2", "25", "Error"] in found, found)
    check([name, "5", "2", "Warning"] in found, "a place on several lines:", found)


def compose():
    """Lines for the Compose key: four keys by their names, a character and its code."""
    with open(os.path.join(EDITORS, "XCompose"), encoding="utf-8") as file:
        rows = [line for line in file.read().splitlines() if not line.startswith("#")]
    check(len(rows) > 20, "rows of XCompose")
    sequences = set()
    for row in rows:
        hit = re.fullmatch(r'<Multi_key> <backslash> <(\w+)> <(\w+)> : "(.)" U([0-9A-F]{4})', row)
        if check(hit, row):
            check(ord(hit[3]) == int(hit[4], 16), row)
            sequences.add((hit[1], hit[2]))
            known = all(len(key) == 1 or key in ("asterisk", "period", "at") for key in hit.groups()[:2])
            check(known, "no name of a key:", row)
    check(len(sequences) == len(rows), "two characters by the same keys")


colours()
matcher(manifest())
compose()
finish()
