// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The inputs for the computation of a particle field.
struct ParticlePlan {
  /// The time span of the element, in ticks.
  let start: Ticks
  let end: Ticks
  /// The shortest and the longest lifetime, in seconds.
  let life: ClosedRange<Double>
  let seed: Int
  /// The element whose values are read at the birth of a particle.
  let newborn: ElementNode
  /// The element whose clock is the lifetime of a particle.
  let living: ElementNode
  /// The times at which the values of both are evaluated.
  let birth: Scalar
  let clock: Scalar

  var duration: Double { (end - start).seconds }
}

/// Numbers that distinguish the random values of a particle.
private enum ParticleChannel: Double {
  case heading = 1, spread, speed, drag, turbulence, width, height, rotation, scale, opacity, color

  /// Creates the channel of a property with one number.
  init(_ property: Property) {
    switch property {
    case .heading: self = .heading
    case .speed: self = .speed
    case .drag: self = .drag
    case .turbulence: self = .turbulence
    case .rotate: self = .rotation
    case .scale: self = .scale
    case .opacity: self = .opacity
    default: self = .spread
    }
  }
}

// `particles`: a field whose particles are computed by one program.
extension Checker {
  /// The maximum number of particles that may be alive at the same time.
  static let greatestParticleCount = 100_000.0

  /// Returns whether an item of the body has a separate value for each particle.
  static func isOfParticle(_ item: Item) -> Bool {
    switch item {
    case .property, .letDecl, .ifItem: true
    case .element, .forItem, .segment, .expectation: false
    }
  }

  /// Returns whether a property of `particles` is read for each particle, with its clock.
  static func isOfEachParticle(_ property: Property) -> Bool {
    switch property {
    case .size, .scale, .rotate, .opacity, .fill, .heading, .spread, .speed, .drag, .turbulence,
      .gravity, .from, .rate:
      true
    default: false
    }
  }

  /// Returns whether a property of `particles` is read over the lifetime of each particle.
  static func isOfLife(_ property: Property) -> Bool {
    switch property {
    case .size, .scale, .rotate, .opacity, .fill: true
    default: false
    }
  }

