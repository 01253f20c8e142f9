// The extension: documents go to the server, and what the editor asks for comes from it. Each provider below
// is one request of the protocol and the way back from its answer to what the editor has for it.
"use strict";

const vscode = require("vscode");
const { Client } = require("./client");

const LANGUAGE = "diderot";
let client = null;

// --- from the protocol to the editor

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const edit = (e) => new vscode.TextEdit(range(e.range), e.newText);

function workspaceEdit(changes) {
  const result = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(changes)) result.set(vscode.Uri.parse(uri), edits.map(edit));
  return result;
}

function diagnostic(d) {
  const result = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
  result.code = d.code;
  result.source = d.source;
  result.tags = d.tags;
  result.relatedInformation = (d.relatedInformation || []).map(
    (r) => new vscode.DiagnosticRelatedInformation(location(r.location), r.message));
  return result;
}

function symbol(s) {
  const result = new vscode.DocumentSymbol(s.name, "", s.kind - 1, range(s.range), range(s.selectionRange));
  result.children = (s.children || []).map(symbol);
  return result;
}

function completion(i) {
  const result = new vscode.CompletionItem(i.label, i.kind - 1);
  for (const key of ["detail", "documentation", "sortText", "filterText"]) result[key] = i[key];
  if (i.textEdit) {
    result.range = range(i.textEdit.range);
    result.insertText = i.textEdit.newText;
  }
  return result;
}

function signatures(help) {
  const result = new vscode.SignatureHelp();
  result.signatures = help.signatures.map((s) => {
    const one = new vscode.SignatureInformation(s.label, s.documentation);
    one.parameters = s.parameters.map((p) => new vscode.ParameterInformation(p.label));
    return one;
  });
  result.activeSignature = help.activeSignature;
  result.activeParameter = help.activeParameter;
  return result;
}

function action(a) {
  const kind = a.kind === "quickfix" ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.RefactorRewrite;
  const result = new vscode.CodeAction(a.title, kind);
  result.edit = workspaceEdit(a.edit.changes);
  result.diagnostics = (a.diagnostics || []).map(diagnostic);
  return result;
}

function hint(h) {
  const result = new vscode.InlayHint(position(h.position), h.label, h.kind);
  result.tooltip = h.tooltip;
  result.paddingLeft = h.paddingLeft;
  return result;
}

function fold(f) {
  return new vscode.FoldingRange(f.startLine, f.endLine, f.kind === "comment" ? vscode.FoldingRangeKind.Comment : undefined);
}

function hover(h) {
  return new vscode.Hover(new vscode.MarkdownString(h.contents.value), range(h.range));
}

// --- questions

const plain = (p) => ({ line: p.line, character: p.character });
const plainRange = (r) => ({ start: plain(r.start), end: plain(r.end) });

// What the server has no answer to is nothing to the editor, too; why it refuses is shown.
async function ask(method, document, more, token) {
  const params = { textDocument: { uri: document.uri.toString() }, ...more };
  return client.request(`textDocument/${method}`, params, token);
}

async function quietly(method, document, more, token, make) {
  try {
    const result = await ask(method, document, more, token);
    return result === null ? undefined : make(result);
  } catch (error) {
    return undefined;
  }
}

const at = (method, make) => (document, p, token) => quietly(method, document, { position: plain(p) }, token, make);
const all = (make) => (list) => list.map(make);

