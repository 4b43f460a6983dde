// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
import SceneSyntax
import SceneText
import SceneTypes

/// The types of the names that completion offers in a file, computed when the first one is needed.
final class NameTypes {
  private let workspace: Workspace
  private let file: String
  /// Returns the type of the values that the last check computed for a name of the file.
  private let computed: (SourceSpan) -> Type?
  private lazy var program = workspace.types(of: file)

  init(_ workspace: Workspace, of file: String, computed: @escaping (SourceSpan) -> Type?) {
    self.workspace = workspace
    self.file = file
    self.computed = computed
  }

  /// Returns the type of a declaration, or `nil` if nothing is known about it.
  func type(of target: NameLinks.Target) -> Type? {
    guard let symbol = workspace.declared(target) else { return nil }
    let index = workspace.files[target.file]?.index
    let type =
      index?.valueType(of: target.symbol)
      ?? (index?.imports.isEmpty == false ? program.type(of: symbol.name, in: target.file) : nil)
    // The columns of a table are known only after it has been read.
    if target.file == file, type?.isComplete != true, let known = computed(symbol.name.span) {
      return known
    }
    return type
  }

  /// Returns the type of an item that is a name; `nil` for other items.
  func type(of item: CompletionItem) -> Type? {
    item.page.flatMap(Workspace.target(ofPage:)).flatMap(type)
  }

  /// Returns whether the value of an item may fit, or `nil` if its type is unknown.
  func fit(_ item: CompletionItem, _ wanted: Wanted) -> Bool? {
    type(of: item).map(wanted.fits)
  }

  /// Returns whether the value of an item converts to a declared type, or `nil` if its type is
  /// unknown.
  func fit(_ item: CompletionItem, _ declared: ValueType) -> Bool? {
    type(of: item).map { $0.converted(to: declared) != .never }
  }

  /// Returns the field names of a parameter's default if it is a record.
  func defaultFields(of parameter: NameLinks.Target) -> Set<String>? {
    let file = parameter.file
    guard let value = workspace.files[file]?.index.initialValue(of: parameter.symbol),
      case .record(let it)? = workspace.types(of: file).type(at: value, in: file)
    else { return nil }
    return Set(it.fields.map(\.name))
  }
}

extension Type {
  /// Whether all fields of records in the type are known.
  fileprivate var isComplete: Bool {
    switch self {
    case .unknown, .error: false
    case .record(let it): !it.isOpen
    case .list(let item, _): item.isComplete
    case .either(let types): types.allSatisfy(\.isComplete)
    default: true
    }
  }

  /// Returns the type of a part, or `nil` if there is none.
  func part(at step: Cursor.Step) -> Type? {
    switch (self, step) {
    case (.list(let item, _), .item): item
    case (.record(let it), .name(let name)): it[name]
    case (.pair(let x, _), .name("x")), (.pair(let x, _), .name("width")): x
    case (.pair(_, let y), .name("y")), (.pair(_, let y), .name("height")): y
    default: nil
    }
  }

  /// The members of values that are not elements.
  var members: [CompletionItem] {
    switch self {
    case .record(let it):
      it.fields.map {
        CompletionItem($0.name, .member, detail: $0.type.isOpen ? "" : $0.type.notation, group: 0)
      }
    case .pair: ["x", "y", "width", "height"].map { CompletionItem($0, .member) }
    case .box: ["width", "height", "size"].map { CompletionItem($0, .member) }
    case .element: ElementKind.commonMembers.map { CompletionItem($0, .member) }
    case .either(let types):
      types.map(\.members).max { $0.count < $1.count } ?? []
    default: []
    }
  }
}
