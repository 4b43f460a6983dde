// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import ScenePixels
import SceneSystem

// Conversion of color profiles (ICC.1) to sRGB.
extension ImageDecoder {
  /// Converts straight pixels to sRGB, in place.
  func toSRGB(_ buffer: PixelBuffer, _ profile: [UInt8]) {
    guard profile.count > 128, !isSRGB(profile) else { return }
    guard
      let transform = unsafe Owned(
        scene_to_srgb(profile, UInt32(profile.count)), cmsDeleteTransform)
    else { return }
    let (pixels, count) = unsafe (buffer.memory.bytes.baseAddress, buffer.byteCount / 4)
    unsafe cmsDoTransform(transform.pointer, pixels, pixels, UInt32(count))
  }

  /// Returns whether a profile is sRGB, according to its description.
  private func isSRGB(_ profile: [UInt8]) -> Bool {
    let text = String(decoding: profile.prefix(2000).filter { $0 != 0 }, as: UTF8.self)
    return text.contains("sRGB")
  }

  /// The concatenated color profile of the APP2 markers, if any (ICC.1 annex B.4).
  var jpegProfile: [UInt8]? {
    let name = Array("ICC_PROFILE\0".utf8)
    var parts: [UInt8: ArraySlice<UInt8>] = [:]
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF, bytes[at + 1] != 0xDA {
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      let end = at + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      let body = bytes[(at + 4)..<end]
      if bytes[at + 1] == 0xE2, body.starts(with: name), body.count > name.count + 2 {
        let number = body[body.startIndex + name.count]
        parts[number] = body.dropFirst(name.count + 2)
      }
      at = end
    }
    guard !parts.isEmpty else { return nil }
    return parts.sorted { $0.key < $1.key }.flatMap { Array($0.value) }
  }
}
