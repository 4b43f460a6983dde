// SPDX-License-Identifier: MIT
import Foundation

/// The repository, located relative to this file.
package enum Repository {
  package static let path: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { url.deleteLastPathComponent() }
    return url.path
  }()

  package static func text(_ file: String) throws -> String {
    try String(contentsOfFile: path + "/" + file, encoding: .utf8)
  }

  /// Returns the lines of a file, including empty ones.
  package static func lines(_ file: String) throws -> [Substring] {
    try text(file).utf8.split(separator: 10, omittingEmptySubsequences: false)
      .map { Substring($0) }
  }

  /// Returns the words of a file, including the dots before and in them, such as `.text` and `a.b`.
  package static func dottedWords(_ file: String) throws -> [Substring] {
    func isPart(_ byte: UInt8) -> Bool {
      if byte >= 0x80 || byte == UInt8(ascii: ".") { return true }
      return (48...57).contains(byte) || (97...122).contains(byte | 0x20)
    }
    return try text(file).utf8.split { !isPart($0) }.map { Substring($0) }
  }

  package static func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file)))
  }

  /// Returns all files below a folder with a suffix, sorted, relative to the repository.
  package static func files(in folder: String, ending: String = "") -> [String] {
    let all = FileManager.default.enumerator(atPath: path + "/" + folder)
    var names: [String] = []
    while let name = all?.nextObject() as? String {
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(
        atPath: "\(path)/\(folder)/\(name)", isDirectory: &isFolder)
      if !isFolder.boolValue, name.hasSuffix(ending) { names.append(folder + "/" + name) }
    }
    return names.sorted()
  }
}

/// A table in `Tests/Conformance`, with its rows as dictionaries of column names.
package struct ConformanceTable {
  package let rows: [[String: String]]

  package init(_ file: String) throws {
    let lines = try Repository.text("Tests/Conformance/" + file)
      .split(separator: "\n", omittingEmptySubsequences: true)
      .drop { $0.hasPrefix("# ") }
    let names = lines.first?.split(separator: "\t", omittingEmptySubsequences: false) ?? []
    rows = lines.dropFirst().map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      var row: [String: String] = [:]
      for (name, field) in zip(names, fields) {
        row[String(name)] = ConformanceTable.unescaped(String(field))
      }
      return row
    }
  }

  private static func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var result = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      switch next {
      case "t": result.append("\t")
      case "n": result.append("\n")
      case "r": result.append("\r")
      case "f": result.append("\u{0C}")
      case "0": result.append("\0")
      case "x":
        let digits = rest.prefix(2)
        rest = rest.dropFirst(2)
        result.unicodeScalars.append(Unicode.Scalar(UInt8(digits, radix: 16) ?? 63))
      default: result.append(next)
      }
    }
    return result
  }
}
