// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics
package import SceneIR

/// An image of the drawing of a particle.
package struct ParticleSprite {
  fileprivate let image: scene_sprite

  /// `scale` is the number of pixels per unit of the drawing, whose origin is at `origin` of the
  /// image. The pixels must outlive the sprite.
  init(_ pixels: scene_pixels, scale: Double, origin: Point) {
    image = scene_sprite(
      pixels: pixels,
      map: scene_map(a: scale, b: 0, c: 0, d: scale, e: origin.x, f: origin.y))
  }
}

/// A particle at one time, in the coordinates of the field.
package struct ParticleState {
  package let position: Point
  /// The velocity in pixels per second.
  package let velocity: Point
  package let size: Size
  package let degrees: Double
  /// The scale of a sprite.
  package let scale: Double
  package let color: Color
}

/// The state of the particles of a frame.
package struct ParticlePixels {
  private let frame: ParticleFrame
  /// The results of the program: `count` numbers for each output.
  private let values: [Float]
  package let count: Int

  /// Computes the state. Returns `nil` if out of memory.
  package init?(_ frame: ParticleFrame) {
    let inputs = frame.field.living(at: frame.time)
    self.frame = frame
    count = inputs[0].count
    let code = PixelCode(
      PixelFunction(
        frame.field.program, variables: frame.variables.map(Double.init),
        box: Rect(x: 0, y: 0, width: 0, height: 0)), inverse: Projection(.identity))
    guard let values = code.outputs(for: inputs.flatMap { $0 }, count: count) else { return nil }
    self.values = values
  }

  /// Returns the bounds on the device. Sprites extend to `reach` from their origin.
  package func bounds(under map: Affine, reach: Double = 0) -> Rect {
    guard count > 0 else { return .empty }
    var box = scene_box()
    withCode([], hasSprite: reach > 0, under: map, at: PixelPosition(0, 0)) {
      box = unsafe scene_particle_bounds(&$0, Float(reach))
    }
    return Rect(x: box.x0, y: box.y0, width: box.x1 - box.x0, height: box.y1 - box.y0)
  }

  /// The maximum scale of a particle.
  package var greatestScale: Double {
    let first = count * Int(SCENE_PARTICLE_SCALE)
    let scales = values[first..<(first + count)]
    return Double(scales.reduce(0) { $1 > $0 && $1 < 1e5 ? $1 : $0 })
  }

  /// Returns the state of a particle.
  package subscript(index: Int) -> ParticleState {
    func value<T: BinaryInteger>(_ output: T) -> Double {
      Double(values[Int(output) * count + index])
    }
    let color = Color(
      red: value(SCENE_PARTICLE_RED), green: value(SCENE_PARTICLE_GREEN),
      blue: value(SCENE_PARTICLE_BLUE), alpha: value(SCENE_PARTICLE_ALPHA))
    return ParticleState(
      position: Point(value(SCENE_PARTICLE_X), value(SCENE_PARTICLE_Y)),
      velocity: Point(value(SCENE_PARTICLE_VX), value(SCENE_PARTICLE_VY)),
      size: Size(value(SCENE_PARTICLE_WIDTH), value(SCENE_PARTICLE_HEIGHT)),
      degrees: value(SCENE_PARTICLE_ANGLE), scale: value(SCENE_PARTICLE_SCALE), color: color.clamped
    )
  }

  func withCode(
    _ sprites: [ParticleSprite], hasSprite: Bool = false, under map: Affine, at: PixelPosition,
    _ body: (inout scene_particles) -> Void
  ) {
    let look = frame.look
    unsafe values.withUnsafeBufferPointer { values in
      unsafe sprites.map(\.image).withUnsafeBufferPointer { images in
        var code = unsafe scene_particles(
          values: values.baseAddress, count: Int32(count), map: scene_map(map), x: Int32(at.x),
          y: Int32(at.y), shape: look.shape.number, adds: look.isAdditive ? 1 : 0,
          follows_motion: look.followsMotion ? 1 : 0, is_reversed: look.isReversed ? 1 : 0,
          is_tinted: look.isTinted ? 1 : 0, stretch: Float(frame.stretch),
          sprites: images.baseAddress, sprite_count: hasSprite ? 1 : Int32(images.count))
        body(&code)
      }
    }
  }
}

extension ParticleShape {
  fileprivate var number: Int32 {
    switch self {
    case .circle: Int32(SCENE_CIRCLE)
    case .rect: Int32(SCENE_RECT)
    case .soft: Int32(SCENE_SOFT)
    }
  }
}
