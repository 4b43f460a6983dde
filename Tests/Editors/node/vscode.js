// SPDX-License-Identifier: MIT
'use strict';

// A stand-in for the module `vscode`, as far as the extension uses it: values that reject the same
// arguments as the editor, texts, and a list of providers that a test calls as the editor does.
const fs = require('fs');
const path = require('path');
const url = require('url');

function check(holds, what) {
  if (!holds) throw new TypeError(`not what the editor takes: ${what}`);
}

const isWhole = (number) => Number.isInteger(number) && number >= 0;
const isText = (text) => typeof text === 'string';

// MARK: Values

class Position {
  constructor(line, character) {
    check(isWhole(line) && isWhole(character), `position ${line}:${character}`);
    Object.assign(this, { line, character });
  }

  isBefore(other) {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

class Range {
  constructor(start, end) {
    check(start instanceof Position && end instanceof Position, 'range');
    check(!end.isBefore(start), 'a range that ends before it begins');
    Object.assign(this, { start, end });
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.slice(0, text.indexOf(':'));
  }

  static parse(text) {
    check(isText(text) && /^[a-z]+:/.test(text), `URI ${text}`);
    return new Uri(text);
  }

  static file(name) {
    return new Uri(url.pathToFileURL(name).href);
  }

  get fsPath() {
    return url.fileURLToPath(this.text);
  }

  toString(skipsEncoding) {
    const [start, fragment] = this.text.split('#');
    return fragment === undefined || skipsEncoding ? this.text : `${start}#${encodeURIComponent(fragment)}`;
  }
}

/** A class with the given fields in this order, each with a validator. */
function value(fields) {
  return class {
    constructor(...given) {
      Object.keys(fields).forEach((name, index) => {
        check(fields[name](given[index]), `${name}: ${JSON.stringify(given[index])}`);
        this[name] = given[index];
      });
    }
  };
}

const any = () => true;
const a = (type) => (it) => it instanceof type;
const maybe = (holds) => (it) => it === undefined || holds(it);
const listOf = (holds) => (it) => Array.isArray(it) && it.every(holds);
const oneOf = (count, first = 0) => (it) => isWhole(it) && it >= first && it < first + count;
const share = (it) => it >= 0 && it <= 1;

class MarkdownString {
  constructor(text = '') {
    check(isText(text), 'markdown');
    this.value = text;
  }

  appendText(text) {
    this.value += text;
    return this;
  }
}

class CodeActionKind {
  constructor(text) {
    this.value = text;
  }

  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind('');

class WorkspaceEdit {
  constructor() {
    this.files = [];
  }

  set(uri, edits) {
    check(uri instanceof Uri && edits.every(a(TextEdit)), 'edits of a file');
    this.files.push([uri, edits]);
  }
}

const Location = value({ uri: a(Uri), range: a(Range) });
const TextEdit = value({ range: a(Range), newText: isText });
const SemanticTokensEdit = value({ start: isWhole, deleteCount: isWhole, data: a(Uint32Array) });
const Color = value({ red: share, green: share, blue: share, alpha: share });
const DiagnosticRelatedInformation = value({ location: a(Location), message: isText });
const SelectionRange = value({ range: a(Range), parent: maybe(any) });

const values = {
  Position, Range, Uri, Location, TextEdit, WorkspaceEdit, MarkdownString, CodeActionKind,
  SemanticTokensEdit, Color, DiagnosticRelatedInformation, SelectionRange,
  Diagnostic: value({ range: a(Range), message: isText, severity: oneOf(4) }),
  CompletionItem: value({ label: isText, kind: oneOf(27) }),
  CompletionList: value({ items: Array.isArray, isIncomplete: any }),
  SnippetString: value({ value: isText }),
  Hover: value({ contents: listOf(a(MarkdownString)), range: maybe(a(Range)) }),
  SignatureHelp: value({}),
  SignatureInformation: value({ label: isText, documentation: any }),
  ParameterInformation: value({ label: any, documentation: any }),
  DocumentSymbol: value({
    name: (it) => isText(it) && it !== '', detail: isText, kind: oneOf(26), range: a(Range),
    selectionRange: a(Range),
  }),
  SymbolInformation: value({
    name: isText, kind: oneOf(26), containerName: isText, location: a(Location),
  }),
  DocumentHighlight: value({ range: a(Range), kind: oneOf(3) }),
  FoldingRange: value({ start: isWhole, end: isWhole, kind: maybe(oneOf(3, 1)) }),
  SemanticTokens: value({ data: a(Uint32Array), resultId: maybe(isText) }),
  SemanticTokensEdits: value({ edits: listOf(a(SemanticTokensEdit)), resultId: maybe(isText) }),
  SemanticTokensLegend: value({ tokenTypes: listOf(isText), tokenModifiers: listOf(isText) }),
  ColorInformation: value({ range: a(Range), color: a(Color) }),
  ColorPresentation: value({ label: isText }),
  DocumentLink: value({ range: a(Range), target: maybe(a(Uri)) }),
  InlayHint: value({ position: a(Position), label: isText, kind: maybe(oneOf(2, 1)) }),
  CodeLens: value({ range: a(Range), command: (it) => isText(it.title) && isText(it.command) }),
  CodeAction: value({ title: isText, kind: maybe(a(CodeActionKind)) }),
};

// MARK: Events

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }

  fire(it) {
    for (const listener of [...this.listeners]) listener(it);
  }

  dispose() {
    this.listeners.clear();
  }
}

const events = Object.fromEntries(
  ['Open', 'Change', 'Save', 'Close', 'Folders', 'Configuration', 'Rename', 'Trust'].map((it) => [it, new EventEmitter()]),
);

// MARK: Texts

/** An open text. */
class TextDocument {
  constructor(uri, text) {
    Object.assign(this, { uri, text, version: 1, languageId: 'scene' });
  }

