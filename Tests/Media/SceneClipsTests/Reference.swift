// SPDX-License-Identifier: MIT
import Foundation
import SceneClips
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem
import SceneTestSupport
import Testing

/// The results of ffmpeg for a file, and comparisons with them.
enum Reference {
  private static let ffmpeg = ["/usr/bin/ffmpeg", "-nostdin", "-v", "error"]

  // MARK: Sound

  /// The sound that ffmpeg decodes, as samples of 32-bit floats.
  struct Sound {
    let bytes: Data
    /// Whether ffmpeg reports errors.
    var isDamaged = false
  }

  /// Compares the samples that both have, and returns their number; `nil` if ffmpeg decodes none.
  static func compareSound(_ path: String, _ info: ClipInfo, _ store: ClipStore) throws -> Int? {
    let folder = try Folder()
    let run = try Program.run(
      ffmpeg + ["-i", path, "-vn", "-f", "f32le", "a.raw"], in: folder.path)
    guard let bytes = folder.data("a.raw"), !bytes.isEmpty else { return nil }
    let sound = Sound(bytes: bytes, isDamaged: !run.errors.isEmpty)
    return try compareSound(path, info, in: store, to: sound)
  }

  /// Compares the samples that both have, and returns their number.
  ///
  /// Sound starts with the first sample of ffmpeg or, if the first packets give none, at the time
  /// of the first packet. Sound before time 0 may be missing.
  static func compareSound(
    _ path: String, _ info: ClipInfo, in store: ClipStore, to reference: Sound
  ) throws -> Int {
    let sound = try #require(info.sound)
    let bytes = reference.bytes
    let wanted = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    let count = min(sound.sampleCount, wanted.count / sound.channels)
    let found = try store.sound(info.digest, from: 0, count: sound.sampleCount)
    var ratio = ratio(found, wanted)
    if ratio <= 60 {
      for begin in try beginnings(path, rate: sound.rate) {
        let shifted = Self.ratio(
          found.dropFirst(max(0, begin) * sound.channels),
          wanted.dropFirst(max(0, -begin) * sound.channels))
        ratio = max(ratio, shifted)
      }
    }
    // Our samples lack the parts that ffmpeg omits from a damaged file.
    guard ratio <= 60, !reference.isDamaged else { return count }
    let shifts = (-1500...1500).map { $0 * sound.channels }
    let best = try #require(shifts.max { start(found, wanted, $0) < start(found, wanted, $1) })
    Issue.record(
      """
      \(path): \(ratio) dB over \(count) samples; most alike when \(best / sound.channels) samples \
      later
      """)
    return count
  }

  /// Returns the possible positions of ffmpeg's first sample, in samples from the start of the
  /// file.
  private static func beginnings(_ path: String, rate: Int) throws -> [Int] {
    func time(_ entry: String) throws -> Double {
      let run = try Program.run([
        "/usr/bin/ffprobe", "-v", "error", "-select_streams", "a:0", "-read_intervals", "%+#3",
        "-show_entries", "\(entry)=pts_time", "-of", "csv=p=0", path,
      ])
      let line = run.output.split(separator: "\n").first ?? ""
      return Double(line.prefix { $0 != "," }) ?? 0
    }
    let (packet, frame) = (try time("packet"), try time("frame"))
    // AAC before time 0 is one frame, whose time may be rounded to milliseconds.
    return [Int(((frame - max(0, packet)) * Double(rate)).rounded()), frame < 0 ? -1024 : 0]
  }

  /// Returns the signal-to-noise ratio in decibels.
  private static func ratio(_ found: some Sequence<Float>, _ wanted: some Sequence<Float>) -> Double
  {
    var (signal, noise) = (1e-3, 1e-12)
    for (a, b) in zip(found, wanted) {
      signal += Double(b) * Double(b)
      noise += (Double(a) - Double(b)) * (Double(a) - Double(b))
    }
    return 10 * log10(signal / noise)
  }

  /// Returns the ratio for the first samples, with one signal shifted.
  private static func start(_ found: [Float], _ wanted: [Float], _ shift: Int) -> Double {
    ratio(found.dropFirst(max(0, shift)).prefix(8000), wanted.dropFirst(max(0, -shift)))
  }

  /// Returns whether ffmpeg decodes anything from a file.
  static func decodes(_ path: String) throws -> Bool {
    let folder = try Folder()
    let run = try Program.run(
      ffmpeg + ["-i", path, "-frames:v", "1", "-t", "1", "-f", "framecrc", "out.txt"],
      in: folder.path)
    let text = folder.data("out.txt").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return run.status == 0 && text.split(separator: "\n").contains { !$0.hasPrefix("#") }
  }

  // MARK: Frames

  /// The results of a comparison of frames.
  struct Frames {
    var count = 0
    /// The number of frames that cannot be decoded.
    var lost = 0
    var differences: [String] = []
  }

