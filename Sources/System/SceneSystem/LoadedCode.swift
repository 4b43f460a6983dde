// SPDX-License-Identifier: MIT
import CLinux

/// The identity of the running code. Equal strings imply equal code.
package enum LoadedCode {
  /// The identities of this program and all loaded libraries, sorted.
  package static var ofProcess: [String] {
    let map = Files.open("/proc/self/maps", O_RDONLY)
    guard map >= 0 else { return [] }
    defer { close(map) }
    var bytes: [UInt8] = []
    while let more = Files.next(map, upTo: 1 << 16), !more.isEmpty { bytes += more }
    var paths: Set<ArraySlice<UInt8>> = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A line consists of addresses, permissions, offset, device, inode and, after spaces, the
      // path.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
      guard fields.count == 3, fields[1].contains(UInt8(ascii: "x")),
        let slash = fields[2].firstIndex(of: UInt8(ascii: "/"))
      else { continue }
      paths.insert(fields[2][slash...])
    }
    return paths.map { identity(ofFile: String(decoding: $0, as: UTF8.self)) }.sorted()
  }

  /// Returns the build ID of a program or library, or else its size and modification time.
  package static func identity(ofFile path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let file = Files.open(path, O_RDONLY)
    guard file >= 0, let status = FileStatus(file: file) else { return name }
    defer { close(file) }
    if let digest = linkerDigest(Files.head(of: file, count: 8192)) { return name + " " + digest }
    return "\(name) \(status.size) \(status.written.0) \(status.written.1)"
  }

  /// Returns the build ID from the note of GNU linkers, which is near the start of the file: the
  /// length of the name, the length of the build ID, the type 3, and the name (ELF, "Note
  /// Section"). Returns `nil` if there is no such note.
  private static func linkerDigest(_ head: [UInt8]) -> String? {
    let name: [UInt8] = [3, 0, 0, 0, 0x47, 0x4E, 0x55, 0]
    guard head.count > 40 else { return nil }
    for at in stride(from: 8, to: head.count - 28, by: 4)
    where head[at] == 3 && head[at..<at + 8].elementsEqual(name) && head[at - 8] == 4 {
      let length = Int(head[at - 4])
      guard (8...20).contains(length) else { continue }
      return head[at + 8..<at + 8 + length].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        .joined()
    }
    return nil
  }
}
