// SPDX-License-Identifier: MIT
import SceneEditing
import SceneJSON
import SceneSystem
import SceneText

/// A text that is open in an editor.
struct Document: Sendable {
  let uri: String
  var version: Int
  private(set) var source: SourceFile

  init(uri: String, version: Int, text: String) {
    self.uri = uri
    self.version = version
    source = SourceFile(name: "", text: text)
  }

  /// The replaced bytes, and the number of new bytes.
  struct Edit: Hashable, Sendable {
    let range: Range<Int>
    let count: Int
  }

  /// Applies the changes that an editor reports, in order.
  mutating func change(_ changes: [JSON], _ encoding: PositionEncoding) -> [Edit] {
    var edits: [Edit] = []
    for change in changes {
      guard let text = change["text"].string else { continue }
      let range = Document.range(change["range"], in: source, encoding: encoding)
      edits += replace(range, with: Array(text.utf8))
    }
    return edits
  }

  /// Replaces a byte range, or the whole text. In the latter case, the edit is the differing part.
  mutating func replace(_ range: Range<Int>?, with new: [UInt8]) -> [Edit] {
    let old = source.bytes
    guard let range else {
      if old == new { return [] }
      let first = zip(old, new).prefix { $0 == $1 }.count
      let last = zip(old[first...].reversed(), new[first...].reversed()).prefix { $0 == $1 }.count
      source = SourceFile(id: FileID(0), name: "", bytes: new)
      return [Edit(range: first..<old.count - last, count: new.count - first - last)]
    }
    var bytes = old
    bytes.replaceSubrange(range, with: new)
    source = SourceFile(id: FileID(0), name: "", bytes: bytes)
    return [Edit(range: range, count: new.count)]
  }

  /// Converts an LSP range to a byte range; returns `nil` if the range is missing.
  static func range(_ range: JSON, in source: SourceFile, encoding: PositionEncoding)
    -> Range<Int>?
  {
    guard let start = Position(range["start"]), let end = Position(range["end"]) else { return nil }
    let (a, b) = (source.offset(of: start, encoding), source.offset(of: end, encoding))
    return min(a, b)..<max(a, b)
  }
}

extension Position {
  init?(_ json: JSON) {
    guard let line = json["line"].int, let character = json["character"].int else { return nil }
    self.init(max(0, line), max(0, character))
  }

  var json: JSON { ["line": .int(line), "character": .int(character)] }
}

/// The open texts by URI.
struct DocumentStore: Sendable {
  static let greatestCount = 1000
  private(set) var open: [String: Document] = [:]
  var encoding = PositionEncoding.utf16

  subscript(_ uri: String) -> Document? { open[uri] }

  /// The effect of a notification on a text.
  struct Taken: Sendable {
    let uri: String
    var edits: [Document.Edit] = []

    var isChanged: Bool { !edits.isEmpty }
  }

  /// Processes a text synchronization notification. Returns `nil` for other notifications and for
  /// those that cannot be applied.
  mutating func take(_ method: String, _ parameters: JSON) -> Taken? {
    let document = parameters["textDocument"]
    guard let uri = document["uri"].string else { return nil }
    switch method {
    case "textDocument/didOpen":
      guard open.count < DocumentStore.greatestCount || open[uri] != nil,
        let text = document["text"].string
      else { return nil }
      open[uri] = Document(uri: uri, version: document["version"].int ?? 0, text: text)
    case "textDocument/didChange":
      guard open[uri] != nil else { return nil }
      let edits = open[uri]?.change(parameters["contentChanges"].array, encoding) ?? []
      let before = open[uri]?.version ?? 0
      open[uri]?.version = document["version"].int ?? before &+ 1
      return Taken(uri: uri, edits: edits)
    case "textDocument/didSave":
      guard open[uri] != nil else { return nil }
      let edits =
        parameters["text"].string.map { open[uri]?.replace(nil, with: Array($0.utf8)) ?? [] } ?? []
      return Taken(uri: uri, edits: edits)
    case "textDocument/didClose": open[uri] = nil
    default: return nil
    }
    return Taken(uri: uri)
  }
}

/// Conversions between file paths and URIs.
package enum FileURI {
  /// Returns the absolute path of a `file:` URI; `nil` for other schemes.
  static func path(_ uri: String) -> String? {
    guard uri.lowercased().hasPrefix("file://") else { return nil }
    var rest = uri.dropFirst(7)[...]
    // Skips the host name, which is assumed to be the local host.
    if rest.first != "/" { rest = rest.drop { $0 != "/" } }
    var bytes: [UInt8] = []
    var text = Array(rest.utf8)[...]
    while let byte = text.popFirst() {
      if byte == UInt8(ascii: "%"), text.count >= 2,
        let value = UInt8(String(decoding: text.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        text = text.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard bytes.first == UInt8(ascii: "/"), !bytes.contains(0) else { return nil }
    return path(String(decoding: bytes, as: UTF8.self), besides: "")
  }

  /// Returns the absolute path of a name relative to the folder of a file.
  static func path(_ name: String, besides file: String) -> String {
    var parts = name.hasPrefix("/") ? [] : file.split(separator: "/").dropLast()
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the folder of a file, without a trailing slash (except for `/`).
  static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    return folder.isEmpty ? "/" : String(folder)
  }

  static func uri(_ path: String) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    return "file://"
      + path.utf8.map { byte in
        if plain.contains(byte) { return String(UnicodeScalar(byte)) }
        return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
  }
}
