// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

extension Checker {
  func colorFunction(_ call: Call, _ c: Context) -> Value {
    switch call.name {
    case "rgb": return rgb(call, c)
    case "hsl", "oklch": return polar(call, c)
    case "mix":
      guard let share = number("share", call, c) else { return poison(call.span) }
      return blend(
        argument("a", call, c), argument("b", call, c), .mix(share, mixingSpace(c)), call.span, c)
    case "alpha":
      let at = argumentSpan("color", call)
      guard var color = asColor(argument("color", call, c), at),
        let alpha = number("value", call, c)
      else { return poison(call.span) }
      color.alpha = alpha
      return .color(color)
    default:
      let at = argumentSpan("color", call)
      guard let color = asColor(argument("color", call, c), at),
        let amount = number("amount", call, c)
      else { return poison(call.span) }
      var toward = ColorModel(call.name == "lighten" ? .white : .black)
      toward.alpha = color.alpha
      return .color(blend(color, toward, .mix(amount, .oklab)))
    }
  }

  /// Channels are 0 to 255 or 0% to 100%.
  private func rgb(_ call: Call, _ c: Context) -> Value {
    var channels: [Scalar] = []
    warnOfShares(call)
    for name in ["red", "green", "blue"] {
      switch argument(name, call, c) {
      case .percent(let s): channels.append(clamped(s))
      case .quantity(let s, .none):
        warnOfRange(name, s, in: 0...255, call)
        channels.append(clamped(builder.scaled(s, 1.0 / 255)))
      case let other:
        mismatch("a number", other, argumentSpan(name, call))
        return poison(call.span)
      }
    }
    guard let alpha = number("alpha", call, c, or: 1) else { return poison(call.span) }
    return .color(ColorModel(channels[0], channels[1], channels[2], clamped(alpha)))
  }

  /// Fractions where 0 to 255 is due, as other programs have them: a colour that is all but black.
  private func warnOfShares(_ call: Call) {
    let channels = ["red", "green", "blue"].compactMap { call.named[$0] }
    var texts: [Double] = []
    for e in channels {
      guard case .number(let value, nil) = e.kind, (0...1).contains(value) else { return }
      texts.append(value)
    }
    // 0 and 1 alone may be meant; a fraction is not.
    let isShare = texts.contains { $0 != $0.rounded() } || channels.contains(where: isFraction)
    guard texts.count == 3, isShare else { return }
    let list = texts.map { NumberFormat().text(($0 * 1000).rounded() / 10) + "%" }
    report(
      Diagnostic(
        .shareOutOfRange, "the channels of 'rgb' go from 0 to 255", at: call.span,
        label: "this is nearly black",
        notes: [Note("shares have a percent sign: rgb(\(list.joined(separator: ", ")))")]))
  }

  /// Whether a number is written with a point.
  private func isFraction(_ e: Expression) -> Bool {
    sources.first { $0.id == e.span.file }?.text(e.span).contains(".") == true
  }

  private func warnOfRange(
    _ name: String, _ value: Scalar, in range: ClosedRange<Double>, _ call: Call
  ) {
    guard let number = value.constantValue, !range.contains(number) else { return }
    let format = NumberFormat()
    report(
      Diagnostic(
        .shareOutOfRange, "'\(name)' of '\(call.name)' is \(format.text(number))",
        at: argumentSpan(name, call),
        label: "it goes from \(format.text(range.lowerBound)) to \(format.text(range.upperBound))"))
  }

  private func clamped(_ s: Scalar) -> Scalar {
    builder.make(.maximum, .zero, builder.make(.minimum, .one, s))
  }

