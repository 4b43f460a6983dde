// SPDX-License-Identifier: MIT
'use strict';

// Conversions between the values of the protocol and of the editor.
const vscode = require('vscode');

// MARK: To the server

const fromPosition = ({ line, character }) => ({ line, character });
const fromRange = ({ start, end }) => ({ start: fromPosition(start), end: fromPosition(end) });
const document = ({ uri }) => ({ uri: uri.toString() });
const at = (file, position) => ({ textDocument: document(file), position: fromPosition(position) });

const fromDiagnostic = (it) => ({
  range: fromRange(it.range),
  message: it.message,
  severity: it.severity + 1,
  code: it.code?.value ?? it.code,
  source: it.source,
});

// MARK: From the server

const uri = (text) => vscode.Uri.parse(text);
const position = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(position(start), position(end));
const location = (it) => new vscode.Location(uri(it.uri), range(it.range));
const edit = (it) => new vscode.TextEdit(range(it.range), it.newText);
const list = (items, convert) => (items ?? []).map(convert);

function locations(result) {
  return list(Array.isArray(result) ? result : result && [result], location);
}

function workspaceEdit(it) {
  const made = new vscode.WorkspaceEdit();
  for (const [file, edits] of Object.entries(it.changes ?? {})) made.set(uri(file), edits.map(edit));
  for (const { textDocument, edits } of it.documentChanges ?? []) {
    made.set(uri(textDocument.uri), edits.map(edit));
  }
  return made;
}

function markup(it) {
  if (it.kind !== 'markdown') return new vscode.MarkdownString().appendText(it.value ?? it);
  return new vscode.MarkdownString(it.value);
}

function diagnostic(it) {
  const made = new vscode.Diagnostic(range(it.range), it.message, (it.severity ?? 1) - 1);
  made.source = it.source;
  const page = it.codeDescription?.href;
  made.code = page ? { value: it.code, target: uri(page) } : it.code;
  made.tags = it.tags;
  made.relatedInformation = list(
    it.relatedInformation,
    (note) => new vscode.DiagnosticRelatedInformation(location(note.location), note.message),
  );
  return made;
}

/** Converts a completion item; `everywhere` is the default edit range of its list. */
function completion(it, everywhere) {
  const made = new vscode.CompletionItem(it.label, (it.kind ?? 1) - 1);
  made.detail = it.detail;
  made.sortText = it.sortText;
  made.filterText = it.filterText;
  if (it.documentation) made.documentation = markup(it.documentation);
  const text = it.textEdit?.newText ?? it.textEditText ?? it.insertText ?? it.label;
  made.insertText = it.insertTextFormat === 2 ? new vscode.SnippetString(text) : text;
  const place = it.textEdit?.range ?? it.textEdit ?? everywhere;
  if (place?.insert) made.range = { inserting: range(place.insert), replacing: range(place.replace) };
  else if (place) made.range = range(place);
  if (it.additionalTextEdits) made.additionalTextEdits = it.additionalTextEdits.map(edit);
  if (it.data) made.asked = it;
  return made;
}

/** Returns the item with its documentation. */
function resolved(item, it) {
  if (it?.documentation) item.documentation = markup(it.documentation);
  return item;
}

function completions(it) {
  const items = Array.isArray(it) ? it : it.items;
  const place = it.itemDefaults?.editRange;
  return new vscode.CompletionList(items.map((item) => completion(item, place)), it.isIncomplete ?? false);
}

const hover = (it) => new vscode.Hover([markup(it.contents)], it.range && range(it.range));

function signatureHelp(it) {
  const made = new vscode.SignatureHelp();
  made.activeSignature = it.activeSignature ?? 0;
  made.activeParameter = it.activeParameter ?? 0;
  made.signatures = it.signatures.map((signature) => {
    const one = new vscode.SignatureInformation(signature.label, signature.documentation);
    one.parameters = list(
      signature.parameters,
      (parameter) => new vscode.ParameterInformation(parameter.label, parameter.documentation),
    );
    return one;
  });
  return made;
}

function symbol(it) {
  const made = new vscode.DocumentSymbol(
    it.name, it.detail ?? '', it.kind - 1, range(it.range), range(it.selectionRange),
  );
  made.children = list(it.children, symbol);
  return made;
}

const workspaceSymbol = (it) =>
  new vscode.SymbolInformation(it.name, it.kind - 1, it.containerName ?? '', location(it.location));

const highlight = (it) => new vscode.DocumentHighlight(range(it.range), (it.kind ?? 1) - 1);

const FOLDS = { comment: 1, imports: 2, region: 3 };
const fold = (it) => new vscode.FoldingRange(it.startLine, it.endLine, FOLDS[it.kind]);

const selection = (it) =>
  new vscode.SelectionRange(range(it.range), it.parent && selection(it.parent));

const tokens = (it) => new vscode.SemanticTokens(new Uint32Array(it.data), it.resultId);

function tokensOrEdits(it) {
  if (it.data) return tokens(it);
  const edits = it.edits.map(
    ({ start, deleteCount, data }) =>
      new vscode.SemanticTokensEdit(start, deleteCount, new Uint32Array(data ?? [])),
  );
  return new vscode.SemanticTokensEdits(edits, it.resultId);
}

function color({ range: place, color: it }) {
  const value = new vscode.Color(it.red, it.green, it.blue, it.alpha);
  return new vscode.ColorInformation(range(place), value);
}

function presentation(it) {
  const made = new vscode.ColorPresentation(it.label);
  if (it.textEdit) made.textEdit = edit(it.textEdit);
  return made;
}

const link = (it) => new vscode.DocumentLink(range(it.range), it.target && uri(it.target));

function lens(it) {
  const { title, command, arguments: given } = it.command;
  return new vscode.CodeLens(range(it.range), { title, command, arguments: given });
}

function hint(it) {
  const made = new vscode.InlayHint(position(it.position), it.label, it.kind);
  made.paddingLeft = it.paddingLeft;
  made.paddingRight = it.paddingRight;
  return made;
}

function action(it) {
  const kind = it.kind && vscode.CodeActionKind.Empty.append(it.kind);
  const made = new vscode.CodeAction(it.title, kind);
  if (it.edit) made.edit = workspaceEdit(it.edit);
  if (it.command) made.command = it.command;
  if (it.diagnostics) made.diagnostics = it.diagnostics.map(diagnostic);
  made.isPreferred = it.isPreferred;
  return made;
}

module.exports = {
  action, at, color, completion, completions, diagnostic, document, edit, fold, fromDiagnostic,
  fromPosition, fromRange, highlight, hint, hover, lens, link, list, locations, presentation, range,
  resolved, selection, signatureHelp, symbol, tokens, tokensOrEdits, uri, workspaceEdit, workspaceSymbol,
};
