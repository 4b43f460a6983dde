// SPDX-License-Identifier: MIT
'use strict';

const vscode = require('vscode');
const { Client } = require('./client');
const { ABILITIES, register } = require('./features');
const to = require('./convert');

/** A server that exits more often than this within three minutes is not restarted. */
const MOST_STARTS = 5;

/** Keeps a server running, and synchronizes the open scenes with it. */
class Server {
  constructor(context) {
    this.starts = [];
    this.disposables = [];
    this.log = vscode.window.createOutputChannel('scenec');
    this.diagnostics = vscode.languages.createDiagnosticCollection('scenec');
    this.hintsChanged = new vscode.EventEmitter();
    this.lensesChanged = new vscode.EventEmitter();
    this.status = vscode.languages.createLanguageStatusItem('scenec', { language: 'scene' });
    this.status.name = 'scenec';
    this.status.command = { title: 'Restart', command: 'scenec.restart' };
    context.subscriptions.push(
      this.log, this.diagnostics, this.hintsChanged, this.lensesChanged, this.status, { dispose: () => this.stop() },
    );
  }

  show(text, severity = vscode.LanguageStatusSeverity.Information) {
    this.status.text = text;
    this.status.severity = severity;
    this.log.appendLine(text);
  }

  async start() {
    this.starts = [...this.starts.filter((time) => Date.now() - time < 180_000), Date.now()];
    const command = vscode.workspace.getConfiguration('scenec').get('path') || 'scenec';
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({
      uri: uri.toString(), name,
    }));
    this.status.busy = true;
    const client = new Client(command, ['lsp'], { cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath });
    this.client = client;
    client.process.stderr?.on('data', (bytes) => this.log.append(String(bytes)));
    client.ended.then((reason) => this.ended(client, command, reason));
    this.listen(client);
    const answer = await client.request('initialize', {
      processId: process.pid,
      clientInfo: { name: vscode.env.appName },
      rootUri: folders[0]?.uri ?? null,
      workspaceFolders: folders.length ? folders : null,
      capabilities: ABILITIES,
      initializationOptions: settings(),
    });
    this.status.busy = false;
    if (!answer || this.client !== client) return;
    client.notify('initialized', {});
    this.disposables = register(client, answer.capabilities, {
      hints: this.hintsChanged.event, lenses: this.lensesChanged.event,
    });
    this.show('scenec is running');
    vscode.workspace.textDocuments.forEach((file) => this.opened(file));
    this.follow();
  }

  /** Handles notifications and requests of the server. */
  listen(client) {
    client.on('textDocument/publishDiagnostics', ({ uri, diagnostics }) =>
      this.diagnostics.set(to.uri(uri), diagnostics.map(to.diagnostic)));
    client.on('workspace/applyEdit', async ({ edit }) => ({
      applied: await vscode.workspace.applyEdit(to.workspaceEdit(edit)),
    }));
    client.on('workspace/inlayHint/refresh', () => this.hintsChanged.fire());
    client.on('workspace/codeLens/refresh', () => this.lensesChanged.fire());
    client.on('workspace/configuration', ({ items }) => items.map(() => settings()));
    client.on('window/showDocument', (what) => this.showDocument(what));
    client.on('window/workDoneProgress/create', () => null);
    client.on('$/progress', ({ value }) => {
      if (value.kind === 'begin') this.show(value.title);
      else if (value.kind === 'end') this.show('scenec is running');
    });
    client.on('window/logMessage', ({ message }) => this.log.appendLine(message));
    client.on('window/showMessage', ({ type, message }) => {
      const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
      // Not awaited: the message may stay open.
      ([, showErrorMessage, showWarningMessage][type] ?? showInformationMessage)(message);
    });
  }

  /** Opens the page of the preview beside the text, or a position in a file. */
  async showDocument({ uri, external, selection }) {
    if (external) {
      const panel = vscode.window.createWebviewPanel(
        'scenec', 'Preview', vscode.ViewColumn.Beside, { enableScripts: true, retainContextWhenHidden: true },
      );
      // Unchanged: the page reads the part after '#'.
      const address = (await vscode.env.asExternalUri(to.uri(uri))).toString(true);
      panel.webview.html = `<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy"
        content="default-src 'none'; frame-src ${new URL(address).origin}; style-src 'unsafe-inline'">
        </head><body style="margin:0;height:100vh"><iframe src="${address}"
        style="border:0;width:100%;height:100%"></iframe></body></html>`;
    } else {
      const file = await vscode.workspace.openTextDocument(to.uri(uri));
      await vscode.window.showTextDocument(file, selection && { selection: to.range(selection) });
    }
    return { success: true };
  }

  /** Executes a server command for the active scene. */
  async command(name, given) {
    const file = vscode.window.activeTextEditor?.document;
    const uri = given?.uri ?? (file && isScene(file) ? file.uri.toString() : undefined);
    const words = [uri ? { ...given, uri } : { ...given }];
    try {
      const result = await this.client?.request(
        'workspace/executeCommand', { command: `scenec.${name}`, arguments: words });
      if (name === 'build' && result) this.show(`built ${result.path}`);
      return result;
    } catch (error) {
      vscode.window.showErrorMessage(`scenec: ${error.message}`);
      return undefined;
    }
  }

  /** Notifies the server of events in the editor. */
  follow() {
    const { workspace } = vscode;
    const watcher = workspace.createFileSystemWatcher('**/*.{scene,csv,json,srt,vtt}');
    const report = (uri, type) =>
      this.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: uri.toString(), type }] });
    this.disposables.push(
      watcher,
      watcher.onDidCreate((uri) => report(uri, 1)),
      watcher.onDidChange((uri) => report(uri, 2)),
      watcher.onDidDelete((uri) => report(uri, 3)),
      workspace.onDidOpenTextDocument((file) => this.opened(file)),
      workspace.onDidChangeTextDocument((event) => this.changed(event)),
      workspace.onDidSaveTextDocument((file) => {
        if (isScene(file)) this.tell('textDocument/didSave', { textDocument: to.document(file) });
      }),
      workspace.onWillRenameFiles?.((event) => {
        const files = event.files.map(({ oldUri, newUri }) => ({
          oldUri: oldUri.toString(), newUri: newUri.toString(),
        }));
        const asked = this.client?.request('workspace/willRenameFiles', { files });
        event.waitUntil(Promise.resolve(asked).then((edit) => edit && to.workspaceEdit(edit)));
      }),
      workspace.onDidCloseTextDocument((file) => {
        if (isScene(file)) this.tell('textDocument/didClose', { textDocument: to.document(file) });
      }),
      workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const folder = ({ uri, name }) => ({ uri: uri.toString(), name });
        const event = { added: added.map(folder), removed: removed.map(folder) };
        this.tell('workspace/didChangeWorkspaceFolders', { event });
      }),
    );
  }

  /** Sends the settings after a change. */
  configured() {
    this.tell('workspace/didChangeConfiguration', { settings: { scenec: settings() } });
  }

  tell(method, params) {
    this.client?.notify(method, params);
  }

  opened(file) {
    if (!isScene(file)) return;
    const textDocument = {
      ...to.document(file), languageId: 'scene', version: file.version, text: file.getText(),
    };
    this.tell('textDocument/didOpen', { textDocument });
  }

  changed({ document: file, contentChanges }) {
    if (!isScene(file) || contentChanges.length === 0) return;
    const textDocument = { ...to.document(file), version: file.version };
    const changes = contentChanges.map(({ range, text }) => ({ range: to.fromRange(range), text }));
    this.tell('textDocument/didChange', { textDocument, contentChanges: changes });
  }

  ended(client, command, reason) {
    if (this.client !== client) return;
    this.forget();
    const { Error } = vscode.LanguageStatusSeverity;
    const isMissing = reason.includes('ENOENT');
    if (isMissing || this.starts.length >= MOST_STARTS) {
      this.show(`scenec is not running: ${reason}`, Error);
      const help = isMissing ? `'${command}' not found. Set scenec.path.` : `scenec exited: ${reason}.`;
      vscode.window.showErrorMessage(help);
      return;
    }
    this.show(`scenec exited (${reason}) and is restarting`, Error);
    this.start();
  }

  forget() {
    this.client = undefined;
    this.disposables.forEach((it) => it.dispose());
    this.disposables = [];
    this.diagnostics.clear();
    this.status.busy = false;
  }

  async stop() {
    const { client } = this;
    this.forget();
    await client?.stop();
  }

  async restart() {
    this.starts = [];
    await this.stop();
    await this.start();
  }

  async fixAll() {
    const file = vscode.window.activeTextEditor?.document;
    if (!file || !isScene(file)) return;
    const words = [{ uri: file.uri.toString() }];
    await this.client?.request('workspace/executeCommand', { command: 'scenec.fixAll', arguments: words });
  }
}