  getText(range) {
    if (!range) return this.text;
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  offsetAt({ line, character }) {
    const lines = this.text.split('\n');
    check(line < lines.length && character <= lines[line].length, `place ${line}:${character}`);
    return lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + character;
  }

  positionAt(offset) {
    const lines = this.text.slice(0, offset).split('\n');
    return new Position(lines.length - 1, lines.at(-1).length);
  }

  /** Applies edits like the editor: together, from the last to the first. */
  edit(edits) {
    const contentChanges = edits.map(({ range, newText }) => ({
      range, text: newText, rangeOffset: this.offsetAt(range.start),
      rangeLength: this.offsetAt(range.end) - this.offsetAt(range.start),
    })).sort((one, other) => other.rangeOffset - one.rangeOffset);
    for (const { rangeOffset: at, rangeLength, text } of contentChanges) {
      this.text = this.text.slice(0, at) + text + this.text.slice(at + rangeLength);
    }
    this.version += 1;
    events.Change.fire({ document: this, contentChanges });
  }
}

// MARK: The editor

const providers = new Map();
const commands = new Map();
const errors = new Map();
const messages = [];
const register = (name) => (selector, provider, ...more) => {
  check(!providers.has(name), `a second provider of ${name}`);
  providers.set(name, { provider, more });
  return { dispose: () => providers.delete(name) };
};
const KINDS = [
  'CompletionItem', 'SignatureHelp', 'Rename', 'DocumentFormattingEdit',
  'DocumentRangeFormattingEdit', 'CodeActions', 'Hover', 'Definition', 'Declaration',
  'TypeDefinition', 'Reference', 'DocumentHighlight', 'SelectionRange', 'DocumentSymbol',
  'FoldingRange', 'Color', 'DocumentLink', 'InlayHints', 'DocumentSemanticTokens',
  'DocumentRangeSemanticTokens', 'OnTypeFormattingEdit', 'CodeLens',
];

const languages = {
  ...Object.fromEntries(KINDS.map((kind) => [`register${kind}Provider`, register(kind)])),
  registerWorkspaceSymbolProvider: (provider) => register('WorkspaceSymbol')(null, provider),
  createDiagnosticCollection: () => ({
    set: (uri, list) => {
      check(uri instanceof Uri && list.every(a(values.Diagnostic)), 'diagnostics');
      errors.set(uri.toString(), list);
    },
    clear: () => errors.clear(),
    dispose: () => errors.clear(),
  }),
  createLanguageStatusItem: () => ({ dispose() {} }),
};

const workspace = {
  textDocuments: [],
  workspaceFolders: [{ uri: Uri.file(process.cwd()), name: path.basename(process.cwd()) }],
  getConfiguration: () => ({ get: () => undefined }),
  createFileSystemWatcher: () => {
    const silent = () => ({ dispose() {} });
    return { onDidCreate: silent, onDidChange: silent, onDidDelete: silent, dispose() {} };
  },
  onDidOpenTextDocument: events.Open.event,
  onDidChangeTextDocument: events.Change.event,
  onDidSaveTextDocument: events.Save.event,
  onDidCloseTextDocument: events.Close.event,
  onDidChangeWorkspaceFolders: events.Folders.event,
  onDidChangeConfiguration: events.Configuration.event,
  onDidGrantWorkspaceTrust: events.Trust.event,
  onWillRenameFiles: events.Rename.event,
  openTextDocument(uri) {
    const known = workspace.textDocuments.find((file) => file.uri.toString() === uri.toString());
    if (known) return known;
    const file = new TextDocument(uri, fs.readFileSync(uri.fsPath, 'utf8'));
    workspace.textDocuments.push(file);
    events.Open.fire(file);
    return file;
  },
  async applyEdit(edit) {
    for (const [uri, edits] of edit.files) workspace.openTextDocument(uri).edit(edits);
    return true;
  },
};

const say = async (text) => void messages.push(text);

module.exports = {
  ...values,
  EventEmitter,
  LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
  env: { appName: 'a stand-in', asExternalUri: async (uri) => uri },
  ViewColumn: { Beside: -2 },
  languages,
  workspace,
  window: {
    showErrorMessage: say,
    showWarningMessage: say,
    showInformationMessage: say,
    createWebviewPanel: () => ({ webview: { html: '' }, dispose() {} }),
    showTextDocument: async () => undefined,
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
  },
  commands: {
    registerCommand(name, body) {
      commands.set(name, body);
      return { dispose: () => commands.delete(name) };
    },
  },
  /** For tests: what the extension has registered and shown. */
  standIn: { providers, commands, errors, events, messages, KINDS },
};