  func particleDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    reportIdleParticleProperties(of: i)
    reportNegativeStretch(of: i)
    guard let plan = particlePlan(of: i), let births = births(of: i, plan),
      let emitter = emitter(of: i, plan), let outputs = outputs(of: i, plan, from: emitter)
    else { return .nothing }
    let program: PixelProgram
    let variables: [Scalar]
    switch PixelCompiler.compile(outputs: outputs, of: builder.program) {
    case .success(let it): (program, variables) = it
    case .failure(let failure):
      reportFailure(failure, of: i)
      return .nothing
    }
    let field = ParticleField(
      births: births, life: plan.life, seed: plan.seed, places: emitter.places,
      route: emitter.route, routeStart: emitter.start, program: program)
    guard field.greatestCount <= Checker.greatestParticleCount else {
      report(
        Diagnostic(
          .limitExceeded,
          "up to \(NumberFormat().text(field.greatestCount.rounded())) particles are alive at the same time",
          at: i.span, label: "the limit is \(NumberFormat().text(Checker.greatestParticleCount))",
          notes: [Note(help: "reduce 'rate', 'burst' or 'life'")]))
      return .nothing
    }
    if !plan.duration.isFinite { return .nothing }
    let passed = builder.subtract(now, .constant(Double(plan.start.rawValue)))
    return .particles(
      ParticleModel(
        estimated(field, of: plan, variables, hasDrawing: hasDrawing(i)), look: look(of: i),
        variables: variables,
        time: passed,
        stretch: time(.stretch, of: i)))
  }

  private func particlePlan(of i: ElementNode) -> ParticlePlan? {
    guard let start = start(of: i, i.span), let end = shownEnd(of: i, i.span) else { return nil }
    let newborn = particle(of: i)
    let living = particle(of: i)
    (newborn.startTime, newborn.endTime, newborn.changes) = (start, end, i.changes)
    guard let life = particleLife(of: i) else { return nil }
    let longest = life.upperBound * Double(Ticks.perSecond)
    (living.startTime, living.endTime) = (.zero, Ticks(Int64(longest.rounded())))
    i.parts = [newborn, living]
    let given = number(.seed, of: i, now: now).constantValue ?? 0
    let seed = given.isFinite ? given : 0
    let birth = builder.add(
      .constant(Double(start.rawValue)),
      builder.scaled(input(.birth), Double(Ticks.perSecond)))
    return ParticlePlan(
      start: start, end: end, life: life,
      seed: Int(max(-1e15, min(1e15, seed + scene(of: i).seed * 1_000_003))), newborn: newborn,
      living: living, birth: birth, clock: builder.scaled(input(.share), longest))
  }

  /// Creates an element with the properties of `particles` and the number of a particle.
  private func particle(of i: ElementNode) -> ElementNode {
    let round = Scope(parent: i.scope, owner: nil)
    round.bind("index", .value(.number(input(.index)), i.span))
    let body = ownerScope(in: round)
    instanceCount += 1
    let particle = ElementNode(
      kind: .particles, syntax: i.syntax, parent: i.parent, scope: body, definition: nil,
      id: instanceCount)
    particle.isParticle = true
    body.instance = particle
    return particle
  }

  func input(_ input: ParticleInput) -> Scalar {
    builder.make(.pixel, index: Operation.firstInput + Int32(input.rawValue))
  }

  private func particleLife(of i: ElementNode) -> ClosedRange<Double>? {
    guard let (value, span) = value(.life, of: i, now: now) else { return 1...1 }
    let (low, high) = ends(of: value)
    guard let least = asConstantTime(low, span), let most = asConstantTime(high, span) else {
      return nil
    }
    let second = Double(Ticks.perSecond)
    guard least > 0, most >= least, most <= 86_400 * second else {
      let fault =
        least <= 0
        ? "'life' must be above 0s"
        : most < least ? "the range of 'life' is reversed" : "'life' is longer than 24 hours"
      _ = report(.outOfRange, fault, at: span)
      return nil
    }
    return (least / second)...(most / second)
  }

  /// Returns the ends of a range; any other value is both ends.
  private func ends(of value: Value) -> (Value, Value) {
    if case .range(let low, let high) = value { (low, high) } else { (value, value) }
  }

  private func time(_ property: Property, of i: ElementNode) -> Scalar {
    value(property, of: i, now: now).flatMap { asTime($0.0, $0.1) } ?? .zero
  }

  private func look(of i: ElementNode) -> ParticleLook {
    var look = ParticleLook()
    look.shape = word(.shape, of: i)
    look.isAdditive = word(.blend, of: i) == BlendMode.plusLighter
    look.followsMotion = word(.orient, of: i) == ParticleOrientation.motion
    look.isReversed = word(.order, of: i) == ParticleOrder.newest
    look.isTinted = i.properties[.fill] != nil && hasDrawing(i)
    return look
  }

  private func hasDrawing(_ i: ElementNode) -> Bool { i.children.contains { $0.kind.isDrawn } }

  // MARK: Values

  /// Returns a value of a particle. A number in a range is chosen for each particle. Returns `nil`
  /// after an error.
  private func varied(
    _ value: Value, _ channel: ParticleChannel, of plan: ParticlePlan,
    as convert: (Value) -> Scalar?
  ) -> Scalar? {
    guard case .range(let low, let high) = value else { return convert(value) }
    guard let a = convert(low), let b = convert(high) else { return nil }
    return builder.mix(a, b, at: chance(channel, of: plan))
  }

  private func chance(_ channel: ParticleChannel, of plan: ParticlePlan) -> Scalar {
    builder.make(
      .planeRandom, a: input(.index), b: .constant(channel.rawValue),
      c: .constant(Double(plan.seed)))
  }

  /// Returns the value of a property at the birth or over the lifetime of a particle, or `nil` for
  /// its default.
  private func given(_ property: Property, of plan: ParticlePlan) -> (Value, SourceSpan)? {
    Checker.isOfLife(property)
      ? value(property, of: plan.living, now: plan.clock)
      : value(property, of: plan.newborn, now: plan.birth)
  }

  private func number(_ property: Property, of plan: ParticlePlan) -> Scalar? {
    guard let (value, span) = given(property, of: plan) else {
      return .constant(initialNumber(property, plan.newborn))
    }
    return varied(value, ParticleChannel(property), of: plan) { self.asNumber($0, span) }
  }

  private func angle(_ property: Property, of plan: ParticlePlan) -> Scalar? {
    guard let (value, span) = given(property, of: plan) else {
      guard case .angle(let degrees)? = initial(property, of: plan.newborn) else {
        // Without a heading, particles start in all directions.
        return plan.newborn.properties[.heading] == nil ? .constant(360) : .zero
      }
      return .constant(degrees)
    }
    return varied(value, ParticleChannel(property), of: plan) { self.asAngle($0, span) }
  }

  /// Returns the outputs of the program of a particle; see `ParticleField.outputCount`. Returns
  /// `nil` after an error.
  private func outputs(of i: ElementNode, _ plan: ParticlePlan, from emitter: Emitter)
    -> [Scalar]?
  {
    guard let path = path(of: i, plan, from: emitter), let size = size(plan),
      let angle = angle(.rotate, of: plan),
      let scale = number(.scale, of: plan),
      let opacity = number(.opacity, of: plan),
      let color = color(of: i, plan)
    else { return nil }
    let alpha = builder.multiply(color.alpha, opacity)
    return path + [size.x, size.y, angle, scale, color.red, color.green, color.blue, alpha]
  }

  private func size(_ plan: ParticlePlan) -> PointModel? {
    guard let (value, span) = given(.size, of: plan) else {
      let side = Scalar.constant(initialNumber(.size, plan.living))
      return PointModel(side, side)
    }
    if case .pair(let x, let y) = value {
      guard let width = varied(x, .width, of: plan, as: { self.asNumber($0, span) }),
        let height = varied(y, .height, of: plan, as: { self.asNumber($0, span) })
      else { return nil }
      return PointModel(width, height)
    }
    return varied(value, .width, of: plan) { self.asNumber($0, span) }.map { PointModel($0, $0) }
  }

  private func color(of i: ElementNode, _ plan: ParticlePlan) -> ColorModel? {
    guard let (value, span) = given(.fill, of: plan) else {
      return asColor(inkValue(of: i, now: now), i.span)
    }
    guard case .range(let first, let second) = value else { return asColor(value, span) }
    guard let a = asColor(first, span), let b = asColor(second, span) else { return nil }
    let space = mixingSpace(context(of: plan.living, now: plan.clock))
    return blend(a, b, by: .mix(chance(.color, of: plan), space))
  }

  // MARK: Motion

  /// Returns the position and the velocity of a particle; `nil` after an error.
  private func path(of i: ElementNode, _ plan: ParticlePlan, from emitter: Emitter) -> [Scalar]? {
    guard let heading = angle(.heading, of: plan),
      let spread = angle(.spread, of: plan), let speed = number(.speed, of: plan),
      let drag = number(.drag, of: plan), let force = gravity(plan),
      let turbulence = number(.turbulence, of: plan)
    else { return nil }
    let middle = builder.subtract(chance(.spread, of: plan), .constant(0.5))
    let direction = builder.add(heading, builder.multiply(spread, middle))
    let age = input(.age)
    let motion = Motion(age: age, drag: builder.make(.maximum, a: .zero, b: drag), &builder)
    let share = number(.inherit, of: i, now: now)
    func component(_ cosine: Scalar, inherited: ParticleInput, force: Scalar, from: Scalar)
      -> (position: Scalar, velocity: Scalar)
    {
      let given = emitter.route.isEmpty ? .zero : builder.multiply(share, input(inherited))
      let velocity = builder.add(builder.multiply(speed, cosine), given)
      let moved = motion.distance(velocity, force: force, &builder)
      return (builder.add(from, moved), motion.velocity(velocity, force: force, &builder))
    }
    let x = component(
      builder.make(.cosine, a: direction), inherited: .velocityX, force: force.x,
      from: builder.add(input(.x), emitter.offset.x))
    let y = component(
      builder.make(.sine, a: direction), inherited: .velocityY, force: force.y,
      from: builder.add(input(.y), emitter.offset.y))
    let swirl = swirl(
      at: PointModel(x.position, y.position), by: turbulence, scale: turbulenceScale(i), plan)
    return [
      builder.add(x.position, swirl.x), builder.add(y.position, swirl.y), x.velocity, y.velocity,
    ]
  }

  private func gravity(_ plan: ParticlePlan) -> PointModel? {
    guard let (value, span) = given(.gravity, of: plan) else {
      return .zero
    }
    if case .quantity(let down, .none) = value { return PointModel(.zero, down) }
    let (width, height) = parentSize(plan.newborn, now: now)
    return asPoint(
      value, span, in: context(of: plan.newborn, now: plan.birth), width: width, height: height)
  }

  private func turbulenceScale(_ i: ElementNode) -> Scalar {
    builder.make(.maximum, a: .one, b: length(.turbulenceScale, of: i, now: now))
  }

  /// Returns the displacement of a particle by turbulence: the curl of a noise potential
  /// (R. Bridson, J. Hourihan, M. Nordenstam 2007) at the position that the particle would have
  /// without turbulence. The displacement grows over the lifetime of the particle.
  private func swirl(
    at place: PointModel, by turbulence: Scalar, scale: Scalar, _ plan: ParticlePlan
  ) -> PointModel {
    if turbulence.constantValue == 0 { return .zero }
    // The swirls drift and change slowly.
    let time = builder.add(input(.birth), input(.age))
    let x = builder.add(builder.divide(place.x, scale), builder.scaled(time, 0.15))
    let y = builder.add(builder.divide(place.y, scale), builder.scaled(time, -0.1))
    let step = Scalar.constant(0.05)
    func slope(_ dx: Scalar, _ dy: Scalar) -> Scalar {
      func noise(_ sign: Double) -> Scalar {
        builder.make(
          .planeNoise, a: builder.add(x, builder.scaled(dx, sign)),
          b: builder.add(y, builder.scaled(dy, sign)), c: .constant(Double(plan.seed)))
      }
      return builder.scaled(builder.subtract(noise(1), noise(-1)), 10)
    }
    // The square starts without a jump of the velocity.
    let growth = builder.multiply(input(.share), input(.share))
    let reach = builder.multiply(turbulence, growth)
    return PointModel(
      builder.multiply(reach, slope(.zero, step)),
      builder.make(.negate, a: builder.multiply(reach, slope(step, .zero))))
  }

  private func reportFailure(_ failure: PixelCompiler.Failure, of i: ElementNode) {
    let message: String
    let code: Code
    switch failure {
    case .variesByPixel(let input):
      (code, message) = (
        .notConstant, "a value of a particle cannot read \(input) that depends on it"
      )
    case .tooManyInstructions(let count):
      (code, message) = (.limitExceeded, "the values of a particle take \(count) instructions")
    case .tooManySamples(let count):
      (code, message) = (.limitExceeded, "the values of a particle take \(count) samples")
    case .tooManyRegisters(let count):
      (code, message) = (
        .limitExceeded, "the values of a particle need \(count) intermediate values"
      )
    }
    let most =
      switch failure {
      case .variesByPixel: ""
      case .tooManyInstructions: "the limit is \(PixelCompiler.mostInstructions)"
      case .tooManySamples: "the limit is \(PixelCompiler.mostSamples)"
      case .tooManyRegisters: "the limit is \(PixelCompiler.mostRegisters)"
      }
    report(Diagnostic(code, message, at: i.span, label: most))
  }
}

