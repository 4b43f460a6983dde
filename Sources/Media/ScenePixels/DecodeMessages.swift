// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneModel
import SceneSystem

// The protocol between scenec and its decoder.

/// A request about a file, whose bytes are passed as a descriptor.
package enum DecodeRequest: Equatable, Sendable {
  /// `count` frames of an image or animation, starting at `first`. Pixels are included up to a
  /// total of `bytes`.
  case pictures(first: Int, count: Int, bytes: Int)
  /// An SVG rendered at a multiple of its size, with some layers or, if the range is empty, all of
  /// it.
  case drawing(scale: Double, layers: Range<Int> = 0..<0)
  /// The decomposition of an SVG.
  case parts
  /// A check that every glyph of a font can be read.
  case font
  /// The identities of the programs and libraries that decode, as remarks.
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

/// A reply: frames, each followed by its pixels if included, remarks, and an end.
package enum DecodeReply: Equatable, Sendable {
  case picture(PixelSize, hasPixels: Bool, isOpaque: Bool, isVector: Bool, seconds: Double)
  /// A remark about missing parts of a file that is displayed anyway.
  case remark(String)
  /// A part of a decomposed SVG; more parts follow.
  case piece([UInt8])
  case done
  case refused(AssetError)

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

/// The resource limits for one file.
package enum DecodeLimits {
  /// The maximum memory in bytes, in addition to the memory in use at the start.
  package static let memory = 480 << 20
  /// The maximum CPU time in seconds.
  package static let time: UInt32 = 5
}

/// The reason why decoding failed, used as the exit status of `scenec-decode`.
package enum DecodeFailure: Int32, Sendable {
  case time = 1
  case memory
  case failure

  package static func status(_ failure: DecodeFailure, isVector: Bool) -> Int32 {
    failure.rawValue + (isVector ? 8 : 0)
  }

  /// Returns the message for the exit status of a decoder.
  package static func words(status: Int32) -> String {
    let who = status & 8 != 0 ? "the SVG renderer" : "the decoder"
    return switch DecodeFailure(rawValue: status & 7) {
    case .time: "\(who) exceeds the limit of \(DecodeLimits.time) s of CPU time"
    case .memory: "\(who) exceeds the limit of \(DecodeLimits.memory >> 20) MiB of memory"
    case .failure, nil: "\(who) crashed"
    }
  }
}
