"""run.editors.configs: what editors/ has for Helix and Kate is what these read, and the server that it names
answers as they begin: with the capabilities and messages of Kate's client, and of Helix.

    configs_test.py EDITORS TESTS DIDEROTC FOLDER
"""
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from checks import check, finish

EDITORS, TESTS, DIDEROTC, FOLDER = sys.argv[1:5]
sys.path.insert(0, os.path.join(TESTS, "..", "server"))
from client import Client  # noqa: E402

SAMPLE = open(f"{TESTS}/sample.diderot", encoding="utf-8").read()


class Named(Client):
    """The command of a configuration, with the compiler of this build under its name."""

    def __init__(self, command):
        check(command == ["diderotc", "lsp"], command)
        super().__init__(DIDEROTC)


def toml():
    text = open(f"{EDITORS}/helix/languages.toml", encoding="utf-8").read()
    try:
        import tomllib
    except ImportError:  # before Python 3.11
        return None
    return tomllib.loads(text)


def helix():
    config = toml()
    if not config:
        return
    language = config["language"][0]
    check(language["name"] == "diderot" and "diderot" in language["file-types"], language)
    server = config["language-server"][language["language-servers"][0]]
    client = Named([server["command"], *server["args"]])
    result = client.request("initialize", processId=1, rootUri="file:///", rootPath="/", workspaceFolders=[],
                            clientInfo={"name": "helix"}, capabilities={"general": {"positionEncodings": ["utf-8", "utf-32", "utf-16"]}})
    check(result["capabilities"]["positionEncoding"] == "utf-8", "encoding of Helix", result)
    client.notify("initialized")
    client.open(SAMPLE)
    check(client.of("documentSymbol"), "symbols for Helix")
    client.end()
    formatter = language["formatter"]
    check(formatter["command"] == "diderotc", formatter)
    ended = subprocess.run([DIDEROTC, *formatter["args"]], input=SAMPLE.encode(), capture_output=True)
    check(ended.returncode == 0 and ended.stdout, "formatter of Helix", ended.stderr)


def kate():
    server = json.load(open(f"{EDITORS}/kate/settings.json", encoding="utf-8"))["servers"]["diderot"]
    syntax = ElementTree.parse(f"{EDITORS}/kate/diderot.xml").getroot()
    check(re.search(server["highlightingModeRegex"], syntax.get("name")), server, "has no mode", syntax.get("name"))
    contexts = {c.get("name") for c in syntax.iter("context")}
    styles = {i.get("name") for i in syntax.iter("itemData")}
    lists = {l.get("name") for l in syntax.iter("list")}
    for rule in (r for c in syntax.iter("context") for r in c):
        check(rule.get("context", "#stay").startswith("#") or rule.get("context") in contexts, rule.attrib)
        check(rule.get("attribute", "Normal") in styles, rule.attrib)
        check(rule.tag != "keyword" or rule.get("String") in lists, rule.attrib)
    client = Named(server["command"])
    capabilities = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                                     "publishDiagnostics": {"relatedInformation": True},
                                     "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
                                     "semanticTokens": {"requests": {"range": True, "full": {"delta": True}}}}}
    client.request("initialize", processId=1, rootPath="", rootUri=None, capabilities=capabilities, initializationOptions=None)
    client.notify("initialized")
    client.notify("workspace/didChangeConfiguration", settings={})
    client.notify("textDocument/didOpen",
                  textDocument={"uri": "file:///a.diderot", "languageId": "diderot", "version": 0, "text": SAMPLE})
    client.notify("textDocument/didChange", textDocument={"uri": "file:///a.diderot", "version": 1}, contentChanges=[{"text": SAMPLE}])
    client.notify("textDocument/didSave", textDocument={"uri": "file:///a.diderot"}, text=SAMPLE)
    check(client.of("documentSymbol"), "symbols for Kate")
    legend = client.of("semanticTokens/full")["data"]
    check(len(legend) > 100, "colours for Kate")
    client.notify("textDocument/didClose", textDocument={"uri": "file:///a.diderot"})
    client.end()


def kate_highlighter():
    """KDE's own checker of such files, where it is."""
    tool = "/usr/bin/ksyntaxhighlighter6" if os.path.exists("/usr/bin/ksyntaxhighlighter6") else "/usr/bin/kate-syntax-highlighter"
    if not os.path.exists(tool):
        return
    home = os.path.join(FOLDER, "home")
    folder = os.path.join(home, ".local/share/org.kde.syntax-highlighting/syntax")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "diderot.xml"), "w", encoding="utf-8") as out:
        out.write(open(f"{EDITORS}/kate/diderot.xml", encoding="utf-8").read())
    ended = subprocess.run([tool, "--syntax", "Diderot", "--output-format", "ansi", f"{TESTS}/sample.diderot"],
                           env={**os.environ, "HOME": home, "XDG_DATA_HOME": home + "/.local/share"}, capture_output=True)
    check(ended.returncode == 0 and b"\x1b[" in ended.stdout, "KDE's highlighter", ended.stderr)


os.makedirs(FOLDER, exist_ok=True)
helix()
kate()
kate_highlighter()
finish()
