// SPDX-License-Identifier: MIT
import SceneModel
import SceneTypes

/// The interval, gain and clock of audio: the combination of all enclosing elements.
///
/// Times of the built scene are `Double`s in ticks, since other clocks may be faster or slower.
struct SoundPlace {
  /// A linear clock: the time of the built scene at which it is 0, and its ticks per tick of the
  /// scene. A negative speed runs backward.
  struct Clock {
    var zero: Double
    var speed: Double

    func time(_ own: Double) -> Double { zero + own / speed }
    func own(_ time: Double) -> Double { (time - zero) * speed }
  }

  /// The interval in the built scene.
  var start: Double
  var end: Double
  /// The clock; `nil` if it is nonlinear. The factors then contain everything that depends on it.
  var clock: Clock?
  /// The amplitude factors of both sides.
  var left = Scalar.one
  var right = Scalar.one
  var fades: [FadeModel] = []
  /// The lifetimes on nonlinear clocks that are not included in `start` and `end`, outermost first.
  var lives: [Life] = []

  /// A lifetime in ticks of a clock.
  struct Life {
    let clock: Scalar
    let from: Double
    let to: Double
  }

  var isSilent: Bool { left == .zero && right == .zero }
}

extension Checker {
  /// Returns the part of the audio inside a lifetime in ticks of its clock, or `nil` if it is
  /// empty.
  func part(of place: SoundPlace, from: Double, to: Double) -> SoundPlace? {
    var part = place
    if let clock = place.clock {
      let ends = [clock.time(from), clock.time(to)]
      part.start = max(place.start, min(ends[0], ends[1]))
      part.end = min(place.end, max(ends[0], ends[1]))
    } else {
      let isFrom = builder.make(.lessOrEqual, a: .constant(from), b: now)
      let isBefore = builder.make(.less, a: now, b: .constant(to))
      turn(&part, by: builder.make(.and, a: isFrom, b: isBefore))
      part.lives.append(SoundPlace.Life(clock: now, from: from, to: to))
    }
    let isEmpty = part.start >= part.end || part.isSilent && !place.isSilent
    return isEmpty ? nil : part
  }

  /// Multiplies the gain of both channels by a factor.
  func turn(_ place: inout SoundPlace, by factor: Scalar) {
    place.left = builder.make(.multiply, a: place.left, b: factor)
    place.right = builder.make(.multiply, a: place.right, b: factor)
  }

  /// Adds a fade between two times of the clock.
  func fade(
    _ place: inout SoundPlace, from: Double, to: Double, isIn: Bool, law: FadeModel.Law = .power
  ) {
    guard to > from else { return }
    if let clock = place.clock {
      let ends = [clock.time(from), clock.time(to)]
      guard let start = Ticks(rounding: min(ends[0], ends[1])),
        let end = Ticks(rounding: max(ends[0], ends[1])), start < end
      else { return }
      let rises = isIn == (clock.speed > 0)
      place.fades.append(FadeModel(start: start, end: end, isIn: rises, law: law))
    } else {
      var share = builder.make(.progress, a: now, b: .constant(from), c: .constant(to - from))
      if !isIn { share = builder.subtract(.one, share) }
      if law == .power { share = builder.make(.sine, a: builder.scaled(share, 90)) }
      turn(&place, by: share)
    }
  }
}
