// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A call of a pixel function whose positions are not resolved yet, since the box is unknown.
final class PixelCall {
  let function: FunctionSyntax
  let pixels: PixelSyntax
  /// The scope of the arguments.
  let scope: Scope
  /// The context of the call.
  let context: Context
  let span: SourceSpan

  init(
    _ function: FunctionSyntax, _ pixels: PixelSyntax, scope: Scope, context: Context,
    at span: SourceSpan
  ) {
    self.function = function
    self.pixels = pixels
    self.scope = scope
    self.context = context
    self.span = span
  }

  var name: String { function.name.text }
  var parameterNames: [String] { function.parameters.map(\.name.text) }

  /// The values of the parameters, in declaration order.
  var arguments: [Value] {
    function.parameters.map { parameter in
      if case .value(let value, _)? = scope.bindings[parameter.name.identifier] {
        value
      } else {
        .none()
      }
    }
  }
}

/// The source of the colors of a pixel function, before the box is known.
indirect enum PixelValue {
  case call(PixelCall)
  case color(ColorModel)
  /// The pixels of the element, unchanged.
  case source
  case blend(PixelValue, PixelValue, by: Blend)

  /// The first call; `nil` if there is none.
  var call: PixelCall? {
    switch self {
    case .call(let call): call
    case .blend(let a, let b, _): a.call ?? b.call
    case .color, .source: nil
    }
  }

  func forEachScalar(_ use: (Scalar) -> Void) {
    switch self {
    case .call(let call): for value in call.arguments { value.forEachScalar(use) }
    case .color(let color): color.forEachScalar(use)
    case .source: break
    case .blend(let a, let b, let how):
      a.forEachScalar(use)
      b.forEachScalar(use)
      switch how {
      case .mix(let share, _), .choose(let share): use(share)
      }
    }
  }
}

/// The kind of a pixel function, with the images and the reach that its evaluation records.
final class PixelSpace {
  let kind: PixelSyntax.Kind
  /// The images that the function samples, in the order of their layers, which follow the sources.
  private(set) var images: [ImageReference] = []

  /// The distance beyond the element at which the function draws, in pixels.
  var reach = Scalar.zero

  init(_ kind: PixelSyntax.Kind) { self.kind = kind }

  /// The number of layers that are drawn for the function, before the images.
  var sourceCount: Int { kind == .transition ? PixelWord.clips.count : 1 }

  /// Returns the layer of a word; `nil` if this kind of function does not have it.
  func layer(named word: String) -> Int32? {
    let words = [.filter: [PixelWord.source], .transition: PixelWord.clips][kind] ?? []
    return words.firstIndex(of: word).map { Int32($0) }
  }

  /// Returns the layer of an image.
  func layer(of image: ImageReference) -> Int32 {
    let index = images.firstIndex(of: image) ?? images.count
    if index == images.count { images.append(image) }
    return Int32(sourceCount + index)
  }
}

// Evaluation of pixel functions.
extension Checker {
  /// Returns the value of a call whose arguments are bound in a scope.
  func pixelCall(
    _ function: FunctionSyntax, _ pixels: PixelSyntax, arguments scope: Scope, at span: SourceSpan,
    in c: Context
  ) -> Value {
    let call = PixelValue.call(PixelCall(function, pixels, scope: scope, context: c, at: span))
    return pixels.kind == .filter ? .filter(.pixels(call)) : .pixels(call)
  }

  /// Compiles the pixel function of a transition, whose element is `i`. Returns `nil` for other
  /// transitions and after an error.
  func crossed(by i: ElementNode) -> PixelModel? {
    guard i.crossing != nil, let function = i.definition?.function, let pixels = function.pixels,
      let box = box(of: i, now: now)
    else { return nil }
    let call = PixelCall(
      function, pixels, scope: i.scope, context: context(of: i, now: now), at: i.span)
    return pixelModel(.call(call), .transition, in: box, of: i)
  }

  /// Compiles a pixel function. Returns `nil` after an error.
  func pixelModel(
    _ value: PixelValue, _ kind: PixelSyntax.Kind, in box: BoxModel, of i: ElementNode
  ) -> PixelModel? {
    let space = PixelSpace(kind)
    guard let color = color(of: value, space, in: box) else { return nil }
    let rendering = imageRendering(of: i)
    let images = space.images.map { $0.rendered(rendering) }
    switch PixelCompiler.compile(
      color, of: builder.program, images: images, sourceCount: space.sourceCount)
    {
    case .success(let (program, variables)):
      return PixelModel(
        program, variables: variables, box: [box.x, box.y, box.width, box.height],
        reach: space.reach)
    case .failure(let failure):
      if let call = value.call { report(failure, of: call) }
      return nil
    }
  }

  /// Returns the color of a pixel. Records the images and the reach of the functions. Returns `nil`
  /// after an error.
  private func color(of value: PixelValue, _ space: PixelSpace, in box: BoxModel) -> ColorModel? {
    switch value {
    case .color(let color): return color
    case .source:
      let (x, y) = (builder.make(.pixel, index: 0), builder.make(.pixel, index: 1))
      let channels = (0..<4).map { builder.make(.sample, a: x, b: y, index: $0) }
      return ColorModel(red: channels[0], green: channels[1], blue: channels[2], alpha: channels[3])
    case .blend(let a, let b, let how):
      guard let p = color(of: a, space, in: box), let q = color(of: b, space, in: box) else {
        return nil
      }
      return blend(p, q, by: how)
    case .call(let call): return color(of: call, space, in: box)
    }
  }