  /// Compares every frame with the frame of ffmpeg at that time; `nil` if ffmpeg decodes none.
  ///
  /// Luma is compared as decoded, sample by sample. Frames that are converted during decoding (RGB,
  /// fields) are compared as small gray images.
  static func compareFrames(_ path: String, _ info: ClipInfo, _ store: ClipStore) throws -> Frames?
  {
    let folder = try Folder()
    let format = info.pictures?.format
    let isExact = format.map { $0.layout != .bgra && $0.fields == .progressive } ?? false
    let filter = isExact ? "extractplanes=y" : "scale=16:16:flags=area,format=rgb24"
    let run = try Program.run(
      ffmpeg + [
        "-noautorotate", "-i", path, "-map", "0:v:0?", "-an", "-vf", filter, "-fps_mode",
        "passthrough", "-f", "rawvideo", "frames.raw", "-map", "0:v:0?", "-an", "-fps_mode",
        "passthrough", "-c:v", "rawvideo", "-f", "framecrc", "times.txt",
      ], in: folder.path)
    guard run.status == 0 || folder.data("frames.raw") != nil,
      let bytes = folder.data("frames.raw"),
      !bytes.isEmpty, let times = folder.data("times.txt").map({ frameTimes($0) }), !times.isEmpty
    else { return nil }
    let pictures = try #require(info.pictures, "\(path) has pictures")
    let size = bytes.count / times.count
    let isScaled = path.contains("resize")
    var frames = Frames()
    let all = (0..<pictures.times.count).map { pictures.times.start(of: $0).seconds }
    // Containers round times.
    let slack = min(0.0015, 0.4 * (zip(all.dropFirst(), all).map { $0 - $1 }.min() ?? 1))
    for (number, time) in times.enumerated() {
      guard let own = all.lastIndex(where: { $0 <= time - times[0] + slack }) else { continue }
      frames.count += 1
      var wanted = [UInt8](bytes[number * size..<(number + 1) * size])
      if !isExact { wanted = luma(ofRGB: wanted) }
      let found: [UInt8]
      do {
        let picture = try store.picture(info.digest, own)
        found = isExact ? luma(of: picture) : small(picture.draw())
      } catch {
        if run.errors.isEmpty { frames.differences.append("frame \(number): \(error)") }
        frames.lost += 1
        continue
      }
      // Both scale a frame that has another size.
      let isSame =
        isExact
        ? found == wanted || isScaled && difference(found, wanted) < 2
        : difference(found, wanted) < 6
      if !isSame || abs(all[own] - (time - times[0])) > slack {
        frames.differences.append("frame \(number) at \(time)s is not frame \(own) at \(all[own])s")
      }
    }
    return frames
  }

  /// Returns the times in the output of the muxer `framecrc`, in seconds.
  private static func frameTimes(_ data: Data) -> [Double] {
    var base = 1.0
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { line in
      if line.hasPrefix("#tb 0:") {
        let parts = line.split(separator: " ").last?.split(separator: "/").compactMap { Double($0) }
        if let parts, parts.count == 2 { base = parts[0] / parts[1] }
      }
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard !line.hasPrefix("#"), fields.count > 2, let time = Double(fields[2]) else { return nil }
      return time * base
    }
  }

  /// Returns the first plane without the padding of its rows.
  private static func luma(of picture: ClipPicture) -> [UInt8] {
    picture.withPlane(0) { bytes, plane in
      var samples: [UInt8] = []
      samples.reserveCapacity(plane.width * plane.rows)
      for row in 0..<plane.rows {
        for index in 0..<plane.width { samples.append(bytes.byte(row * plane.stride + index)) }
      }
      return samples
    }
  }

  private static func luma(ofRGB bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count - 2, by: 3).map {
      let (red, green, blue) = (Double(bytes[$0]), Double(bytes[$0 + 1]), Double(bytes[$0 + 2]))
      return UInt8(0.299 * red + 0.587 * green + 0.114 * blue)
    }
  }

  /// Returns 16 by 16 averages of the luma of an image, with the bottom row last.
  private static func small(_ image: PixelBuffer) -> [UInt8] {
    let (width, height) = (image.size.width, image.size.height)
    return (0..<256).map { cell in
      let columns =
        cell % 16 * width / 16..<max(cell % 16 * width / 16 + 1, (cell % 16 + 1) * width / 16)
      let rows =
        cell / 16 * height / 16..<max(cell / 16 * height / 16 + 1, (cell / 16 + 1) * height / 16)
      var sum = 0.0
      for y in rows {
        for x in columns {
          let pixel = image.pixel(x, y)
          sum +=
            0.299 * Double(pixel.red) + 0.587 * Double(pixel.green) + 0.114 * Double(pixel.blue)
        }
      }
      return UInt8(max(0, min(255, sum / Double(rows.count * columns.count))))
    }
  }

  /// Returns the mean difference of bytes.
  private static func difference(_ found: [UInt8], _ wanted: [UInt8]) -> Double {
    guard found.count == wanted.count else { return .infinity }
    return zip(found, wanted).reduce(0) { $0 + abs(Double($1.0) - Double($1.1)) }
      / Double(found.count)
  }
}