  /// `hsl` and `oklch`; their values are constants, since hues turn in a way of their own.
  private func polar(_ call: Call, _ c: Context) -> Value {
    var numbers: [String: Double] = [:]
    for name in ["hue", "saturation", "lightness", "chroma", "alpha"]
    where call.named[name] != nil {
      let value = argument(name, call, c)
      let scalar: Scalar?
      if name == "hue", case .quantity(let s, .angle) = value {
        scalar = s
      } else {
        scalar = polarNumber(name, value, call)
      }
      guard let scalar else { return poison(call.span) }
      guard let constant = scalar.constantValue else { return movingPolar(call, c) }
      numbers[name] = constant
    }
    let hue = numbers["hue"] ?? 0
    let lightness = numbers["lightness"] ?? 0
    let alpha = max(0, min(1, numbers["alpha"] ?? 1))
    if call.name == "hsl" {
      return .color(
        ColorModel(
          Color(
            hue: hue, saturation: numbers["saturation"] ?? 0, lightness: lightness, alpha: alpha)))
    }
    return .color(
      ColorModel(
        Color(oklchLightness: lightness, chroma: numbers["chroma"] ?? 0, hue: hue, alpha: alpha)))
  }

  /// As in CSS: the numbers of `hsl` are percents, so is a lightness of `oklch` with a sign; 40% of
  /// its chroma is 0.16.
  private func polarNumber(_ name: String, _ value: Value, _ call: Call) -> Scalar? {
    guard let scalar = asNumber(value, argumentSpan(name, call)) else { return nil }
    let isShare = if case .percent = opened(value) { true } else { false }
    switch (call.name, name) {
    case ("hsl", "saturation") where !isShare, ("hsl", "lightness") where !isShare:
      warnOfRange(name, scalar, in: 0...100, call)
      if let known = scalar.constantValue, known > 0, known < 1 {
        let percent = NumberFormat().text((known * 1000).rounded() / 10)
        report(
          Diagnostic(
            .shareOutOfRange, "'\(name)' of 'hsl' is \(NumberFormat().text(known)) of 100",
            at: argumentSpan(name, call), label: "as in CSS, a number counts percents",
            notes: [Note("a share has a percent sign: \(percent)%")]))
      }
      return builder.scaled(scalar, 0.01)
    case ("oklch", "lightness"):
      if !isShare { warnOfRange(name, scalar, in: 0...1, call) }
    case ("oklch", "chroma") where isShare: return builder.scaled(scalar, 0.4)
    default: break
    }
    return scalar
  }

  /// `hsl` and `oklch` with values that change, as nodes of the program.
  private func movingPolar(_ call: Call, _ c: Context) -> Value {
    func scalar(_ name: String, or fallback: Double) -> Scalar? {
      guard call.named[name] != nil else { return .constant(fallback) }
      let value = argument(name, call, c)
      if name == "hue", case .quantity(let s, .angle) = value { return s }
      return polarNumber(name, value, call)
    }
    guard let hue = scalar("hue", or: 0), let light = scalar("lightness", or: 0),
      let alpha = scalar("alpha", or: 1)
    else { return poison(call.span) }
    if call.name == "oklch" {
      guard let chroma = scalar("chroma", or: 0) else { return poison(call.span) }
      let a = builder.multiply(chroma, builder.make(.cosine, hue))
      let b = builder.multiply(chroma, builder.make(.sine, hue))
      let channels = (0..<3).map { builder.make(.fromSpace, light, a, b, index: Int32($0)) }
      return .color(ColorModel(channels[0], channels[1], channels[2], clamped(alpha)))
    }
    guard let saturation = scalar("saturation", or: 0) else { return poison(call.span) }
    // CSS Color 4 section 7.1, as in `Color(hue:saturation:lightness:)`.
    let reach = builder.multiply(
      clamped(saturation), builder.make(.minimum, light, builder.subtract(.one, light)))
    let channels = [0.0, 8, 4].map { n -> Scalar in
      let k = builder.make(
        .modulo, builder.add(.constant(n), builder.scaled(hue, 1.0 / 30)), .constant(12))
      let rise = builder.make(
        .minimum, builder.subtract(k, .constant(3)), builder.subtract(.constant(9), k))
      let bounded = builder.make(.maximum, .constant(-1), builder.make(.minimum, rise, .one))
      return builder.subtract(light, builder.multiply(reach, bounded))
    }
    return .color(ColorModel(channels[0], channels[1], channels[2], clamped(alpha)))
  }

  // MARK: Gradients

