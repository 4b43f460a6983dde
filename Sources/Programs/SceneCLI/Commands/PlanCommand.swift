// SPDX-License-Identifier: MIT
import SceneLower
import SceneModel
import SceneOutput
import SceneSession

/// The `scenec plan` command: prints the segments of a video with their costs, or shards for
/// several machines.
struct PlanCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    var reader = OptionReader(call)
    let load = LoadOptions(&reader)
    let count = reader.count("shards", in: 1...BuildOptions.mostShards)
    if let format = call.value("format"), !["text", "json"].contains(format) {
      reader.report("'plan' supports text and json, not \(format)")
    }
    try console.accept(reader, load: load, paths: call.operands)
    guard call.operands.count == 1, let path = call.operands.first else {
      throw Invocation.Failure(
        message: "expected a single file: scenec plan film.scene --shards 40")
    }
    let request = try load.requests(for: path)[0]
    let scene = try Session(load).load(path, request.check).asBuilt
    console.show(scene.diagnostics, scene.sources)
    guard let model = scene.model else { return scene.isWrong ? .sceneWrong : .done }
    let plan = SegmentShares(
      model, SegmentPlanner(model).segments(of: 0..<model.frameCount), metrics: scene.metrics)
    let parts = count.map(plan.shares) ?? plan.segments.indices.map { $0..<($0 + 1) }
    let rows = parts.enumerated().map { Row(number: $0 + 1, of: plan, $1) }
    if call.value("format") == "json" {
      let report =
        count == nil ? Report(segments: rows, shares: nil) : Report(segments: nil, shares: rows)
      Console.print(try JSONDocument(schema: "plan/1", content: report).jsonText())
    } else {
      for row in rows { Console.print(row.text(isShare: count != nil) + "\n") }
      if count != nil { console.note(PlanCommand.summary(rows)) }
    }
    return .done
  }

  /// The members of the JSON document. One of the lists is `nil`.
  private struct Report: Encodable {
    let segments: [Row]?
    let shares: [Row]?
  }

  /// A shard or a segment.
  private struct Row: Encodable {
    let number: Int
    let firstFrame: Int
    let frames: Int
    let segments: Int
    /// The estimated time on one core in seconds.
    let seconds: Double

    init(number: Int, of plan: SegmentShares, _ part: Range<Int>) {
      let own = plan.segments[part]
      self.number = number
      firstFrame = own.first?.frames.lowerBound ?? 0
      frames = own.reduce(0) { $0 + $1.frames.count }
      segments = own.count
      seconds = (plan.cost(of: part) * 100).rounded() / 100
    }

    func text(isShare: Bool) -> String {
      guard frames > 0 else { return "share \(number): empty" }
      let span = "frames \(firstFrame) to \(firstFrame + frames - 1)"
      let size = isShare ? ", \(segments) \(segments == 1 ? "segment" : "segments")" : ""
      return
        "\(isShare ? "share" : "segment") \(number): \(span)\(size), about \(PlanCommand.text(seconds))"
    }
  }

  private static func text(_ seconds: Double) -> String {
    "\(NumberFormat().text((seconds * 10).rounded() / 10)) s"
  }

  /// Returns the speedup with several machines and the factor that limits it.
  private static func summary(_ rows: [Row]) -> String {
    let whole = rows.reduce(0) { $0 + $1.seconds }
    let most = rows.map(\.seconds).max() ?? 0
    let gain = most > 0 ? (whole / most * 10).rounded() / 10 : 1
    let machines = rows.count == 1 ? "1 machine" : "\(rows.count) machines"
    let limit =
      rows.contains { $0.seconds == most && $0.segments == 1 } && rows.count > 1
      ? ", which is a single segment: more machines do not help" : ""
    return
      "about \(text(whole)) on one core, about \(text(most)) on \(machines) with one core each, \(NumberFormat().text(gain)) times as fast; limited by the longest share\(limit)"
  }
}
