// SPDX-License-Identifier: MIT
package import SceneGraphics

/// The particles of an emitter. Their state at any time follows from this data alone.
///
/// A particle is identified by its number in the order of births. Times are in seconds since the
/// start of the emitter.
package final class ParticleField: Hashable, Sendable, Encodable {
  /// The times at which particles are born.
  package enum Births: Hashable, Sendable, Encodable {
    /// A number of particles at time 0.
    case burst(Int)
    /// `rate` particles per second, from a time before or at 0 until another time.
    case steady(rate: Double, from: Double, until: Double)
    /// The cumulative number of particles at times that are `ParticleField.step` apart; the first
    /// count is that at `from`.
    case counted([Double], from: Double)
  }

  /// A parallelogram in which particles are born with equal density. A side may be zero.
  package struct Place: Hashable, Sendable, Encodable {
    package let origin: Point
    package let along: Point
    package let across: Point
    /// The weight of this place and of those before it.
    package let total: Double

    package init(origin: Point, along: Point = .zero, across: Point = .zero, total: Double) {
      self.origin = origin
      self.along = along
      self.across = across
      self.total = total
    }
  }

  /// The interval between the samples of a moving emitter and of a changing rate, in seconds.
  package static let step = 1 / 240.0
  /// The number of outputs of the program: x, y, the velocity in x and y (pixels per second), the
  /// width, height, angle in degrees and scale, and the straight red, green, blue and alpha.
  package static let outputCount = 12

  package let births: Births
  /// The shortest and the longest lifetime, in seconds.
  package let life: [Double]
  package let seed: Int
  /// The places of birth; never empty.
  package let places: [Place]
  /// The displacements of the places at times that are `step` apart, starting at `routeStart`;
  /// empty for an emitter that does not move.
  package let route: [Point]
  package let routeStart: Double
  /// Computes the state of a particle from the inputs in the order of `ParticleInput`.
  package let program: PixelProgram
  /// A box that contains most particles, and the mean area of their boxes, or the mean square of
  /// their scale if they have a drawing. Both are estimated from samples.
  package let extent: Rect
  package let area: Double
  private let digest: Int

  package init(
    births: Births, life: ClosedRange<Double>, seed: Int, places: [Place], route: [Point],
    routeStart: Double, program: PixelProgram, extent: Rect = .empty, area: Double = 0
  ) {
    precondition(!places.isEmpty && program.color.count == ParticleField.outputCount)
    self.births = births
    self.life = [life.lowerBound, life.upperBound]
    self.seed = seed
    self.places = places
    self.route = route
    self.routeStart = routeStart
    self.program = program
    self.extent = extent
    self.area = area
    digest = [program.hashValue, births.hashValue, places.hashValue].hashValue
  }

  private enum CodingKeys: CodingKey {
    case births, life, seed, places, route, routeStart, program
  }

  package static func == (a: ParticleField, b: ParticleField) -> Bool {
    a === b
      || a.digest == b.digest && a.births == b.births && a.life == b.life && a.seed == b.seed
        && a.places == b.places && a.route == b.route && a.routeStart == b.routeStart
        && a.program == b.program && a.extent == b.extent && a.area == b.area
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The inputs of the program of a particle field.
package enum ParticleInput: Int, CaseIterable, Sendable {
  /// The fraction of the particle's life that has passed.
  case share
  /// The number of the particle.
  case index
  /// The time of birth since the start of the emitter, in seconds.
  case birth
  /// The age in seconds.
  case age
  /// The place of birth, in pixels.
  case x, y
  /// The velocity of the emitter at the birth, in pixels per second.
  case velocityX, velocityY
}

extension ParticleField {
  /// Returns the field with an estimate of its bounds and of the area of its particles.
  package func estimated(extent: Rect, area: Double) -> ParticleField {
    ParticleField(
      births: births, life: life[0]...life[1], seed: seed, places: places, route: route,
      routeStart: routeStart, program: program, extent: extent, area: area)
  }
}

// MARK: - Living particles

extension ParticleField {
  private var longestLife: Double { life[1] }

  /// Returns whether no particle is alive at a time.
  package func isEmpty(at time: Double) -> Bool { numbers(at: time).isEmpty }

  /// The maximum number of particles that may be alive at the same time.
  package var greatestCount: Double {
    switch births {
    case .burst(let count): return Double(count)
    case .steady(let rate, let from, let until):
      return (rate * min(longestLife, max(0, until - from))).rounded(.up)
    case .counted(let counts, _):
      let window = Int((longestLife / ParticleField.step).rounded(.up))
      return counts.indices.map { counts[$0] - counts[max(0, $0 - window)] }.max() ?? 0
    }
  }

  /// Returns the numbers of the particles that may be alive at a time.
  private func numbers(at time: Double) -> Range<Int> {
    switch births {
    case .burst(let count): return time >= 0 && time < longestLife ? 0..<count : 0..<0
    case .steady(let rate, let from, let until):
      guard rate > 0, time >= 0 else { return 0..<0 }
      let first = ((time - longestLife - from) * rate).rounded(.down)
      let last = ((min(time, until) - from) * rate).rounded(.down)
      return last < 0 ? 0..<0 : Int(max(0, first))..<max(Int(max(0, first)), Int(last) + 1)
    case .counted(let counts, let from):
      guard time >= 0 else { return 0..<0 }
      let first = ParticleField.count(counts, at: time - longestLife - from)
      let last = ParticleField.count(counts, at: time - from)
      let (low, high) = (Int((first - 0.5).rounded(.up)), Int((last - 0.5).rounded(.down)))
      return low <= high ? max(0, low)..<(max(0, high) + 1) : 0..<0
    }
  }

  /// Returns the cumulative count at a time in seconds after the first count, with linear
  /// interpolation.
  private static func count(_ counts: [Double], at time: Double) -> Double {
    let place = time / step
    guard place > 0, let last = counts.last else { return counts.first ?? 0 }
    let index = Int(min(place, 1e9))
    guard index + 1 < counts.count else { return last }
    return counts[index] + (counts[index + 1] - counts[index]) * (place - Double(index))
  }

  private func birth(of number: Int) -> Double {
    switch births {
    case .burst: return 0
    case .steady(let rate, let from, _): return from + Double(number) / rate
    case .counted(let counts, let from):
      let wanted = Double(number) + 0.5
      var (low, high) = (0, counts.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if counts[middle] >= wanted { high = middle } else { low = middle + 1 }
      }
      guard low > 0 else { return from }
      let gain = counts[low] - counts[low - 1]
      let part = gain > 0 ? (wanted - counts[low - 1]) / gain : 0
      return from + (Double(low - 1) + part) * ParticleField.step
    }
  }

  /// Returns the inputs of the particles that are alive at a time, in the order of their births:
  /// one list per case of `ParticleInput`.
  package func living(at time: Double) -> [[Float]] {
    let numbers = numbers(at: time)
    var lists = [[Float]](repeating: [], count: ParticleInput.allCases.count)
    for index in lists.indices { lists[index].reserveCapacity(numbers.count) }
    func add(_ input: ParticleInput, _ value: Double) { lists[input.rawValue].append(Float(value)) }
    for number in numbers {
      let birth = birth(of: number)
      let age = time - birth
      let length = life[0] + (life[1] - life[0]) * chance(number, .life)
      guard age >= 0, age < length else { continue }
      let place = place(of: number)
      let (shift, velocity) = emitter(at: birth)
      add(.share, age / length)
      // Single precision represents all integers up to 2²⁴ exactly.
      add(.index, Double(number & 0xFF_FFFF))
      add(.birth, birth)
      add(.age, age)
      add(.x, place.x + shift.x)
      add(.y, place.y + shift.y)
      add(.velocityX, velocity.x)
      add(.velocityY, velocity.y)
    }
    return lists
  }

  private func place(of number: Int) -> Point {
    var share = 0.0
    var place = places[0]
    if places.count > 1, let whole = places.last?.total, whole > 0 {
      let wanted = chance(number, .place) * whole
      var (low, high) = (0, places.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if places[middle].total > wanted { high = middle } else { low = middle + 1 }
      }
      place = places[low]
      let before = low > 0 ? places[low - 1].total : 0
      share = (wanted - before) / max(1e-12, place.total - before)
    } else {
      share = chance(number, .place)
    }
    let side = chance(number, .side)
    return Point(
      place.origin.x + place.along.x * share + place.across.x * side,
      place.origin.y + place.along.y * share + place.across.y * side)
  }

  /// Returns the displacement and the velocity of the emitter at a time.
  private func emitter(at time: Double) -> (shift: Point, velocity: Point) {
    guard route.count > 1 else { return (route.first ?? .zero, .zero) }
    let place = max(0, min(Double(route.count - 1), (time - routeStart) / ParticleField.step))
    let index = min(Int(place), route.count - 2)
    let (a, b) = (route[index], route[index + 1])
    let share = place - Double(index)
    let step = Point(b.x - a.x, b.y - a.y)
    return (
      Point(a.x + step.x * share, a.y + step.y * share),
      Point(step.x / ParticleField.step, step.y / ParticleField.step)
    )
  }

  /// The quantity that a pseudorandom number determines.
  private enum Channel: UInt64 { case life = 1, place, side }

  /// Returns a pseudorandom number in `0..<1`: SplitMix64 (G. Steele, D. Lea, C. Flood 2014) of the
  /// seed, the number of the particle and the channel.
  private func chance(_ number: Int, _ channel: Channel) -> Double {
    var state = UInt64(bitPattern: Int64(seed)) &* 0xD1B5_4A32_D192_ED03
    state ^= (UInt64(bitPattern: Int64(number)) << 3 | channel.rawValue)
    state = state &* 0x9E37_79B9_7F4A_7C15 &+ 0x9E37_79B9_7F4A_7C15
    state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((state ^ (state >> 31)) >> 11) * 0x1p-53
  }
}

// MARK: - Drawing

/// The shape of particles without a drawing of their own.
package enum ParticleShape: String, CaseIterable, Hashable, Sendable, Encodable {
  case circle, rect
  /// A circle that becomes transparent toward its edge.
  case soft
}

/// The order in which particles are drawn.
package enum ParticleOrder: String, CaseIterable, Sendable { case oldest, newest }

/// The orientation of particles.
package enum ParticleOrientation: String, CaseIterable, Sendable { case none, motion }

/// The appearance of all particles of a field.
package struct ParticleLook: Hashable, Sendable, Encodable {
  package var shape = ParticleShape.circle
  /// Whether the colors of overlapping particles are added.
  package var isAdditive = false
  /// Whether angles are relative to the direction of the motion.
  package var followsMotion = false
  /// Whether young particles are drawn first.
  package var isReversed = false
  /// Whether the drawing of a particle is filled with the particle's color.
  package var isTinted = false

  package init() {}
}

/// The particles of a field at one time.
package struct ParticleFrame: Hashable, Sendable {
  package let field: ParticleField
  package let look: ParticleLook
  /// The time since the start of the emitter, in seconds.
  package let time: Double
  /// The values of the program's variables. NaN is replaced by 0.
  package let variables: [Float]
  /// The interval of motion that a particle covers, in seconds.
  package let stretch: Double
  /// The drawing of each particle, about the origin; empty for the shape of the look.
  package var sprite: [DrawOp]

  package init(
    _ field: ParticleField, look: ParticleLook, time: Double, variables: [Double],
    stretch: Double, sprite: [DrawOp]
  ) {
    self.field = field
    self.look = look
    self.time = time
    self.variables = variables.map { $0.isNaN ? 0 : Float($0) }
    self.stretch = stretch
    self.sprite = sprite
  }
}
