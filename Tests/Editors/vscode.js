// SPDX-License-Identifier: MIT
'use strict';

// The extension on two scenes, with a stand-in for the editor.
const fs = require('fs');
const path = require('path');
const { execFileSync } = require('child_process');
const vscode = require('vscode');

const extension = require(path.join(process.env.SCENE_EDITORS, 'vscode/extension.js'));
const { Client } = require(path.join(process.env.SCENE_EDITORS, 'vscode/client.js'));
const { providers, commands, errors, events, messages } = vscode.standIn;
const token = new vscode.EventEmitter();
token.onCancellationRequested = token.event;

const found = [];

function see(what, seen) {
  found.push(`${what}: ${seen}\n`);
  fs.writeFileSync('found.txt', found.join(''));
}

async function wait(condition) {
  for (let round = 0; round < 4500 && !condition(); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (!condition()) throw new Error(`waited 90 s for ${condition}`);
  return condition();
}

/** Calls a provider as the editor does. */
function call(name, method, ...given) {
  const entry = providers.get(name);
  if (!entry) throw new Error(`no provider of ${name}`);
  return entry.provider[method](...given, token);
}

const open = (name) => vscode.workspace.openTextDocument(vscode.Uri.file(path.resolve(name)));
const errorsOf = (file) => errors.get(file.uri.toString()) ?? [];
const placeOf = (file, text) => file.positionAt(file.getText().indexOf(text));
const rangeOf = (file, text) => {
  const start = file.getText().indexOf(text);
  return new vscode.Range(file.positionAt(start), file.positionAt(start + text.length));
};
const whole = (file) => rangeOf(file, file.getText());

/** The checks that all editors share. */
async function work(film) {
  await wait(() => errorsOf(film).length);
  const [error] = errorsOf(film);
  see('error', `${code(error)} ${film.getText(error.range)}`);

  const range = rangeOf(film, 'font-sise');
  const only = vscode.CodeActionKind.Empty.append('source.fixAll');
  const [all] = await call('CodeActions', 'provideCodeActions', film, range, { diagnostics: [], only });
  if (!all?.edit) throw new Error('nothing that fixes all');
  const [action] = await call('CodeActions', 'provideCodeActions', film, range, { diagnostics: [error] });
  await vscode.workspace.applyEdit(action.edit);
  await wait(() => !errorsOf(film).length);
  see('fixed', film.getText().includes('font-size: 40px') && errorsOf(film).length);

  const name = placeOf(film, 'brand-color; ');
  const { items } = await call('CompletionItem', 'provideCompletionItems', film, name);
  see('completion', items.some((item) => item.label === 'brand-color'));
  const { contents } = await call('Hover', 'provideHover', film, name);
  see('hover', contents[0].value.match('painted with'));

  await vscode.workspace.applyEdit(await call('Rename', 'provideRenameEdits', film, name, 'accent'));
  see('renamed', open('brand.scene').getText().includes('let accent =') && film.getText().split('accent').length - 1);

  film.edit(await call('DocumentFormattingEdit', 'provideDocumentFormattingEdits', film, { tabSize: 4 }));
  see('formatted', film.getText().match(/rect box.*/));
  await wait(() => !errorsOf(film).length);
}

/** The views that exist only in this editor. */
// A code with an explanation page is an object.
const code = (error) => error?.code?.value ?? error?.code;

async function look(film) {
  const brand = open('brand.scene');
  const name = placeOf(film, 'accent');
  const ask = (kind, method, ...given) => call(kind, method, film, ...given);
  const counts = {
    definitions: (await ask('Definition', 'provideDefinition', name)).length,
    declarations: (await ask('Declaration', 'provideDeclaration', name)).length,
    references: (await ask('Reference', 'provideReferences', name, { includeDeclaration: true })).length,
    highlights: (await ask('DocumentHighlight', 'provideDocumentHighlights', name)).length,
    symbols: (await ask('DocumentSymbol', 'provideDocumentSymbols')).length,
    named: (await call('WorkspaceSymbol', 'provideWorkspaceSymbols', 'accent')).length,
    folds: (await ask('FoldingRange', 'provideFoldingRanges', {})).length,
    selections: (await ask('SelectionRange', 'provideSelectionRanges', [name])).length,
    links: (await ask('DocumentLink', 'provideDocumentLinks')).length,
    colors: (await call('Color', 'provideDocumentColors', brand)).length,
  };
  for (const [what, count] of Object.entries(counts)) if (!count) throw new Error(`no ${what}`);
  const [{ range, color }] = await call('Color', 'provideDocumentColors', brand);
  const forms = await call('Color', 'provideColorPresentations', color, { document: brand, range });
  if (forms[0].label !== brand.getText(range)) throw new Error(`the first form is ${forms[0].label}`);
  const lenses = await ask('CodeLens', 'provideCodeLenses');
  if (lenses[0]?.command.title !== 'Preview' || !commands.has(lenses[0].command.command)) throw new Error('no lens');
  const [item] = (await ask('CompletionItem', 'provideCompletionItems', placeOf(film, 'fill:'))).items
    .filter((it) => it.label === 'opacity');
  const { documentation } = await call('CompletionItem', 'resolveCompletionItem', item);
  if (!documentation?.value.includes('transparent')) throw new Error('no page of a completion');
  await ask('OnTypeFormattingEdit', 'provideOnTypeFormattingEdits', film.positionAt(film.getText().length), '}', {});
  await ask('InlayHints', 'provideInlayHints', whole(film));
  await ask('DocumentRangeFormattingEdit', 'provideDocumentRangeFormattingEdits', whole(film), { tabSize: 4 });
  if (!(await call('Rename', 'prepareRename', film, name))) throw new Error('no place to rename');
  const wrong = await call('Rename', 'provideRenameEdits', film, name, '1').catch((error) => error.message);
  if (typeof wrong !== 'string') throw new Error('a number is no name');
  await paint(film);
}

/** The tokens after an edit equal the tokens of a full request. */
async function paint(film) {
  const first = await call('DocumentSemanticTokens', 'provideDocumentSemanticTokens', film);
  const start = new vscode.Position(3, 0);
  film.edit([new vscode.TextEdit(new vscode.Range(start, start), '    let tint = accent\n')]);
  const { edits } = await call('DocumentSemanticTokens', 'provideDocumentSemanticTokensEdits', film, first.resultId);
  const data = [...first.data];
  for (const { start: at, deleteCount, data: more } of edits) data.splice(at, deleteCount, ...more);
  const fresh = await call('DocumentSemanticTokens', 'provideDocumentSemanticTokens', film);
  if (String(data) !== String([...fresh.data])) throw new Error('the tokens differ after an edit');
  film.edit([new vscode.TextEdit(rangeOf(film, '    let tint = accent\n'), '')]);
  await call('DocumentRangeSemanticTokens', 'provideDocumentRangeSemanticTokens', film, whole(film));
}

/** A grant of trust is sent to the server. */
function trust() {
  const sent = [];
  const { notify } = Client.prototype;
  Client.prototype.notify = function record(method, params) {
    sent.push({ method, params });
    return notify.call(this, method, params);
  };
  vscode.workspace.isTrusted = true;
  events.Trust.fire();
  Client.prototype.notify = notify;
  const [told] = sent;
  if (told?.method !== 'workspace/didChangeConfiguration' || !told.params.settings.scenec.trustProject) {
    throw new Error('the trust is not sent');
  }
}

async function survive(film) {
  execFileSync('python3', [process.env.SCENE_RUN, 'kill-worker']);
  see('killed', 0);
  film.edit([new vscode.TextEdit(rangeOf(film, 'for: 2s'), 'for: 2s;  backgrond: black')]);
  const later = () => errorsOf(film).find((it) => it.range.start.line === 4);
  await wait(later);
  see('error', code(later()));
  await commands.get('scenec.restart')();
  await wait(later);
  see('line', later().range.start.line + 1);
  vscode.window.activeTextEditor = { document: film };
  await commands.get('scenec.fixAll')();
  if (!(await wait(() => film.getText().includes('background: black')))) throw new Error('not fixed');
}

async function main() {
  await extension.activate({ subscriptions: [] });
  const film = open('film.scene');
  await work(film);
  await look(film);
  trust();
  await survive(film);
  await extension.deactivate();
  // A worker that exits once is replaced without a message.
  if (messages.length !== 0) throw new Error(`messages: ${messages}`);
}

main().catch((error) => see('problem', error.stack)).then(() => process.exit());