/// The motion of a body that starts with a velocity and is slowed down by the air, under a constant
/// force: x'' = g - k x'.
private struct Motion {
  private let age: Scalar
  /// exp(-k a)
  private let decay: Scalar
  /// (1 - exp(-k a)) / k
  private let glide: Scalar
  /// (a - (1 - exp(-k a)) / k) / k
  private let fall: Scalar

  /// Creates the motion. `age` is in seconds, and `drag` is k, per second.
  init(age: Scalar, drag: Scalar, _ builder: inout ProgramBuilder) {
    self.age = age
    if drag.constantValue == 0 {
      (decay, glide) = (.one, age)
      fall = builder.scaled(builder.multiply(age, age), 0.5)
      return
    }
    let x = builder.multiply(drag, age)
    decay = builder.make(.exponential, a: builder.make(.negate, a: x))
    // Close to 0, the differences lose their precision, unlike their series.
    let isSmall = builder.make(.less, a: x, b: .one)
    func series(_ first: Int) -> Scalar {
      // The sum of (-x)^n / (n + first)! for n from 0 to 9.
      var factorial = (1...(first + 9)).reduce(1.0) { $0 * Double($1) }
      var sum = Scalar.constant(1 / factorial)
      for n in stride(from: 8, through: 0, by: -1) {
        factorial /= Double(n + first + 1)
        sum = builder.subtract(.constant(1 / factorial), builder.multiply(x, sum))
      }
      return sum
    }
    let lost = builder.subtract(.one, decay)
    let glideShare = builder.select(
      if: isSmall, then: series(1), else: builder.divide(lost, x))
    let fallShare = builder.select(
      if: isSmall, then: series(2),
      else: builder.divide(builder.subtract(.one, builder.divide(lost, x)), x))
    glide = builder.multiply(age, glideShare)
    fall = builder.multiply(builder.multiply(age, age), fallShare)
  }

  func distance(_ velocity: Scalar, force: Scalar, _ builder: inout ProgramBuilder) -> Scalar {
    builder.add(builder.multiply(velocity, glide), builder.multiply(force, fall))
  }

  func velocity(_ velocity: Scalar, force: Scalar, _ builder: inout ProgramBuilder) -> Scalar {
    builder.add(builder.multiply(velocity, decay), builder.multiply(force, glide))
  }
}