  private func color(of call: PixelCall, _ space: PixelSpace, in box: BoxModel) -> ColorModel? {
    guard let color = call.pixels.color else { return nil }
    let scope = Scope(parent: call.scope, owner: nil)
    bindWords(in: scope, of: call, box)
    for it in call.pixels.lets {
      scope.bind(
        it.name,
        .expression(LetBinding(name: it.name, type: it.type, value: it.value, id: newID())))
    }
    let c = call.context.with {
      $0.scope = scope
      $0.pixels = space
      $0.constantFor = nil
      $0.recorder = nil
    }
    // Evaluating the names in order keeps a chain of names from nesting.
    for it in call.pixels.lets {
      guard case .expression(let binding)? = scope.bindings[it.name.identifier] else { continue }
      _ = self.value(of: binding, scope: scope, at: it.name.span, in: c)
    }
    if let e = call.pixels.reach {
      guard let reach = asNumber(evaluate(e, c), e.span) else { return nil }
      if builder.program.dependsOnPixel([reach]) {
        _ = report(.notConstant, "'reach' cannot depend on the pixel", at: e.span)
        return nil
      }
      space.reach = builder.make(.maximum, a: space.reach, b: reach)
    }
    return asColor(evaluate(color, c), color.span)
  }

  /// Binds the words of a pixel function, unless a parameter has the name.
  private func bindWords(in scope: Scope, of call: PixelCall, _ box: BoxModel) {
    let x = builder.make(.pixel, index: 0)
    let y = builder.make(.pixel, index: 1)
    for word in PixelWord.allCases {
      let name = Identifier(word.rawValue)
      guard !call.parameterNames.contains(word.rawValue) else { continue }
      let value: Value =
        switch word {
        case .xy: .pair(x, y)
        case .uv: .pair(share(x, of: box.width), share(y, of: box.height))
        case .size: .pair(box.width, box.height)
        case .pixel: .number(builder.make(.pixel, index: 2))
        }
      scope.bind(name, .value(value, call.function.name.span))
    }
  }

  /// Returns a position as a fraction of a side. On a side of length 0, every position is the
  /// middle.
  private func share(_ position: Scalar, of side: Scalar) -> Scalar {
    side.constantValue == 0 ? .constant(0.5) : builder.divide(position, side)
  }

  private func report(_ failure: PixelCompiler.Failure, of call: PixelCall) {
    let span = call.pixels.color?.span ?? call.span
    let what = "the \(call.pixels.kind.rawValue) '\(call.function.name.text)'"
    func exceeds(_ count: Int, _ parts: String, most: Int) -> Diagnostic {
      Diagnostic(
        .limitExceeded, "\(what) has \(count) \(parts)", at: span, label: "the limit is \(most)")
    }
    switch failure {
    case .variesByPixel(let input):
      report(
        Diagnostic(
          .notConstant, "\(what) cannot read \(input) that depends on the pixel", at: span))
    case .tooManyInstructions(let count):
      report(exceeds(count, "instructions", most: PixelCompiler.mostInstructions))
    case .tooManySamples(let count):
      report(exceeds(count, "samples", most: PixelCompiler.mostSamples))
    case .tooManyRegisters(let count):
      report(exceeds(count, "values at the same time", most: PixelCompiler.mostRegisters))
    }
  }

  /// Blends the arguments of two calls of the same function, or else the colors of the pixels.
  func blend(
    _ a: PixelValue, _ b: PixelValue, by how: Blend, at span: SourceSpan, in c: Context
  ) -> PixelValue {
    guard case .call(let x) = a, case .call(let y) = b, x.function === y.function else {
      return .blend(a, b, by: how)
    }
    let pairs = Array(zip(x.arguments, y.arguments))
    guard pairs.allSatisfy({ $0.isMixable || $0.isSame(as: $1) }) else {
      return .blend(a, b, by: how)
    }
    let scope = Scope(parent: x.scope.parent, owner: nil)
    for (parameter, (p, q)) in zip(x.function.parameters, pairs) {
      let mixed = p.isSame(as: q) ? p : blend(p, q, by: how, at: span, in: c)
      scope.bind(parameter.name, .value(mixed, parameter.name.span))
    }
    return .call(PixelCall(x.function, x.pixels, scope: scope, context: x.context, at: span))
  }
}

extension Value {
  /// Whether the value can change gradually.
  fileprivate var isMixable: Bool {
    switch self {
    case .word, .text, .bool, .easing, .none, .record, .list: false
    default: true
    }
  }

  /// Returns whether two arguments are the same word, text or Boolean, which need no mixing.
  fileprivate func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.word(let a), .word(let b)): a == b
    case (.text(let a), .text(let b)): a == b
    case (.bool(let a), .bool(let b)): a == b
    case (.none, .none): true
    default: false
    }
  }
}
