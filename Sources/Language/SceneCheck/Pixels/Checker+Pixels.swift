// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A call of a pixel function, before the box is known to which its positions refer.
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

  /// The values of the parameters, in their order.
  var arguments: [Value] {
    function.parameters.map { parameter in
      if case .value(let value, _)? = scope.bindings[parameter.name.identifier] {
        value
      } else {
        .none
      }
    }
  }
}

/// What the expressions of a pixel function can read.
final class PixelSpace {
  let kind: PixelSyntax.Kind
  /// The images that the function samples, in the order of their layers.
  private(set) var images: [ImageReference] = []

  init(_ kind: PixelSyntax.Kind) { self.kind = kind }

  /// Returns the layer of an image.
  func layer(of image: ImageReference) -> Int32 {
    if let known = images.firstIndex(of: image) { return Int32(known + 1) }
    images.append(image)
    return Int32(images.count)
  }
}

// Evaluation of pixel functions.
extension Checker {
  /// Returns the value of a call whose arguments are bound in a scope.
  func pixelCall(
    _ function: FunctionSyntax, _ pixels: PixelSyntax, arguments scope: Scope, at span: SourceSpan,
    in c: Context
  ) -> Value {
    let call = PixelCall(function, pixels, scope: scope, context: c, at: span)
    return pixels.kind == .filter ? .filter(.pixels(call)) : .pixels(call)
  }

  /// Compiles the pixel function of a call. Returns `nil` after an error.
  func pixelModel(_ call: PixelCall, in box: BoxModel) -> PixelModel? {
    guard let color = call.pixels.color else { return nil }
    let space = PixelSpace(call.pixels.kind)
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
    var reach = Scalar.zero
    if let e = call.pixels.reach {
      guard let number = asNumber(evaluate(e, c), e.span) else { return nil }
      reach = number
    }
    guard let found = asColor(evaluate(color, c), color.span) else { return nil }
    switch PixelCompiler.compile(found, of: builder.program, images: space.images) {
    case .success(let (program, variables)):
      return PixelModel(
        program, variables: variables, box: [box.x, box.y, box.width, box.height], reach: reach)
    case .failure(let failure):
      report(failure, of: call, at: color.span)
      return nil
    }
  }

  /// Binds the words of a pixel function, unless a parameter has the name.
  private func bindWords(in scope: Scope, of call: PixelCall, _ box: BoxModel) {
    let x = builder.make(.pixel, index: 0)
    let y = builder.make(.pixel, index: 1)
    for word in PixelWord.allCases {
      let name = Identifier(word.rawValue)
      guard call.scope.bindings[name] == nil else { continue }
      let value: Value =
        switch word {
        case .xy: .pair(x, y)
        case .uv: .pair(builder.divide(x, box.width), builder.divide(y, box.height))
        case .size: .pair(box.width, box.height)
        case .pixel: .number(builder.make(.pixel, index: 2))
        }
      scope.bind(name, .value(value, call.function.name.span))
    }
  }

  private func report(_ failure: PixelCompiler.Failure, of call: PixelCall, at span: SourceSpan) {
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

  /// Mixes two calls of the same function by their arguments. Returns `nil` for different functions.
  func blend(
    _ a: PixelCall, _ b: PixelCall, by how: Blend, at span: SourceSpan, in c: Context
  ) -> PixelCall? {
    guard a.function === b.function else { return nil }
    let scope = Scope(parent: a.scope.parent, owner: nil)
    for (parameter, (x, y)) in zip(a.function.parameters, zip(a.arguments, b.arguments)) {
      let mixed = x.isSame(as: y) ? x : blend(x, y, by: how, at: span, in: c)
      if mixed.isPoison { return nil }
      scope.bind(parameter.name, .value(mixed, parameter.name.span))
    }
    return PixelCall(a.function, a.pixels, scope: scope, context: a.context, at: span)
  }
}

extension Value {
  /// Whether two arguments are the same word, text or truth, which need no mixing.
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
