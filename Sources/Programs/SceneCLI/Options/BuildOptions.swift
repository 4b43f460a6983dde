// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage
package import SceneOutput
import SceneSession
import SceneText

extension BuildOptions {
  /// Reads the options of a build from the command line.
  package init(_ reader: inout OptionReader) {
    self.init()
    outputs = reader.all("output").map(OutputRequest.init)
    from = reader.time("from")
    to = reader.time("to")
    jobs = reader.count("jobs", in: 1...64)
    settings.scale = PictureScale(&reader)
    hasSidecars = reader.has("sidecar")
    isStrict = reader.has("strict")
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
