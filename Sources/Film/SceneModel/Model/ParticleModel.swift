// SPDX-License-Identifier: MIT
package import SceneIR

/// A field of particles with variable numbers.
package struct ParticleModel: Hashable, Sendable, Encodable {
  package let field: ParticleField
  package let look: ParticleLook
  /// The variables of the field's program.
  package let variables: [Scalar]
  /// The time since the start of the emitter, in ticks.
  package let time: Scalar
  /// The interval of motion that a particle covers, in ticks.
  package let stretch: Scalar

  package init(
    _ field: ParticleField, look: ParticleLook, variables: [Scalar], time: Scalar, stretch: Scalar
  ) {
    self.field = field
    self.look = look
    self.variables = variables
    self.time = time
    self.stretch = stretch
  }
}

extension ParticleModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    variables.forEach(use)
    use(time)
    use(stretch)
  }
}