/** Returns the settings of the server. */
function settings() {
  const section = vscode.workspace.getConfiguration('scenec');
  const found = {};
  for (const name of ['root', 'set', 'limits', 'inlayHints', 'checkWhileTyping', 'images']) {
    const value = section.get(name);
    if (value !== undefined && value !== null) found[name] = value;
  }
  found.trustProject = vscode.workspace.isTrusted;
  return found;
}

const isScene = ({ languageId, uri }) =>
  languageId === 'scene' && (uri.scheme === 'file' || uri.scheme === 'untitled');

let server;

async function activate(context) {
  server = new Server(context);
  context.subscriptions.push(
    vscode.commands.registerCommand('scenec.restart', () => server.restart()),
    vscode.commands.registerCommand('scenec.fixAll', () => server.fixAll()),
    vscode.commands.registerCommand('scenec.openPreview', (given) => server.command('openPreview', given)),
    vscode.commands.registerCommand('scenec.closePreview', (given) => server.command('closePreview', given)),
    vscode.commands.registerCommand('scenec.build', (given) => server.command('build', given)),
    vscode.commands.registerCommand('scenec.renderFrame', (given) => server.command('renderFrame', given)),
    vscode.commands.registerCommand('scenec.showLog', () => server.log.show()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('scenec.path')) server.restart();
      else if (event.affectsConfiguration('scenec')) server.configured();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.configured()),
  );
  await server.start();
}

const deactivate = () => server?.stop();

module.exports = { activate, deactivate };
