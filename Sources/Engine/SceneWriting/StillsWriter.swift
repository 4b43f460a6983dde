// SPDX-License-Identifier: MIT
import SceneFiles
import SceneOutput
import SceneSystem

/// Writes numbered image files that are all moved into place together at the end.
final class StillsWriter {
  private let pattern: NumberPattern
  let files: OutputSet
  private var last: [UInt8] = []

  init(_ path: String, inputs: [String]) throws {
    guard let pattern = NumberPattern(path) else {
      throw FileError("the file name '\(path)' must contain a number such as %04d")
    }
    self.pattern = pattern
    files = try OutputSet(pattern.name(0), inputs: inputs)
  }

  func write(_ bytes: [UInt8]?, number: Int) throws(FileError) {
    if let bytes { last = bytes }
    try files.add(pattern.name(number), last)
  }

  func commit() throws { try files.commit() }

  func stale(after frames: Range<Int>) -> String? {
    let next = pattern.name(frames.upperBound)
    return Files.exists(next) ? next : nil
  }
}
