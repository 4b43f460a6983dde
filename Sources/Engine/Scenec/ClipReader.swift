// SPDX-License-Identifier: MIT
import CLinux
import SceneClips
import SceneModel
import SceneSystem

/// Reads the frames and the audio of a video clip. Access to frames is frame-exact and in any
/// order.
///
/// ```swift
/// let clip = try ClipReader("waves.mp4")
/// for number in 0..<clip.count { try film.append { $0.draw(try clip.frame(number), in: $0.frame) } }
/// ```
///
/// The sandboxed worker process `scenec-clip` decodes; its executable must be beside this program
/// or in `PATH`. Decoded frames of all clips share a cache of 256 MiB.
public final class ClipReader: Sendable {
  /// The format and length of a clip's audio.
  public struct Sound: Hashable, Sendable {
    /// The sample rate in hertz.
    public let rate: Int
    public let channels: Int
    /// The number of samples per channel.
    public let sampleCount: Int
  }

  public let path: String
  /// The size of a displayed frame: upright, with square pixels.
  public let size: PixelSize
  /// The number of frames.
  public let count: Int
  /// The time from the first frame to the end of the last, in seconds.
  public let duration: Double
  /// The frame rate in frames per second, or `nil` if the timestamps do not fit a constant rate.
  public let rate: Double?
  /// The codec's name in libav, such as `h264`.
  public let codec: String
  /// The audio format, or `nil` for a silent clip.
  public let sound: Sound?
  /// Warnings about a damaged but readable file, such as "the file is truncated at 12.3s of 60s".
  public let remarks: [String]
  private let digest: ClipDigest
  private let pictures: ClipPictures

  /// Opens a clip and indexes its frames. The first time, indexing reads the whole file.
  public init(_ path: String) throws(FilmError) {
    self.path = path
    let file = Files.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      throw FilmError(.file, "cannot read '\(path)': \(Files.reason())")
    }
    defer { close(file) }
    let info: ClipInfo
    do throws(AssetError) {
      info = try Shared.clips.index(file, path: path)
    } catch {
      throw FilmError(error, path)
    }
    guard let pictures = info.pictures else {
      Shared.clips.forget([info.digest])
      throw FilmError(.picture, "'\(path)' has no video track")
    }
    self.pictures = pictures
    digest = info.digest
    size = pictures.size
    count = pictures.times.count
    duration = pictures.times.length.seconds
    rate = pictures.times.rate?.value
    codec = pictures.codec
    sound = info.sound.map {
      Sound(rate: $0.rate, channels: $0.channels, sampleCount: $0.sampleCount)
    }
    remarks = info.remarks
  }

  deinit { Shared.clips.forget([digest]) }

  // MARK: Frames

  /// Returns the start time of a frame, in seconds from the first frame.
  public func time(of frame: Int) -> Double { pictures.times.start(of: frame).seconds }

  /// Returns the number of the frame at a time. Without looping, times before the clip map to the
  /// first frame and times after it to the last.
  public func number(at seconds: Double, isLooped: Bool = false) -> Int {
    let length = Double(pictures.times.length.rawValue)
    var ticks = seconds * Double(Ticks.perSecond)
    guard ticks.isFinite, length > 0 else { return 0 }
    ticks.round()
    if isLooped {
      ticks = ticks.truncatingRemainder(dividingBy: length)
      if ticks < 0 { ticks += length }
      // Rounding can place a time just before the end; it then maps to the first frame.
      if length - ticks <= Double(ClipTimes.tolerance) { ticks = 0 }
    }
    return pictures.times.picture(at: Ticks(Int64(max(0, min(length, ticks)))))
  }

  /// Decodes a frame by its number.
  public func frame(_ number: Int) throws(FilmError) -> Image {
    precondition((0..<count).contains(number), "the frame number is outside the clip")
    do throws(ClipError) { _ = try Shared.clips.picture(digest, number) } catch {
      throw FilmError(error)
    }
    return Image(self, digest: digest, pictures: pictures, number: number)
  }

  /// Decodes the frame that is visible at a time in seconds. If `isLooped` is `true`, the clip
  /// repeats without end; otherwise, times outside the clip map to its first or last frame.
  public func frame(at seconds: Double, isLooped: Bool = false) throws(FilmError) -> Image {
    try frame(number(at: seconds, isLooped: isLooped))
  }

  /// Returns all frames in order, repeated without end if `isLooped` is `true`.
  public func frames(isLooped: Bool = false) -> ClipSequence {
    ClipSequence(clip: self, isLooped: isLooped)
  }

  // MARK: Audio

  /// Returns interleaved samples of all channels, starting at sample `first`, in the range -1 to 1.
  /// Samples outside the clip are silent.
  public func samples(from first: Int, count: Int) throws(FilmError) -> [Float] {
    guard sound != nil else { throw FilmError(.settings, "'\(path)' has no audio track") }
    do throws(ClipError) {
      return try Shared.clips.sound(digest, from: first, count: count)
    } catch {
      throw FilmError(error)
    }
  }
}

/// The frames of a clip in order. The sequence ends with the clip or when the task is cancelled.
public struct ClipSequence: AsyncSequence, Sendable {
  let clip: ClipReader
  let isLooped: Bool

  /// A position in the sequence.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: ClipSequence
    fileprivate var number = 0

    /// Decodes the next frame.
    public mutating func next() async throws(FilmError) -> Image? {
      if sequence.isLooped, number == sequence.clip.count { number = 0 }
      guard number < sequence.clip.count, !Task.isCancelled else { return nil }
      defer { number += 1 }
      return try sequence.clip.frame(number)
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}
