// SPDX-License-Identifier: MIT
import SceneCompare
import SceneGraphics
import SceneIR
import ScenePixels
import SceneRaster
import SceneSession

/// Draws frames of two versions and compares their pixels.
struct DiffImages {
  /// The maximum number of ranges with images.
  static let mostRanges = 24
  private static let width = 640
  /// The number of frames among which the one with the most differences is chosen.
  private static let candidates = 5

  let old: DrawingResources
  let new: DrawingResources

  private func canvas(_ program: FrameProgram, _ resources: DrawingResources)
    throws(DrawingError) -> Canvas
  {
    let canvas = try Canvas(program.size, isOpaque: program.isOpaque, resources: resources)
    try canvas.draw(program)
    return canvas
  }

  /// Returns whether the pixels of two frames differ.
  func differ(_ a: FrameProgram, _ b: FrameProgram) throws(DrawingError) -> Bool {
    guard a.size == b.size else { return true }
    return try canvas(a, old).rgba() != canvas(b, new).rgba()
  }

  /// Adds the first frame, the one with the most differences, and the last frame of a range.
  func add(to range: inout DiffReport.Range, _ comparer: inout Comparer) throws(DrawingError) {
    let count = max(range.old.frameCount, range.new.frameCount)
    let isPair = range.old.frameCount > 0 && range.new.frameCount > 0
    let both = isPair ? min(range.old.frameCount, range.new.frameCount) : count
    var found: [Candidate] = []
    let steps = min(both, Self.candidates)
    for step in 0..<steps {
      let offset = steps > 1 ? step * (both - 1) / (steps - 1) : 0
      let before =
        range.old.frameCount > 0
        ? small(comparer.oldProgram(range.old.firstFrame + offset)) : nil
      let after =
        range.new.frameCount > 0
        ? small(comparer.newProgram(range.new.firstFrame + offset)) : nil
      let (images, difference) = try images(
        before, after, frame: (range.new.frameCount > 0 ? range.new : range.old).firstFrame + offset
      )
      found.append(Candidate(offset: offset, difference: difference, images: images))
    }
    let worst = found.max { $0.difference < $1.difference }?.offset
    range.images = found.filter { $0.offset == 0 || $0.offset == worst || $0.offset == both - 1 }
      .map(\.images)
    let hasDifference = found.contains { $0.images.difference != nil }
    if isPair, hasDifference { range.isVisible = found.contains { $0.difference > 0 } }
  }

  /// A frame from which the report selects its images.
  private struct Candidate {
    let offset: Int
    /// The sum of the differences of all channels.
    let difference: Int
    let images: DiffReport.Images
  }

  private func small(_ program: FrameProgram) -> FrameProgram {
    guard program.size.width > Self.width else { return program }
    let height = program.size.height * Self.width / program.size.width
    return program.scaled(to: PixelSize(Self.width, max(1, height)))
  }

  /// Returns the images of a frame and the sum of their differences.
  private func images(_ before: FrameProgram?, _ after: FrameProgram?, frame: Int)
    throws(DrawingError) -> (DiffReport.Images, Int)
  {
    let a = try before.map { (program) throws(DrawingError) in try canvas(program, old) }
    let b = try after.map { (program) throws(DrawingError) in try canvas(program, new) }
    var difference: (png: [UInt8]?, sum: Int) = (nil, 0)
    if let a, let b, let size = after?.size, before?.size == size {
      difference = Self.difference(a.rgba(), b.rgba(), size: size)
    }
    let images = DiffReport.Images(
      frame: frame, old: try a?.png(isCompressed: true), new: try b?.png(isCompressed: true),
      difference: difference.png)
    return (images, difference.sum)
  }

  /// Returns four times the absolute difference over a gray copy of the new frame, as PNG.
  private static func difference(_ a: [UInt8], _ b: [UInt8], size: PixelSize)
    -> (png: [UInt8]?, sum: Int)
  {
    let buffer = PixelBuffer(size, isOpaque: true)
    var sum = 0
    buffer.withBytes { bytes in
      for pixel in 0..<size.width * size.height {
        let at = 4 * pixel
        let light = (2 * Int(b[at]) + 5 * Int(b[at + 1]) + Int(b[at + 2])) / 8
        // Bytes of the buffer are blue, green, red and alpha.
        for channel in 0..<3 {
          let change = abs(Int(a[at + channel]) - Int(b[at + channel]))
          sum += change
          bytes[at + 2 - channel] = UInt8(min(255, light / 5 + 4 * change))
        }
        bytes[at + 3] = 255
        sum += abs(Int(a[at + 3]) - Int(b[at + 3]))
      }
    }
    return (buffer.withRows { $0.png(isOpaque: true, level: 9) }, sum)
  }
}
