// SPDX-License-Identifier: MIT
import SceneModel

/// When, how loud and by which clock something sounds: what all that is around it says together.
///
/// Times of the built scene are `Double`s in ticks, since clocks may be faster or slower than it.
struct SoundPlace {
  /// A clock that runs steadily: the time of the built scene at which it is 0, and its ticks for each
  /// tick of the scene; below 0 it runs backwards.
  struct Clock {
    var zero: Double
    var speed: Double

    func time(_ own: Double) -> Double { zero + own / speed }
    func own(_ time: Double) -> Double { (time - zero) * speed }
  }

  /// Times of the built scene.
  var start: Double
  var end: Double
  /// `nil` where the clock is some curve; what depends on it is then in the factors.
  var clock: Clock?
  /// Factors of amplitude.
  var left = Scalar.one
  var right = Scalar.one
  var fades: [FadeModel] = []

  var isSilent: Bool { left == .zero && right == .zero || start >= end }
}

extension Checker {
  /// The part of a place that lies in a life, in ticks of its clock; `nil` when nothing does.
  func part(of place: SoundPlace, from: Double, to: Double) -> SoundPlace? {
    var part = place
    if let clock = place.clock {
      let ends = [clock.time(from), clock.time(to)]
      part.start = max(place.start, min(ends[0], ends[1]))
      part.end = min(place.end, max(ends[0], ends[1]))
    } else {
      let isFrom = builder.make(.lessOrEqual, .constant(from), now)
      let isBefore = builder.make(.less, now, .constant(to))
      turn(&part, by: builder.make(.and, isFrom, isBefore))
    }
    return part.isSilent ? nil : part
  }

  /// Multiplies both sides.
  func turn(_ place: inout SoundPlace, by factor: Scalar) {
    place.left = builder.make(.multiply, place.left, factor)
    place.right = builder.make(.multiply, place.right, factor)
  }

  /// Lets a place come or go between two times of its clock.
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
      var share = builder.make(.progress, now, .constant(from), .constant(to - from))
      if !isIn { share = builder.subtract(.one, share) }
      if law == .power { share = builder.make(.sine, builder.scaled(share, 90)) }
      turn(&place, by: share)
    }
  }
}