function register(context, capabilities) {
  const legend = capabilities.semanticTokensProvider.legend;
  const tokens = new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers);
  const l = vscode.languages;
  const add = (...disposables) => context.subscriptions.push(...disposables);
  add(l.registerHoverProvider(LANGUAGE, { provideHover: at("hover", hover) }));
  add(l.registerDefinitionProvider(LANGUAGE, { provideDefinition: at("definition", location) }));
  add(l.registerDocumentHighlightProvider(LANGUAGE, {
    provideDocumentHighlights: at("documentHighlight", all((h) => new vscode.DocumentHighlight(range(h.range), h.kind - 1))),
  }));
  add(l.registerReferenceProvider(LANGUAGE, {
    provideReferences: (document, p, context, token) =>
      quietly("references", document, { position: plain(p), context }, token, all(location)),
  }));
  add(l.registerRenameProvider(LANGUAGE, {
    prepareRename: async (document, p, token) => {
      const found = await ask("prepareRename", document, { position: plain(p) }, token);
      return { range: range(found.range), placeholder: found.placeholder };
    },
    provideRenameEdits: async (document, p, newName, token) =>
      workspaceEdit((await ask("rename", document, { position: plain(p), newName }, token)).changes),
  }));
  add(l.registerDocumentSymbolProvider(LANGUAGE, {
    provideDocumentSymbols: (document, token) => quietly("documentSymbol", document, {}, token, all(symbol)),
  }));
  add(l.registerFoldingRangeProvider(LANGUAGE, {
    provideFoldingRanges: (document, _, token) => quietly("foldingRange", document, {}, token, all(fold)),
  }));
  add(l.registerDocumentSemanticTokensProvider(LANGUAGE, {
    provideDocumentSemanticTokens: (document, token) =>
      quietly("semanticTokens/full", document, {}, token, (r) => new vscode.SemanticTokens(new Uint32Array(r.data))),
  }, tokens));
  add(l.registerSignatureHelpProvider(LANGUAGE, { provideSignatureHelp: at("signatureHelp", signatures) },
    ...capabilities.signatureHelpProvider.triggerCharacters));
  add(l.registerCompletionItemProvider(LANGUAGE, { provideCompletionItems: at("completion", all(completion)) },
    ...capabilities.completionProvider.triggerCharacters));
  add(l.registerInlayHintsProvider(LANGUAGE, {
    provideInlayHints: (document, r, token) => quietly("inlayHint", document, { range: plainRange(r) }, token, all(hint)),
  }));
  add(l.registerDocumentFormattingEditProvider(LANGUAGE, {
    provideDocumentFormattingEdits: (document, options, token) =>
      quietly("formatting", document, { options }, token, all(edit)),
  }));
  add(l.registerCodeActionsProvider(LANGUAGE, {
    provideCodeActions: (document, r, _, token) =>
      quietly("codeAction", document, { range: plainRange(r), context: { diagnostics: [] } }, token, all(action)),
  }));
}

// --- documents

const item = (document) => ({
  uri: document.uri.toString(), languageId: LANGUAGE, version: document.version, text: document.getText(),
});

function opened(document) {
  if (document.languageId !== LANGUAGE) return;
  client.open.set(document.uri.toString(), () => item(document));
  client.notify("textDocument/didOpen", { textDocument: item(document) });
}

function closed(document) {
  if (client.open.delete(document.uri.toString()))
    client.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
}

function changed(event) {
  const uri = event.document.uri.toString();
  if (!client.open.has(uri) || event.contentChanges.length === 0) return;
  const contentChanges = event.contentChanges.map((c) => ({ range: plainRange(c.range), text: c.text }));
  client.notify("textDocument/didChange", { textDocument: { uri, version: event.document.version }, contentChanges });
}

async function activate(context) {
  const shown = vscode.languages.createDiagnosticCollection(LANGUAGE);
  const command = vscode.workspace.getConfiguration(LANGUAGE).get("compiler") || "diderotc";
  client = new Client(command, {
    notice: (method, params) => {
      if (method === "textDocument/publishDiagnostics")
        shown.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
      if (method === "window/showMessage") vscode.window.showWarningMessage(params.message);
    },
    ended: (message) => vscode.window.showErrorMessage(`Diderot: ${message}. The setting diderot.compiler names the compiler.`),
  });
  context.subscriptions.push(shown);
  try {
    register(context, await client.start());
  } catch (error) {
    return; // told already
  }
  vscode.workspace.textDocuments.forEach(opened);
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(closed), vscode.workspace.onDidChangeTextDocument(changed));
}

function deactivate() {
  return client ? client.stop().catch(() => {}) : undefined;
}

module.exports = { activate, deactivate };
