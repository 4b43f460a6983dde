// SPDX-License-Identifier: MIT
import SceneModel

/// The external references of an SVG. librsvg silently omits files that it may not read.
struct SVGReferences {
  /// Referenced files, which are not read.
  private(set) var files: [String] = []
  /// Embedded images, decoded from base64.
  private(set) var pictures: [[UInt8]] = []
  /// The media types of embedded images that are not supported.
  private(set) var unknownTypes: [String] = []

  private static let elements = ["image", "feImage", "use"].map { Array($0.utf8) }

  init(_ bytes: [UInt8]) {
    var at = 0
    while let open = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = open + 1
      let rest = bytes[at...]
      // The name may have a namespace prefix.
      let name = rest.prefix(64).prefix {
        $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/")
      }
      let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
      guard Self.elements.contains(where: { local.elementsEqual($0) }) else { continue }
      let end = rest.firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
      for value in SVGReferences.references(bytes[at..<end]) { take(value) }
      at = end
    }
  }

  /// Returns the values of `href` and `xlink:href` in a tag.
  private static func references(_ tag: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let word = Array("href".utf8)
    var values: [ArraySlice<UInt8>] = []
    var at = tag.startIndex
    while at + word.count < tag.endIndex {
      guard tag[at] == word[0], tag[at...].starts(with: word) else {
        at += 1
        continue
      }
      let rest = tag[(at + word.count)...].drop { $0 <= 32 || $0 == UInt8(ascii: "=") }
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        return values
      }
      let value = rest.dropFirst().prefix { $0 != quote }
      values.append(value)
      at = value.endIndex
    }
    return values
  }

  private mutating func take(_ value: ArraySlice<UInt8>) {
    let value = value.drop { $0 <= 32 }
    guard let first = value.first, first != UInt8(ascii: "#") else { return }
    guard value.starts(with: Array("data:".utf8)) else {
      return files.append(String(decoding: value.prefix(80), as: UTF8.self))
    }
    guard let comma = value.firstIndex(of: UInt8(ascii: ",")) else { return }
    let kind = String(decoding: value[..<comma].dropFirst(5), as: UTF8.self).lowercased()
    let type = String(kind.prefix { $0 != ";" })
    if !["image/png", "image/jpeg", "image/jpg", "image/svg+xml"].contains(type) {
      unknownTypes.append(type)
    }
    guard kind.hasSuffix(";base64") else { return }
    pictures.append(SVGReferences.base64(value[(comma + 1)...]))
  }

  /// Decodes base64 (RFC 4648, section 4). Other characters are skipped.
  private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, count) = (0, 0)
    for byte in text {
      let digit: Int
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = Int(byte) - 65
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = Int(byte) - 71
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = Int(byte) + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: continue
      }
      (bits, count) = ((bits << 6 | digit) & 0xFFFF, count + 6)
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bytes
  }
}

extension ImageDecoder {
  /// Adds remarks about references that are not drawn. Throws if an embedded image is too large.
  func judgeReferences() throws(AssetError) {
    let references = SVGReferences(bytes)
    if let file = references.files.first {
      remark("the linked file '\(file)' is not loaded; embed it in the SVG")
    }
    if let type = references.unknownTypes.first {
      remark(
        "an embedded image has an unsupported format\(type.isEmpty ? "" : " (\(type))"), expected PNG or JPEG"
      )
    }
    for picture in references.pictures where !picture.starts(with: Array("<".utf8)) {
      do throws(AssetError) {
        _ = try ImageDecoder(picture) { _ in }
      } catch .tooLarge(let what) {
        throw .tooLarge("an embedded image: \(what)")
      } catch {
        remark("an embedded image is not drawn: \(error.reason)")
      }
    }
  }
}
