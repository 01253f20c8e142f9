// run.editors.vscode: the extension with a stand-in for the editor's module, and the server itself.
//   node vscode_test.js EDITORS DIDEROTC
//
// Classes of the editor are stood in by objects that keep what they are made of.
"use strict";

const Module = require("module");
const path = require("path");

const [editors, diderotc] = process.argv.slice(2);
let failures = 0;

function check(held, ...what) {
  if (held) return;
  failures++;
  console.log("does not hold:", ...what.map((w) => (typeof w === "string" ? w : JSON.stringify(w))));
}

// --- the stand-in

const providers = {};
const listeners = {};
const shown = new Map();
const told = [];
const keeps = (...names) => class {
  constructor(...values) {
    names.forEach((name, i) => (this[name] = values[i]));
  }
};

class Position extends keeps("line", "character") {}
class Range extends keeps("start", "end") {}
class WorkspaceEdit {
  constructor() {
    this.edits = [];
  }
  set(uri, edits) {
    this.edits.push(...edits);
  }
}

const vscode = {
  Position, Range, WorkspaceEdit,
  Location: keeps("uri", "range"), TextEdit: keeps("range", "newText"), Hover: keeps("contents", "range"),
  Diagnostic: keeps("range", "message", "severity"), DiagnosticRelatedInformation: keeps("location", "message"),
  MarkdownString: keeps("value"), DocumentSymbol: keeps("name", "detail", "kind", "range", "selectionRange"),
  CompletionItem: keeps("label", "kind"), SignatureHelp: keeps(), SignatureInformation: keeps("label", "documentation"),
  ParameterInformation: keeps("label"), CodeAction: keeps("title", "kind"), InlayHint: keeps("position", "label", "kind"),
  FoldingRange: keeps("start", "end", "kind"), DocumentHighlight: keeps("range", "kind"),
  SemanticTokens: keeps("data"), SemanticTokensLegend: keeps("tokenTypes", "tokenModifiers"),
  CodeActionKind: { QuickFix: "quickfix", RefactorRewrite: "refactor.rewrite" }, FoldingRangeKind: { Comment: "comment" },
  Uri: { parse: (text) => ({ toString: () => text }) },
  languages: new Proxy({}, {
    get: (_, name) => name === "createDiagnosticCollection"
      ? () => ({ set: (uri, list) => shown.set(uri.toString(), list) })
      : (language, provider) => {
        check(language === "diderot", name, language);
        Object.assign(providers, provider);
        return {};
      },
  }),
  window: { showErrorMessage: (m) => told.push(m), showWarningMessage: (m) => told.push(m) },
  workspace: {
    textDocuments: [], getConfiguration: () => ({ get: () => diderotc }),
    onDidOpenTextDocument: (f) => (listeners.open = f), onDidCloseTextDocument: (f) => (listeners.close = f),
    onDidChangeTextDocument: (f) => (listeners.change = f),
  },
};

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require(path.join(editors, "vscode", require(path.join(editors, "vscode", "package.json")).main));

// --- a session

const program = `#version 2.0
input real size ("of a step") = 0.5;
strand s (int i) {
   output real λ = size*i;
   update {
      λ = max(λ, sizee);
      stabilize;
   }
}
create_array { s(i) | i in 0..3 }
`;

class Document {
  constructor(text) {
    this.text = text;
    this.version = 1;
    this.languageId = "diderot";
    this.uri = vscode.Uri.parse("file:///a.diderot");
  }
  getText() {
    return this.text;
  }
  place(word, after = 0) {
    const before = this.text.slice(0, this.text.indexOf(word) + after).split("\n");
    return new Position(before.length - 1, before[before.length - 1].length);
  }
  offset(p) {
    return this.text.split("\n").slice(0, p.line).reduce((n, line) => n + line.length + 1, 0) + p.character;
  }
  cut(range) {
    return this.text.slice(this.offset(range.start), this.offset(range.end));
  }
  with(edits) {
    let text = this.text;
    for (const e of [...edits].sort((a, b) => this.offset(b.range.start) - this.offset(a.range.start)))
      text = text.slice(0, this.offset(e.range.start)) + e.newText + text.slice(this.offset(e.range.end));
    return text;
  }
}

const token = { onCancellationRequested: () => {} };
const options = { tabSize: 3, insertSpaces: true };
const whole = (d) => new Range(new Position(0, 0), d.place("create_array"));

