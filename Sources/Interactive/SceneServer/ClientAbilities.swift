// SPDX-License-Identifier: MIT
import SceneJSON

/// The capabilities of the client.
struct ClientAbilities {
  var takesSnippets = false
  var takesInsertReplace = false
  /// Whether a completion list may specify one range for all items.
  var takesDefaultRange = false
  var takesMarkdown = false
  /// The markup formats of completion documentation; empty if only plain strings are supported.
  var itemFormats: [JSON] = []
  var takesLinks = false
  var takesRelated = false
  var takesTags = false
  var takesVersions = false
  var takesRelatedDocuments = false
  /// Whether the client pulls diagnostics.
  var pulls = false
  var refreshesHints = false
  var refreshesLenses = false
  var appliesEdits = false
  var watchesFiles = false
  var hasConfiguration = false
  var showsDocuments = false
  var takesNestedSymbols = false

  init() {}

  init(_ parameters: JSON) {
    let document = parameters["capabilities"]["textDocument"]
    let workspace = parameters["capabilities"]["workspace"]
    let item = document["completion"]["completionItem"]
    takesSnippets = item["snippetSupport"].bool ?? false
    takesInsertReplace = item["insertReplaceSupport"].bool ?? false
    takesDefaultRange = document["completion"]["completionList"]["itemDefaults"].array
      .contains("editRange")
    itemFormats = item["documentationFormat"].array
    takesMarkdown = document["hover"]["contentFormat"].array.contains("markdown")
    let diagnostics = document["publishDiagnostics"]
    takesLinks = diagnostics["codeDescriptionSupport"].bool ?? false
    takesRelated = diagnostics["relatedInformation"].bool ?? false
    takesTags = diagnostics["tagSupport"].isObject
    takesVersions = workspace["workspaceEdit"]["documentChanges"].bool ?? false
    takesRelatedDocuments = document["diagnostic"]["relatedDocumentSupport"].bool ?? false
    pulls =
      document["diagnostic"].isObject && workspace["diagnostics"]["refreshSupport"].bool == true
    refreshesHints = workspace["inlayHint"]["refreshSupport"].bool ?? false
    refreshesLenses = workspace["codeLens"]["refreshSupport"].bool ?? false
    appliesEdits = workspace["applyEdit"].bool ?? false
    watchesFiles = workspace["didChangeWatchedFiles"]["dynamicRegistration"].bool ?? false
    hasConfiguration = workspace["configuration"].bool ?? false
    showsDocuments = parameters["capabilities"]["window"]["showDocument"]["support"].bool ?? false
    takesNestedSymbols =
      document["documentSymbol"]["hierarchicalDocumentSymbolSupport"].bool ?? false
  }
}
