// SPDX-License-Identifier: MIT
import CLinux
import SceneClips
import SceneModel
import SceneSystem

/// Reads the pictures and the sound of a clip: each picture exactly, in any order.
///
/// ```swift
/// let clip = try ClipReader("waves.mp4")
/// for number in 0..<clip.count { try film.append { $0.draw(try clip.picture(number), in: $0.frame) } }
/// ```
///
/// `scenec-clip` decodes, a process with limits and fences, which is beside this program or in `PATH`.
/// Pictures that were decoded are kept for a while, 256 MiB of all clips together.
public final class ClipReader: Sendable {
  /// The sound of a clip.
  public struct Sound: Hashable, Sendable {
    /// Samples a second.
    public let rate: Int
    public let channels: Int
    /// Of each channel.
    public let sampleCount: Int
  }

  public let path: String
  /// Of a picture as it is shown: upright, with square pixels.
  public let size: PixelSize
  /// How many pictures there are.
  public let count: Int
  /// Seconds from the first picture to the end of the last.
  public let duration: Double
  /// Pictures a second, where their times fit a rate.
  public let rate: Double?
  /// As libav names it: `h264`.
  public let codec: String
  /// `nil` for a silent clip.
  public let sound: Sound?
  /// What is wrong with the file though it can be shown, such as "it is cut short at 12.3s of 60s".
  public let remarks: [String]
  private let digest: ClipDigest
  private let pictures: ClipPictures

  /// Opens a clip and finds all its pictures, which takes a moment for the first time.
  public init(_ path: String) throws(FilmFault) {
    self.path = path
    let file = Files.open(path, O_RDONLY | O_NONBLOCK)
    guard file >= 0 else {
      throw FilmFault(.file, "cannot read '\(path)': \(Files.reason())")
    }
    defer { close(file) }
    let info: ClipInfo
    do throws(AssetFault) {
      info = try Shared.clips.index(file, path: path)
    } catch {
      throw FilmFault(error, path)
    }
    guard let pictures = info.pictures else {
      Shared.clips.forget([info.digest])
      throw FilmFault(.picture, "'\(path)' has no video track")
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

  // MARK: Pictures

  /// When a picture is shown, in seconds from the first one.
  public func time(of picture: Int) -> Double { pictures.times.start(of: picture).seconds }

  /// The number of the picture that is shown at a time: the first one before all, the last one after
  /// all, unless the clip is looped.
  public func number(at seconds: Double, isLooped: Bool = false) -> Int {
    let length = Double(pictures.times.length.rawValue)
    var ticks = seconds * Double(Ticks.perSecond)
    guard ticks.isFinite, length > 0 else { return 0 }
    ticks.round()
    if isLooped {
      ticks = ticks.truncatingRemainder(dividingBy: length)
      if ticks < 0 { ticks += length }
      // A time that misses the end by a rounding is that of the first picture.
      if length - ticks <= Double(ClipTimes.tolerance) { ticks = 0 }
    }
    return pictures.times.picture(at: Ticks(Int64(max(0, min(length, ticks)))))
  }

  /// A picture by its number.
  public func picture(_ number: Int) throws(FilmFault) -> Picture {
    precondition((0..<count).contains(number), "the frame number is outside the clip")
    do throws(ClipFault) { _ = try Shared.clips.picture(digest, number) } catch {
      throw FilmFault(error)
    }
    return Picture(self, digest, pictures, number)
  }

  /// The picture that is shown at a time.
  public func picture(at seconds: Double, isLooped: Bool = false) throws(FilmFault) -> Picture {
    try picture(number(at: seconds, isLooped: isLooped))
  }

  /// All pictures in order, again and again where the clip is looped.
  public func pictures(isLooped: Bool = false) -> ClipSequence {
    ClipSequence(clip: self, isLooped: isLooped)
  }

  // MARK: Sound

  /// Samples of each channel from a number on, by turns, from -1 to 1; silence where the clip has none.
  public func samples(from first: Int, count: Int) throws(FilmFault) -> [Float] {
    guard sound != nil else { throw FilmFault(.settings, "'\(path)' has no audio track") }
    do throws(ClipFault) {
      return try Shared.clips.sound(digest, from: first, count: count)
    } catch {
      throw FilmFault(error)
    }
  }
}

/// The pictures of a clip in order. It ends with the clip, or with the task.
public struct ClipSequence: AsyncSequence, Sendable {
  let clip: ClipReader
  let isLooped: Bool

  /// Where in the clip one is.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let sequence: ClipSequence
    fileprivate var number = 0

    /// Decodes the next picture.
    public mutating func next() async throws(FilmFault) -> Picture? {
      if sequence.isLooped, number == sequence.clip.count { number = 0 }
      guard number < sequence.clip.count, !Task.isCancelled else { return nil }
      defer { number += 1 }
      return try sequence.clip.picture(number)
    }
  }

  public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }
}
