// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The size and the frame rate of a scene.
extension Checker {
  /// Evaluates size and frame rate before the body, which may use them.
  ///
  /// A scene as an element has its own size, and the frame rate of the scene to build.
  func bindEarly(_ root: ElementNode) {
    let isBuilt = root.parent == nil
    if isBuilt { frameRate = givenRate(for: root) ?? FrameRate(30, 1) }
    var size = PixelSize(1920, 1080)
    for case .property(let property) in root.syntax.items {
      let context = context(of: root, now: now).with { $0.constantFor = "'\(property.name.text)'" }
      let span = property.value.span
      func value() -> Value { evaluate(property.value, context) }
      switch KnownWords.properties[property.name] {
      case .size where options.size == nil || !isBuilt: size = readSize(value(), span) ?? size
      case .seed: root.seed = asNumber(value(), span)?.constantValue ?? 0
      case .fps where options.frameRate == nil && isBuilt: frameRate = readRate(value(), span)
      default: break
      }
    }
    if isBuilt, let given = options.size {
      let (width, height) = (Double(given.width), Double(given.height))
      if isWithinLimits(width, height, at: root.syntax.headSpan) { size = given }
    }
    root.boxes[now] = BoxModel(
      x: .zero, y: .zero, width: .constant(Double(size.width)),
      height: .constant(Double(size.height)))
  }

  func readSize(_ value: Value, _ span: SourceSpan) -> PixelSize? {
    guard case .pair(.quantity(.constant(let w), .none), .quantity(.constant(let h), .none)) = value
    else {
      mismatch("a size", value, at: span, help: "write a size such as 1920x1080")
      return nil
    }
    guard w >= 1, h >= 1, w == w.rounded(), h == h.rounded() else {
      _ = report(.outOfRange, "a size must be in whole pixels, at least 1x1", at: span)
      return nil
    }
    return isWithinLimits(w, h, at: span) ? PixelSize(Int(w), Int(h)) : nil
  }

  /// Returns the frame rate that an option sets, after a check of its limit; `nil` if it sets none.
  private func givenRate(for root: ElementNode) -> FrameRate? {
    guard let rate = options.frameRate else { return nil }
    if rate.value > options.limits.fps {
      _ = report(
        .limitExceeded, "the frame rate is \(rate.description)", at: root.syntax.headSpan,
        label: "exceeds the limit 'fps' of \(NumberFormat().text(options.limits.fps))",
        help: Limits.raising("fps", to: rate.value))
    }
    return rate
  }

  /// Returns whether a frame size is within the limits.
  private func isWithinLimits(_ w: Double, _ h: Double, at span: SourceSpan) -> Bool {
    let limits = options.limits
    guard w <= Double(limits.side), h <= Double(limits.side) else {
      _ = report(
        .limitExceeded, "a side is longer than the limit of \(limits.side) pixels", at: span,
        label: "exceeds the limit 'side'", help: Limits.raising("side", to: max(w, h)))
      return false
    }
    guard w * h <= Double(limits.area) else {
      _ = report(
        .limitExceeded, "the frame has more pixels than the limit of \(limits.area)", at: span,
        label: "exceeds the limit 'area'", help: "raise the limit with --limit area=\(Int(w * h))")
      return false
    }
    return true
  }

  func readRate(_ value: Value, _ span: SourceSpan) -> FrameRate {
    let fallback = FrameRate(30, 1)
    guard case .quantity(.constant(let number), .none) = value else {
      mismatch("a number", value, at: span)
      return fallback
    }
    if number >= FrameRate.least, number <= options.limits.fps {
      if let rate = FrameRate(number) { return rate }
      // A quotient such as 30000/1001.
      let exact = (number * 1001).rounded()
      if abs(exact / 1001 - number) < 1e-9 { return FrameRate(Int64(exact), 1001) }
    }
    let isTooHigh = number > options.limits.fps
    _ = report(
      .invalidFrameRate, "the frame rate cannot be \(NumberFormat().text(number))", at: span,
      label: isTooHigh
        ? "exceeds the limit 'fps' of \(NumberFormat().text(options.limits.fps))"
        : "expected \(FrameRate.least) to \(Int(options.limits.fps)), with at most 3 decimals",
      help: isTooHigh ? Limits.raising("fps", to: number) : nil)
    return fallback
  }

  func pixelSize(of root: ElementNode) -> PixelSize {
    guard let box = root.boxes[now], let w = box.width.constantValue,
      let h = box.height.constantValue
    else { return PixelSize(1920, 1080) }
    return PixelSize(Int(w), Int(h))
  }
}