  func gradientFunction(_ call: Call, _ c: Context) -> Value {
    if call.name == "stop" {
      // In `linear(…)` a stop is a number; there the call is read by the easing itself.
      let at = argumentSpan("color", call)
      guard let color = asColor(argument("color", call, c), at) else { return poison(call.span) }
      guard call.named["at"] != nil else { return .stop(color, nil) }
      guard let offset = number("at", call, c) else { return poison(call.span) }
      return .stop(color, offset)
    }
    var stops: [GradientValue.Stop] = []
    let pointWords = Set(namedPoints.keys)
    for e in call.many {
      for value in asList(evaluate(e, c)) {
        if case .stop(let color, let offset) = value {
          stops.append(.init(color: color, offset: offset))
        } else if let color = asColor(value, e.span) {
          stops.append(.init(color: color, offset: nil))
        } else {
          return poison(call.span)
        }
      }
    }
    guard !stops.isEmpty else {
      return fault(
        .outOfRange, "this gradient has no colours", at: call.span,
        label: "the list is empty; give it one colour at least")
    }
    guard stops.count <= 1000 else {
      return fault(
        .limitExceeded, "a gradient of \(stops.count) stops is over the limit of 1000",
        at: call.span, label: "the limit 'stops'")
    }
    var gradient = GradientValue(
      kind: GradientValue.Kind(rawValue: call.name) ?? .linear, stops: stops)
    func optional(_ name: String) -> Value? {
      call.named[name].map { evaluate($0, c, words: pointWords) }
    }
    gradient.from = optional(gradient.kind == .linear ? "from" : "center")
    gradient.to = optional("to")
    gradient.radius = optional("radius")
    gradient.angle = optional("angle")
    if gradient.kind == .linear, gradient.angle != nil, gradient.from != nil || gradient.to != nil {
      return fault(
        .wrongArguments, "a gradient has 'angle', or 'from' and 'to'", at: call.span)
    }
    return .gradient(gradient)
  }

  func patternFunction(_ call: Call, _ c: Context) -> Value {
    let span = argumentSpan("source", call)
    guard let path = asConstantText(argument("source", call, c), span) else { return poison(call.span) }
    do {
      let image = try assets.image(path)
      tellRemarks(on: path, span)
      return .pattern(
        PatternValue(
          image: image, size: call.named["size"].map { evaluate($0, c) },
          offset: call.named["offset"].map { evaluate($0, c) }))
    } catch {
      report(assetFault(error, path, span))
      return poison(call.span)
    }
  }

  // MARK: Easings

  func easingFunction(_ call: Call, _ c: Context) -> Value {
    func constant(_ name: String, or fallback: Double? = nil) -> Double? {
      guard let s = number(name, call, c, or: fallback) else { return nil }
      if let value = s.constantValue { return value }
      _ = fault(.notConstant, "an easing cannot change over time", at: argumentSpan(name, call))
      return nil
    }
    switch call.name {
    case "cubic-bezier":
      guard let x1 = constant("x1"), let y1 = constant("y1"), let x2 = constant("x2"),
        let y2 = constant("y2")
      else { return poison(call.span) }
      for (name, x) in [("x1", x1), ("x2", x2)] where x < 0 || x > 1 {
        return fault(
          .outOfRange, "'\(name)' of 'cubic-bezier' is 0 to 1", at: argumentSpan(name, call))
      }
      return .easing(.cubicBezier(x1, y1, x2, y2), length: nil)
    case "steps": return steps(call, c, constant)
    case "spring": return spring(call, constant)
    default: return piecewise(call, c)
    }
  }

  private func steps(
    _ call: Call, _ c: Context, _ constant: (String, Double?) -> Double?
  ) -> Value {
    let words = Easing.StepPosition.allCases.map(\.rawValue)
    guard let count = constant("count", nil) else { return poison(call.span) }
    var position = Easing.StepPosition.jumpEnd
    if call.named["position"] != nil {
      let value = argument("position", call, c, words: Set(words))
      guard let word = asWord(value, argumentSpan("position", call), words),
        let it = Easing.StepPosition(rawValue: word)
      else { return poison(call.span) }
      position = it
    }
    let least = position == .jumpNone ? 2.0 : 1.0
    guard count >= least, count <= 1_000_000, count == count.rounded() else {
      return fault(
        .outOfRange, "'steps' needs a whole number of at least \(Int(least))",
        at: argumentSpan("count", call))
    }
    return .easing(.steps(Int(count), position), length: nil)
  }

