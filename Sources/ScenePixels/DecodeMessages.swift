// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel
import SceneSystem

// What scenec and its decoder say to each other.

/// What is wanted of a file, whose bytes come as a descriptor.
package enum DecodeRequest: Equatable, Sendable {
  /// The pictures of an image or animation, `count` of them from `first` on; their pixels as long as they
  /// are at most so many bytes together.
  case pictures(first: Int, count: Int, bytes: Int)
  /// An SVG at a multiple of its size; of some layers, or of all where there are none.
  case drawing(scale: Double, layers: Range<Int> = 0..<0)
  /// An SVG taken apart.
  case parts
  /// Whether every glyph of a font can be read.
  case font
  /// Which programs and libraries decode, as remarks.
  case code

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.number() {
    case 0: self = .pictures(first: reader.number(), count: reader.number(), bytes: reader.number())
    case 1:
      let scale = reader.double()
      let (first, count) = (reader.number(), reader.number())
      guard 0...Int(Int32.max) ~= first, 0...Int(Int32.max) ~= count else { return nil }
      self = .drawing(scale: scale, layers: first..<(first + count))
    case 2: self = .font
    case 3: self = .code
    case 4: self = .parts
    default: return nil
    }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    switch self {
    case .pictures(let first, let count, let bytes): message(0, first, count, bytes)
    case .drawing(let scale, let layers):
      message(1) + message(scale) + message(layers.lowerBound, layers.count)
    case .font: message(2)
    case .code: message(3)
    case .parts: message(4)
    }
  }
}

/// What comes back: pictures, each followed by its pixels where they are wanted, remarks, and an end.
package enum DecodeReply: Equatable, Sendable {
  case picture(PixelSize, hasPixels: Bool, isOpaque: Bool, isVector: Bool, seconds: Double)
  /// What is missing in a file that is shown all the same.
  case remark(String)
  /// Some bytes of an SVG taken apart; the next ones follow.
  case piece([UInt8])
  case done
  case refused(AssetFault)

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.number() {
    case 0:
      self = .picture(
        PixelSize(reader.number(), reader.number()), hasPixels: reader.number() != 0,
        isOpaque: reader.number() != 0, isVector: reader.number() != 0, seconds: reader.double())
    case 1: self = .remark(reader.text())
    case 2: self = .done
    case 3: self = .refused(.undecodable(reader.text()))
    case 4: self = .refused(.tooLarge(reader.text()))
    case 5: self = .piece(Array(reader.bytes(bytes.count - 8) ?? []))
    default: return nil
    }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    switch self {
    case .picture(let size, let hasPixels, let isOpaque, let isVector, let seconds):
      message(
        0, size.width, size.height, hasPixels ? 1 : 0, isOpaque ? 1 : 0, isVector ? 1 : 0)
        + message(seconds)
    case .remark(let text): message(1) + message(text)
    case .piece(let bytes): message(5) + bytes
    case .done: message(2)
    case .refused(.tooLarge(let what)): message(4) + message(what)
    case .refused(.undecodable(let why)): message(3) + message(why)
    case .refused: message(3) + message("the file cannot be read")
    }
  }
}

/// What one file may take.
package enum DecodeLimits {
  /// Bytes beyond what the process has when it begins.
  package static let memory = 480 << 20
  /// Seconds of CPU.
  package static let time: UInt32 = 5
}

/// Why a file could not be decoded to its end: the status that `scenec-decode` ends with.
package enum DecodeFailure: Int32, Sendable {
  case time = 1
  case memory
  case fault

  package static func status(_ failure: DecodeFailure, isVector: Bool) -> Int32 {
    failure.rawValue + (isVector ? 8 : 0)
  }

  /// What to say of a helper that ended.
  package static func words(status: Int32) -> String {
    let who = status & 8 != 0 ? "the SVG renderer" : "the decoder"
    return switch DecodeFailure(rawValue: status & 7) {
    case .time: "\(who) exceeds the limit of \(DecodeLimits.time) s of CPU time"
    case .memory: "\(who) exceeds the limit of \(DecodeLimits.memory >> 20) MiB of memory"
    case .fault, nil: "\(who) crashed"
    }
  }
}
