// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneIR
import SceneLower
import SceneMath
import SceneModel
import SceneSyntax
import SceneText

/// Runs one fuzzer input through parsing, checking, formatting and the lowering of a frame.
///
/// Traps if the tree does not reproduce the bytes, or if formatting is not idempotent.
package func tryEverything(_ bytes: [UInt8]) {
  let parsed = parse(SourceFile(id: FileID(0), name: "fuzz.scene", bytes: bytes))
  precondition(parsed.tree.text == bytes, "the tree does not reproduce the source")
  if let text = format(parsed) {
    let again = parse(SourceFile(name: "fuzz.scene", text: text))
    precondition(again.diagnostics.isEmpty, "the canonical form has an error")
    precondition(format(again) == text, "the canonical form is not stable")
  }
  var options = CheckOptions()
  options.limits.elements = 400
  options.limits.frames = 100_000
  options.limits.path = 10_000
  options.limits.rounds = 20_000
  options.recordsValues = true
  let metrics = PlainMetrics()
  let session = CheckSession(parsed, options: options, metrics: metrics, assets: NoFiles())
  _ = session.warnings()
  guard let model = session.checked.model else { return }
  let unsound = session.unsoundTypes()
  precondition(unsound.isEmpty, "a value is not in the type of its expression: \(unsound)")
  var lowerer = Lowerer(model, metrics: metrics)
  for frame in Set([0, model.frameCount / 2, max(0, model.frameCount - 1)]) {
    _ = lowerer.lower(frame: frame).description
  }
}

/// Whether the inputs of this run are messages, which the name of the corpus folder determines.
private let isForMessages = CommandLine.arguments.contains { $0.hasSuffix("fuzz-messages") }

/// The entry point for libFuzzer (https://llvm.org/docs/LibFuzzer.html).
// Safe: libFuzzer keeps `count` bytes valid for the duration of the call.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
  isForMessages ? tryMessages(bytes) : tryEverything(bytes)
  return 0
}

/// Font metrics in which every glyph is 0.6 of the font size wide.
private struct PlainMetrics: TextMetrics {
  func measure(_ block: TextBlock) -> TextExtent {
    let size = block.runs.map(\.font.size).max() ?? 0
    let width = block.runs.reduce(0) { $0 + Double($1.text.count) * $1.font.size * 0.6 }
    return TextExtent(
      width: block.width ?? width, height: size * block.lineHeight, baseline: size * 0.8)
  }

  func count(_ kind: TextUnitKind, in block: TextBlock) -> Int {
    kind == .line && block.width.map { $0 < 100 } == true
      ? 3 : block.string.count { !$0.isWhitespace }
  }

  func outline(of block: TextBlock) -> Path {
    Path.rect(
      Rect(x: 0, y: 0, width: measure(block).width, height: measure(block).height), radius: 0)
  }

  func fallbackFamilies(of block: TextBlock) -> [String] { [] }

  func unknownGlyphCount(_ block: TextBlock) -> Int { 0 }
  func hasFamily(_ name: String) -> Bool { name.count < 12 }
  var families: [String] { ["Inter", "sans-serif"] }
  func formulaFont(_ family: String) -> (any MathFont)? {
    family == "Inter" ? nil : PlainMathFont()
  }
}

private struct NoFiles: AssetProvider {
  func image(_ path: String) throws(AssetError) -> ImageReference {
    if path.hasSuffix(".svg") {
      return ImageReference(path: path, digest: 2, size: PixelSize(40, 20), kind: .vector)
    }
    guard path.hasSuffix(".png") else { throw .notFound }
    return ImageReference(path: path, digest: 1, size: PixelSize(40, 20))
  }

  func vector(_ path: String) throws(AssetError) -> VectorDrawing {
    guard path.hasSuffix(".svg") else { throw .undecodable("it is not an SVG") }
    let box = Rect(x: 0, y: 0, width: 40, height: 20)
    let shape = VectorDrawing.Shape(
      path: .rect(box, radius: 0), map: Affine(a: 1, b: 0, c: 1, d: 2, e: 0, f: 0), fill: .white,
      stroke: .black,
      style: StrokeStyle(width: 2))
    return VectorDrawing(nodes: [
      VectorDrawing.Node(id: nil, kind: "svg", parent: -1, end: 4, layer: -1, box: box),
      VectorDrawing.Node(id: "a", kind: "g", parent: 0, end: 3, layer: -1, box: box),
      VectorDrawing.Node(
        id: "b", kind: "path", parent: 1, end: 3, layer: 0, box: box, shapes: [shape]),
      VectorDrawing.Node(id: "c", kind: "text", parent: 0, end: 4, layer: 1, box: box),
    ])
  }

  func frames(_ path: String) throws(AssetError) -> [ImageFrame] {
    let image = try image(path)
    guard path.hasSuffix(".gif") else { return [ImageFrame(image, seconds: 0)] }
    return (0..<3).map {
      ImageFrame(
        ImageReference(path: path, digest: 2, size: image.size, frame: $0), seconds: 0.1)
    }
  }

  func levels(_ path: String, _ measure: SoundMeasure) throws(AssetError) -> [Float] {
    throw .notFound
  }

  func clip(_ path: String) throws(AssetError) -> ClipInfo {
    guard path.hasSuffix(".mp4") else { throw .notFound }
    let size = PixelSize(64, 48)
    return ClipInfo(
      digest: ClipDigest(high: 1, low: 2),
      pictures: ClipPictures(
        codec: "h264", times: ClipTimes(rate: FrameRate(25, 1), count: 75), size: size,
        storedSize: size, orientation: ClipOrientation(), format: PictureFormat(.yuv420), keys: [0]),
      sound: nil)
  }

  func files(matching pattern: String) -> [String] {
    pattern.hasPrefix("photo") ? ["photo.png", "photo.png"] : []
  }

  func font(_ path: String) throws(AssetError) -> String { throw .notFound }

  func source(_ path: String) throws(AssetError) -> [UInt8] {
    if path.hasSuffix(".csv") { return Array("name,2020\na,1\nb,2\n".utf8) }
    if path.hasSuffix(".srt") {
      return Array("1\n00:00:00,500 --> 00:00:01,500\nHello <i>there</i>\n".utf8)
    }
    throw .notFound
  }

  func json(_ path: String) throws(AssetError) -> DataValue { .list([.number(1), .none]) }
  var names: [String] { ["photo.png"] }
}
