// SPDX-License-Identifier: MIT
package import SceneModel
import ScenePixels
import SceneSystem

// The protocol between scenec and a worker process that reads one clip. The process receives the
// clip as a descriptor, followed by the descriptors for its work: memory to write the index into,
// or the index and memory to write frames into.

/// The task of a worker process.
package enum ClipWork: Int, Sendable {
  case index, pictures, sound, levels

  /// The number of descriptors, including the clip.
  package var fileCount: Int { self == .index ? 2 : 3 }

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    self.init(rawValue: reader.number())
  }

  package var bytes: [UInt8] { message(rawValue) }
}

/// A request for frames in ascending order, each with the memory slot for its result.
package struct PictureRequest: Equatable, Sendable {
  package static let most = 256
  package let pictures: [(number: Int, slot: Int)]

  package init(_ pictures: [(number: Int, slot: Int)]) { self.pictures = pictures }

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    let count = reader.number()
    guard count > 0, count <= PictureRequest.most else { return nil }
    pictures = (0..<count).map { _ in (reader.number(), reader.number()) }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    message([pictures.count] + pictures.flatMap { [$0.number, $0.slot] })
  }

  package static func == (a: PictureRequest, b: PictureRequest) -> Bool { a.bytes == b.bytes }
}

/// A request for a range of samples per channel.
package struct SoundRequest: Equatable, Sendable {
  package static let most = 1 << 16
  package let from: Int
  package let count: Int

  package init(from: Int, count: Int) {
    self.from = from
    self.count = count
  }

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    (from, count) = (reader.number(), reader.number())
    guard reader.isWhole, count > 0, count <= SoundRequest.most, abs(from) < 1 << 48 else {
      return nil
    }
  }

  package var bytes: [UInt8] { message(from, count) }
}

/// A request for audio levels.
package enum LevelsRequest: Equatable, Sendable {
  case measure(SoundMeasure)
  /// The power of every bin of a `SpectrumShape`, for each level.
  case spectra

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    let (kind, low, high) = (reader.number(), reader.number(), reader.number())
    guard reader.isWhole, (0...1_000_000).contains(low), (low...1_000_000).contains(high) else {
      return nil
    }
    switch kind {
    case 0: self = .measure(.power)
    case 1: self = .measure(.band(low: Double(low) / 10, high: Double(high) / 10))
    case 2: self = .measure(.onsets)
    case 3: self = .spectra
    default: return nil
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .measure(.power): message(0, 0, 0)
    case .measure(.band(let low, let high)): message(1, Int(low * 10), Int(high * 10))
    case .measure(.onsets): message(2, 0, 0)
    case .spectra: message(3, 0, 0)
    }
  }
}

/// A reply: one per index, one per frame.
package enum ClipReply: Equatable, Sendable {
  /// Success, with the number of samples, values or bytes written.
  case done(Int)
  /// Success of an audio request although a packet could not be decoded, with the number of the
  /// first sample of the first such packet.
  case damaged(Int)
  /// An error in the file or in one frame.
  case refused(AssetError)

  package init?(_ bytes: [UInt8]) {
    var reader = MessageReader(bytes)
    switch reader.number() {
    case 0: self = .done(reader.number())
    case 1: self = .refused(.undecodable(reader.text()))
    case 2: self = .refused(.tooLarge(reader.text()))
    case 3: self = .refused(.unsupported(reader.text()))
    case 4: self = .damaged(reader.number())
    default: return nil
    }
    guard reader.isWhole else { return nil }
  }

  package var bytes: [UInt8] {
    switch self {
    case .done(let count): message(0, count)
    case .damaged(let sample): message(4, sample)
    case .refused(.tooLarge(let what)): message(2) + message(what)
    case .refused(.unsupported(let format)): message(3) + message(format)
    case .refused(let error): message(1) + message(error.reason)
    }
  }
}
