// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneTypes

// Items for parameters that accept a function, such as `f: fn(number) -> number`.
extension Workspace {
  /// Returns a function without a name, and the names of functions and of parameters that accept
  /// functions. Built-in functions are offered if they accept the number of arguments and have the
  /// declared result.
  func functions(ofType type: String, at offset: Int, in file: String) -> [CompletionItem] {
    guard let wanted = Snippet.FunctionType(type) else { return [] }
    let new = CompletionItem(
      "fn", .keyword, detail: type, snippet: Snippet.place(1, wanted.example), group: 0,
      page: "word/fn")
    let declared = named([.function, .parameter], at: offset, in: file).filter {
      $0.kind == .function || $0.detail.hasPrefix("fn(")
    }
    // Functions such as `floor` return the type of their argument.
    let results = wanted.result == "number" ? [wanted.result, "value"] : [wanted.result]
    let builtIn = BuiltIn.all.values.filter { function in
      let needed = function.parameters.count { !$0.isOptional }
      return !function.readsPixels && !function.readsVideo
        && results.contains(function.result.rawValue)
        && !function.parameters.contains(where: \.isMany)
        && (needed...function.parameters.count).contains(wanted.parameterCount)
    }
    return [new] + declared.map { Workspace.named($0, group: 0) }
      + importable([.function], at: offset, in: file).map { Workspace.named($0, group: $0.group) }
      + builtIn.map { Workspace.named(Workspace.item($0), group: 1) }
  }

  /// Returns the item of a function that is named instead of called.
  private static func named(_ item: CompletionItem, group: Int) -> CompletionItem {
    var it = item.grouped(group)
    (it.insert, it.snippet) = (nil, nil)
    return it
  }
}