// A change as the editor tells of it.
function replace(document, word, text) {
  const start = document.place(word), end = document.place(word, word.length);
  document.text = document.text.replace(word, text);
  document.version++;
  listeners.change({ document, contentChanges: [{ range: new Range(start, end), text }] });
}

async function session() {
  const context = { subscriptions: [] };
  await extension.activate(context);
  const d = new Document(program);
  listeners.open(d);
  let actions = await providers.provideCodeActions(d, whole(d), {}, token);
  const [mistake] = shown.get("file:///a.diderot").filter((m) => m.severity === 0);
  check(mistake && d.cut(mistake.range) === "sizee" && mistake.code === "E0201", "mistake", mistake);
  const mending = actions.find((a) => a.title === "Write 'size'");
  check(mending && d.with(mending.edit.edits) === program.replace("sizee", "size"), "mended", actions);
  replace(d, "sizee", "size");

  const hover = await providers.provideHover(d, d.place("size*i"), token);
  check(hover.contents.value.includes("of a step") && d.cut(hover.range) === "size", "hover", hover);
  check((await providers.provideHover(d, d.place("2.0"), token)) === undefined, "hover of nothing");
  const declared = await providers.provideDefinition(d, d.place("λ, size"), token);
  check(d.offset(declared.range.start) === d.text.indexOf("λ"), "definition", declared);
  const uses = await providers.provideReferences(d, d.place("λ"), { includeDeclaration: true }, token);
  check(uses.length === 3 && uses.every((u) => d.cut(u.range) === "λ"), "references", uses);
  check((await providers.provideDocumentHighlights(d, d.place("λ"), token)).length === 3, "highlights");
  const renamed = await providers.provideRenameEdits(d, d.place("λ"), "level", token);
  check(d.with(renamed.edits) === d.text.replace(/λ/g, "level"), "renamed", renamed);
  check((await providers.prepareRename(d, d.place("λ"), token)).placeholder === "λ", "prepared");
  await providers.provideRenameEdits(d, d.place("λ"), "size", token).then(
    () => check(false, "renamed to a name that is taken"), (error) => check(/something else/.test(error.message), error.message));
  const symbols = await providers.provideDocumentSymbols(d, token);
  check(symbols.map((s) => s.name).join() === "size,s" && symbols[1].children[0].name === "λ", "symbols", symbols);
  check((await providers.provideFoldingRanges(d, {}, token)).length === 2, "folds");
  const painted = await providers.provideDocumentSemanticTokens(d, token);
  check(painted.data instanceof Uint32Array && painted.data.length % 5 === 0 && painted.data.length > 100, "colours");
  const help = await providers.provideSignatureHelp(d, d.place("max(λ, ", 7), token);
  check(help.activeParameter === 1 && help.signatures.some((s) => s.label.startsWith("max(real, real)")), "signature", help);
  const items = await providers.provideCompletionItems(d, d.place("λ, size", 3), token);
  check(items.some((i) => i.label === "size" && i.detail === "real"), "completion");
  const hints = await providers.provideInlayHints(d, whole(d), token);
  check(hints.length === 1 && hints[0].label === "→ real", "hints", hints);
  replace(d, "max(λ", "max( λ");
  const formatted = await providers.provideDocumentFormattingEdits(d, options, token);
  check(d.with(formatted) === program.replace("sizee", "size"), "formatted", formatted);
  replace(d, "stabilize;", "stabilize");
  check((await providers.provideDocumentFormattingEdits(d, options, token)) === undefined, "formatting of a broken program");

  listeners.close(d);
  listeners.change({ document: d, contentChanges: [{ range: whole(d), text: "" }] }); // of no use any more
  await extension.deactivate();
  check(told.length === 0, "told", told);
}

// Where there is no server the user is told once, and how to name another.
async function missing() {
  vscode.workspace.getConfiguration = () => ({ get: () => path.join(editors, "there-is-none") });
  await extension.activate({ subscriptions: [] });
  check(told.length === 1 && told[0].includes("diderot.compiler"), "told of a missing server", told);
}

session().then(missing).catch((error) => check(false, error.stack)).then(() => {
  console.log(`${failures} failures`);
  process.exit(failures > 0 ? 1 : 0);
});
