// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
package import SceneOutput
import SceneSession
import SceneText

/// The command line options of a build.
package struct BuildOptions: Sendable {
  /// The style of progress output (`--progress`).
  package enum ProgressStyle: String, Sendable { case auto, plain, json, none }

  /// The output files in the order of the command line.
  package var outputs: [OutputRequest]
  package var from: TimeOption?
  package var to: TimeOption?
  package var settings = CallSettings()
  /// The number of rendering threads; by default, the number of processors.
  package var jobs: Int?
  package var progress: ProgressStyle
  package let isQuiet: Bool
  /// The shard to render, for builds on several machines.
  package let shard: Shard?

  /// Whether to show timings, and the file for them.
  package private(set) var showsTimings: Bool
  package private(set) var timingsFile: String?

  /// The path of the Make rule with all input files (`--depfile`).
  package private(set) var depfile: String?

  /// Shard `number` of `count`, counting from 1.
  package struct Shard: Hashable, Sendable {
    package let number: Int
    package let count: Int
  }

  package init(_ reader: inout OptionReader) {
    outputs = reader.all("output").map(OutputRequest.init)
    from = reader.time("from")
    to = reader.time("to")
    jobs = reader.count("jobs", in: 1...64)
    settings.scale = PictureScale(&reader)
    progress = reader.text("progress").flatMap(ProgressStyle.init) ?? .auto
    isQuiet = reader.has("quiet")
    showsTimings = reader.has("timings")
    timingsFile = reader.text("timings")
    if timingsFile?.isEmpty == true { reader.report("'--timings=' requires a file name") }
    depfile = reader.text("depfile")
    if depfile?.isEmpty == true { reader.report("'--depfile' requires a file name") }
    shard = reader.read("shard") { text throws(Invocation.Failure) in
      try BuildOptions.shard(text)
    }
    let quality = reader.read("quality") { text throws(Invocation.Failure) -> VideoSettings.Rate in
      guard let quality = Double(text), (0...100).contains(quality) else {
        throw Invocation.Failure(message: "'--quality' must be from 0 to 100, found '\(text)'")
      }
      return .quality(quality)
    }
    let bitrate = reader.read("bitrate") { text throws(Invocation.Failure) in
      try BuildOptions.bitrate(text)
    }
    if reader.has("quality"), reader.has("bitrate") {
      reader.report("'--quality' and '--bitrate' cannot be combined")
    }
    settings.rate = quality ?? bitrate
    settings.codec = reader.read("codec") { text throws(Invocation.Failure) in
      guard let codec = VideoCodec(rawValue: text), codec != .raw else {
        let names = VideoCodec.allCases.filter { $0 != .raw }.map(\.rawValue)
        throw Invocation.Failure(
          message: "unknown codec '\(text)'; use \(names.joined(separator: ", "))")
      }
      return codec
    }
    settings.preset = reader.read("preset") { text throws(Invocation.Failure) in
      guard Property.presets.contains(text) else {
        let near = nearest(text, in: Property.presets).map { "; did you mean '\($0)'?" }
        throw Invocation.Failure(message: "unknown preset '\(text)'" + (near ?? ""))
      }
      return text
    }
  }

  package static let mostShards = 10_000

  /// Returns options for exporting a different video: the number of threads is kept, file settings
  /// are not.
  package func export(_ output: OutputRequest, frames: Range<Int>?) -> BuildOptions {
    var it = self
    it.outputs = [output]
    it.settings = CallSettings()
    it.from = frames.map { TimeOption(frames: $0.lowerBound) }
    it.to = frames.map { TimeOption(frames: $0.upperBound) }
    it.progress = .none
    (it.showsTimings, it.timingsFile, it.depfile) = (false, nil, nil)
    return it
  }

  private static func shard(_ text: String) throws(Invocation.Failure) -> Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1] else {
      throw Invocation.Failure(
        message: "'--shard' must be a share such as 3/40 (the third of forty), found '\(text)'")
    }
    guard (1...mostShards).contains(count) else {
      throw Invocation.Failure(
        message: "'--shard \(text)' has \(count) shares, expected 1 to \(mostShards)")
    }
    guard (1...count).contains(number) else {
      throw Invocation.Failure(
        message: "share \(number) is out of range: the shares are 1/\(count) to \(count)/\(count)"
      )
    }
    return Shard(number: number, count: count)
  }

  private static func bitrate(_ text: String) throws(Invocation.Failure) -> VideoSettings.Rate {
    let units: [(String, Double)] = [("kbps", 1000), ("Mbps", 1_000_000), ("", 1)]
    let found = units.first { text.hasSuffix($0.0) && Double(text.dropLast($0.0.count)) != nil }
    guard let (unit, factor) = found, let number = Double(text.dropLast(unit.count)),
      (1000...1e9).contains(number * factor)
    else {
      throw Invocation.Failure(
        message: "'--bitrate' must be a rate such as 2Mbps or 800kbps, found '\(text)'")
    }
    return .bitrate(number * factor)
  }
}
