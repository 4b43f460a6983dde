// SPDX-License-Identifier: MIT
'use strict';

// A provider for each request that the server answers.
const vscode = require('vscode');
const to = require('./convert');

const SELECTOR = [{ language: 'scene', scheme: 'file' }, { language: 'scene', scheme: 'untitled' }];

/** The capabilities of the client. */
const ABILITIES = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: true,
    workspaceFolders: true,
    inlayHint: { refreshSupport: true },
    codeLens: { refreshSupport: true },
    configuration: true,
    didChangeConfiguration: {},
    fileOperations: { willRename: true },
    workspaceEdit: { documentChanges: true },
  },
  window: { showMessage: {}, showDocument: { support: true }, workDoneProgress: true },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: {
      relatedInformation: true,
      codeDescriptionSupport: true,
      versionSupport: true,
      tagSupport: { valueSet: [1, 2] },
    },
    completion: {
      completionList: { itemDefaults: ['editRange'] },
      completionItem: {
        snippetSupport: true,
        insertReplaceSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
      },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    signatureHelp: {},
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    rename: { prepareSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: {
          valueSet: [
            'quickfix', 'refactor.extract', 'refactor.inline', 'refactor.rewrite', 'source.fixAll',
          ],
        },
      },
      isPreferredSupport: true,
    },
    foldingRange: {},
    semanticTokens: {
      requests: { full: { delta: true }, range: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
};

function writing(client, can) {
  const ask = (method, params, token) => client.request(`textDocument/${method}`, params, token);
  const { languages } = vscode;
  const edits = (result) => result && result.map(to.edit);
  return [
    can.completionProvider &&
      languages.registerCompletionItemProvider(
        SELECTOR,
        {
          async provideCompletionItems(file, position, token) {
            const found = await ask('completion', to.at(file, position), token);
            return found && to.completions(found);
          },
          async resolveCompletionItem(item, token) {
            const found = item.asked && (await client.request('completionItem/resolve', item.asked, token));
            return to.resolved(item, found);
          },
        },
        ...(can.completionProvider.triggerCharacters ?? []),
      ),
    can.signatureHelpProvider &&
      languages.registerSignatureHelpProvider(
        SELECTOR,
        {
          async provideSignatureHelp(file, position, token) {
            const found = await ask('signatureHelp', to.at(file, position), token);
            return found && to.signatureHelp(found);
          },
        },
        ...(can.signatureHelpProvider.triggerCharacters ?? []),
      ),
    can.renameProvider &&
      languages.registerRenameProvider(SELECTOR, {
        async provideRenameEdits(file, position, newName, token) {
          const found = await ask('rename', { ...to.at(file, position), newName }, token);
          return found && to.workspaceEdit(found);
        },
        async prepareRename(file, position, token) {
          const found = await ask('prepareRename', to.at(file, position), token);
          return found && to.range(found.range ?? found);
        },
      }),
    can.documentFormattingProvider &&
      languages.registerDocumentFormattingEditProvider(SELECTOR, {
        async provideDocumentFormattingEdits(file, options, token) {
          return edits(await ask('formatting', { textDocument: to.document(file), options }, token));
        },
      }),
    can.documentRangeFormattingProvider &&
      languages.registerDocumentRangeFormattingEditProvider(SELECTOR, {
        async provideDocumentRangeFormattingEdits(file, range, options, token) {
          const what = { textDocument: to.document(file), range: to.fromRange(range), options };
          return edits(await ask('rangeFormatting', what, token));
        },
      }),
    can.documentOnTypeFormattingProvider &&
      languages.registerOnTypeFormattingEditProvider(
        SELECTOR,
        {
          async provideOnTypeFormattingEdits(file, position, ch, options, token) {
            return edits(await ask('onTypeFormatting', { ...to.at(file, position), ch, options }, token));
          },
        },
        can.documentOnTypeFormattingProvider.firstTriggerCharacter,
        ...(can.documentOnTypeFormattingProvider.moreTriggerCharacter ?? []),
      ),
    can.codeActionProvider &&
      languages.registerCodeActionsProvider(
        SELECTOR,
        {
          async provideCodeActions(file, range, context, token) {
            const only = context.only && [context.only.value];
            const diagnostics = context.diagnostics.map(to.fromDiagnostic);
            const what = {
              textDocument: to.document(file),
              range: to.fromRange(range),
              context: { diagnostics, only, triggerKind: context.triggerKind },
            };
            return to.list(await ask('codeAction', what, token), to.action);
          },
        },
        {
          providedCodeActionKinds: to.list(can.codeActionProvider.codeActionKinds, (kind) =>
            vscode.CodeActionKind.Empty.append(kind)),
        },
      ),
  ];
}

function reading(client, can) {
  const ask = (method, params, token) => client.request(`textDocument/${method}`, params, token);
  const { languages } = vscode;
  const places = (method) => async (file, position, token) =>
    to.locations(await ask(method, to.at(file, position), token));
  return [
    can.hoverProvider &&
      languages.registerHoverProvider(SELECTOR, {
        async provideHover(file, position, token) {
          const found = await ask('hover', to.at(file, position), token);
          return found && to.hover(found);
        },
      }),
    can.definitionProvider &&
      languages.registerDefinitionProvider(SELECTOR, { provideDefinition: places('definition') }),
    can.declarationProvider &&
      languages.registerDeclarationProvider(SELECTOR, { provideDeclaration: places('declaration') }),
    can.typeDefinitionProvider &&
      languages.registerTypeDefinitionProvider(SELECTOR, {
        provideTypeDefinition: places('typeDefinition'),
      }),
    can.referencesProvider &&
      languages.registerReferenceProvider(SELECTOR, {
        async provideReferences(file, position, context, token) {
          const { includeDeclaration } = context;
          const what = { ...to.at(file, position), context: { includeDeclaration } };
          return to.locations(await ask('references', what, token));
        },
      }),
    can.documentHighlightProvider &&
      languages.registerDocumentHighlightProvider(SELECTOR, {
        async provideDocumentHighlights(file, position, token) {
          return to.list(await ask('documentHighlight', to.at(file, position), token), to.highlight);
        },
      }),
    can.selectionRangeProvider &&
      languages.registerSelectionRangeProvider(SELECTOR, {
        async provideSelectionRanges(file, positions, token) {
          const what = {
            textDocument: to.document(file),
            positions: positions.map(to.fromPosition),
          };
          return to.list(await ask('selectionRange', what, token), to.selection);
        },
      }),
    can.workspaceSymbolProvider &&
      languages.registerWorkspaceSymbolProvider({
        async provideWorkspaceSymbols(query, token) {
          const found = await client.request('workspace/symbol', { query }, token);
          return to.list(found, to.workspaceSymbol);
        },
      }),
  ];
}

/** Provides the items of a whole document. */
function views(client, can, changes) {
  const ask = (method, file, token, more) =>
    client.request(`textDocument/${method}`, { textDocument: to.document(file), ...more }, token);
  const { languages } = vscode;
  return [
    can.documentSymbolProvider &&
      languages.registerDocumentSymbolProvider(SELECTOR, {
        async provideDocumentSymbols(file, token) {
          return to.list(await ask('documentSymbol', file, token), to.symbol);
        },
      }),
    can.foldingRangeProvider &&
      languages.registerFoldingRangeProvider(SELECTOR, {
        async provideFoldingRanges(file, context, token) {
          return to.list(await ask('foldingRange', file, token), to.fold);
        },
      }),
    can.colorProvider &&
      languages.registerColorProvider(SELECTOR, {
        async provideDocumentColors(file, token) {
          return to.list(await ask('documentColor', file, token), to.color);
        },
        async provideColorPresentations({ red, green, blue, alpha }, { document: file, range }, token) {
          const what = { color: { red, green, blue, alpha }, range: to.fromRange(range) };
          return to.list(await ask('colorPresentation', file, token, what), to.presentation);
        },
      }),
    can.documentLinkProvider &&
      languages.registerDocumentLinkProvider(SELECTOR, {
        async provideDocumentLinks(file, token) {
          return to.list(await ask('documentLink', file, token), to.link);
        },
      }),
    can.codeLensProvider &&
      languages.registerCodeLensProvider(SELECTOR, {
        onDidChangeCodeLenses: changes.lenses,
        async provideCodeLenses(file, token) {
          return to.list(await ask('codeLens', file, token), to.lens);
        },
      }),
    can.inlayHintProvider &&
      languages.registerInlayHintsProvider(SELECTOR, {
        onDidChangeInlayHints: changes.hints,
        async provideInlayHints(file, range, token) {
          return to.list(await ask('inlayHint', file, token, { range: to.fromRange(range) }), to.hint);
        },
      }),
  ];
}

function tokens(client, can) {
  if (!can.semanticTokensProvider) return [];
  const { tokenTypes, tokenModifiers } = can.semanticTokensProvider.legend;
  const legend = new vscode.SemanticTokensLegend(tokenTypes, tokenModifiers);
  const ask = (part, file, token, more) => {
    const what = { textDocument: to.document(file), ...more };
    return client.request(`textDocument/semanticTokens/${part}`, what, token);
  };
  return [
    vscode.languages.registerDocumentSemanticTokensProvider(
      SELECTOR,
      {
        async provideDocumentSemanticTokens(file, token) {
          const found = await ask('full', file, token);
          return found && to.tokens(found);
        },
        async provideDocumentSemanticTokensEdits(file, previousResultId, token) {
          const found = await ask('full/delta', file, token, { previousResultId });
          return found && to.tokensOrEdits(found);
        },
      },
      legend,
    ),
    vscode.languages.registerDocumentRangeSemanticTokensProvider(
      SELECTOR,
      {
        async provideDocumentRangeSemanticTokens(file, range, token) {
          const found = await ask('range', file, token, { range: to.fromRange(range) });
          return found && to.tokens(found);
        },
      },
      legend,
    ),
  ];
}

/** Registers all features that the server supports. */
function register(client, can, changes) {
  return [
    ...writing(client, can),
    ...reading(client, can),
    ...views(client, can, changes),
    ...tokens(client, can),
  ].filter(Boolean);
}

module.exports = { ABILITIES, register };