  /// Without `over`, a spring takes as long as it needs: half a second a swing for `bounce`.
  private func spring(_ call: Call, _ constant: (String, Double?) -> Double?) -> Value {
    let physical = ["stiffness", "damping", "mass"].contains { call.named[$0] != nil }
    if physical, call.named["bounce"] != nil {
      return fault(
        .wrongArguments, "a spring has 'bounce', or 'stiffness', 'damping' and 'mass'",
        at: call.span)
    }
    let ratio: Double
    let frequency: Double
    if physical {
      guard let k = constant("stiffness", 100), let d = constant("damping", 10),
        let m = constant("mass", 1)
      else { return poison(call.span) }
      guard k > 0, d > 0, m > 0 else {
        return fault(
          .outOfRange, "stiffness, damping and mass of a spring are above 0", at: call.span)
      }
      ratio = d / (2 * (k * m).squareRoot())
      frequency = (k / m).squareRoot()
    } else {
      guard let bounce = constant("bounce", 0.3) else { return poison(call.span) }
      guard bounce >= 0, bounce < 1 else {
        return fault(
          .outOfRange, "'bounce' is 0 (none) to below 1", at: argumentSpan("bounce", call))
      }
      ratio = 1 - bounce
      frequency = Math.tau / 0.5
    }
    let spring = Spring(damping: ratio)
    let seconds = min(60, spring.frequency / frequency)
    return .easing(
      .spring(damping: spring.damping),
      length: (seconds * Double(Ticks.perSecond)).rounded())
  }

  /// CSS `linear()`: inputs that are left out are spread between their neighbours.
  private func piecewise(_ call: Call, _ c: Context) -> Value {
    var points: [(input: Double?, output: Double)] = []
    for e in call.many {
      if case .call(let callee, let arguments) = e.kind, case .reference("stop") = callee.kind {
        var numbers: [Double] = []
        for argument in arguments {
          guard let s = asNumber(evaluate(argument.value, c), argument.value.span),
            let number = s.constantValue
          else { return poison(call.span) }
          numbers.append(number)
        }
        guard let output = numbers.first, numbers.count <= 3 else {
          return fault(
            .wrongArguments, "a stop of 'linear' is stop(output, input)", at: e.span)
        }
        points.append((numbers.count > 1 ? numbers[1] : nil, output))
        if numbers.count == 3 { points.append((numbers[2], output)) }
      } else {
        guard let output = asNumber(evaluate(e, c), e.span)?.constantValue else { return poison(call.span) }
        points.append((nil, output))
      }
    }
    guard points.count >= 2 else {
      return fault(.wrongArguments, "'linear' needs at least two stops", at: call.span)
    }
    return .easing(.piecewise(Checker.spread(points)), length: nil)
  }

  /// CSS Easing 2 section 3.1.1: fills in inputs and keeps them from falling.
  static func spread(_ points: [(input: Double?, output: Double)]) -> [Point] {
    var inputs = points.map(\.input)
    if inputs[0] == nil { inputs[0] = 0 }
    let last = inputs.count - 1
    if inputs[last] == nil { inputs[last] = max(1, inputs.compactMap { $0 }.max() ?? 1) }
    var greatest = -Double.infinity
    for index in inputs.indices {
      if let input = inputs[index] {
        greatest = max(greatest, input)
        inputs[index] = greatest
      }
    }
    var index = 0
    while index < inputs.count {
      guard inputs[index] == nil, let from = inputs[index - 1] else {
        index += 1
        continue
      }
      let next = inputs[index...].firstIndex { $0 != nil } ?? last
      let to = inputs[next] ?? from
      for k in index..<next {
        inputs[k] = from + (to - from) * Double(k - index + 1) / Double(next - index + 1)
      }
      index = next
    }
    return zip(inputs, points).map { Point($0 ?? 0, $1.output) }
  }
}
