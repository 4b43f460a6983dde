// SPDX-License-Identifier: MIT

/// The options of a build.
package struct BuildOptions: Sendable {
  /// The output files, in the order in which they were requested.
  package var outputs: [OutputRequest] = []
  /// The first frame and the end of the frames to build; by default, those of the scene.
  package var from: TimeOption?
  package var to: TimeOption?
  package var settings = CallSettings()
  /// The number of rendering threads; by default, the number of processors.
  package var jobs: Int?
  /// The shard to render, for builds on several machines.
  package var shard: Shard?

  /// Whether to write a caption file beside each video.
  package var hasSidecars = false

  /// Whether warnings count as errors.
  package var isStrict = false

  /// Whether to show timings, and the file for them.
  package var showsTimings = false
  package var timingsFile: String?

  /// The path of the Make rule with all input files (`--depfile`).
  package var depfile: String?

  /// Shard `number` of `count`, counting from 1.
  package struct Shard: Hashable, Sendable {
    package let number: Int
    package let count: Int

    package init(number: Int, count: Int) {
      self.number = number
      self.count = count
    }
  }

  package init() {}

  package static let mostShards = 10_000

  /// Returns options for exporting a different video: the number of threads is kept, file settings
  /// are not.
  package func export(_ output: OutputRequest, frames: Range<Int>?) -> BuildOptions {
    var it = BuildOptions()
    it.jobs = jobs
    it.outputs = [output]
    it.from = frames.map { .frames(Double($0.lowerBound)) }
    it.to = frames.map { .frames(Double($0.upperBound)) }
    return it
  }
}
