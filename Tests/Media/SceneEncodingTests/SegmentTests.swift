// SPDX-License-Identifier: MIT
import Foundation
import SceneAV
import SceneEncoding
import SceneGraphics
import SceneLanguage
import SceneTestSupport
import Testing

/// The parts of a video fit together.
@Suite("Segments", .cpuBudget(seconds: 1)) struct SegmentTests {
  @Test(
    "stretches of all kinds have the same headers",
    arguments: [
      "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
      "veryslow", "placebo",
    ])
  func headersAreEqual(preset: String) throws {
    var settings = VideoSettings(
      .mp4, .h264, size: PixelSize(320, 180), rateNumerator: 25, rateDenominator: 1)
    settings.preset = preset
    for format in [PixelFormat.yuv420p, .yuv444p] {
      settings.pixelFormat = format
      let moving = try VideoEncoder(settings, .moving).headers
      let still = try VideoEncoder(settings, .still).headers
      #expect(moving == still && !moving.isEmpty)
    }
  }

  /// A segment without motion has only one keyframe.
  ///
  /// A second keyframe would get the coarsest quantizer, like the frames that repeat the first one.
  @Test func aStillStretchHasOneWholePicture() throws {
    let settings = VideoSettings(
      .mp4, .h264, size: PixelSize(320, 180), rateNumerator: 50, rateDenominator: 1)
    let encoder = try VideoEncoder(settings, .still)
    let picture = try VideoFrame(settings.size, .yuv420p)
    try picture.withPlanes { (y, _, _, _) in
      for index in y.indices { y[index] = UInt8(truncatingIfNeeded: index &* index >> 3) }
    }
    var sizes: [Int] = []
    for index in 0..<600 {
      sizes += try encoder.encode(picture, index: index, isRepeated: index > 0).map(\.byteCount)
    }
    sizes += try encoder.finish(endsVideo: true).map(\.byteCount)
    #expect(sizes.count == 600 && sizes[0] > 1000)
    #expect((sizes.dropFirst().max() ?? 0) < 100)
  }

  /// The encoders of SVT-AV1 share a table of processors, which must not change while another one
  /// opens or closes.
  @Test(arguments: [("libsvtav1", true), ("libx264", false), ("libvpx-vp9", false)])
  func encodersWithGlobalStateOpenAlone(_ name: String, isExclusive: Bool) throws {
    let context = try #require(try CodecContext(encoder: name))
    #expect(context.hasGlobalState == isExclusive)
    AllocatedCodec.run(isExclusive: true) { #expect(AllocatedCodec.isGlobalStateInUse) }
  }

  @Test func encodersOfAV1Open() throws {
    let settings = VideoSettings(
      .mp4, .av1, size: PixelSize(64, 64), rateNumerator: 25, rateDenominator: 1)
    let capabilities = try effectiveCapabilities()
    let encoder = try VideoEncoder(settings, .moving)
    #expect(try effectiveCapabilities() == capabilities)
    #expect(!encoder.headers.isEmpty)
    // As root, SVT-AV1 would use the policy SCHED_FIFO, which is 1.
    let policies = try withExtendedLifetime(encoder) { try schedulingPolicies() }
    #expect(!policies.isEmpty && !policies.contains("1"), "\(policies)")
  }

  /// Returns the line of the calling thread's effective capabilities.
  private func effectiveCapabilities() throws -> Substring {
    let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
    return try #require(status.split(separator: "\n").first { $0.hasPrefix("CapEff:") })
  }

  /// Returns the scheduling policy of each thread, the 41st field of its `stat` file.
  private func schedulingPolicies() throws -> [Substring] {
    let folder = "/proc/self/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { thread in
      // Other tests can end their threads meanwhile.
      let text = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
      guard let text, let name = text.lastIndex(of: ")") else { return nil }
      return text[name...].split(separator: " ")[39]
    }
  }
}
