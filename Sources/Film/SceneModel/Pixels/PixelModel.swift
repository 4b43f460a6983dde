// SPDX-License-Identifier: MIT
package import SceneIR

/// A pixel function with variable numbers.
package struct PixelModel: Hashable, Sendable, Encodable {
  package let program: PixelProgram
  /// The variables of the program.
  package let variables: [Scalar]
  /// x, y, width and height of the box to which positions refer, in the element's coordinates.
  package let box: [Scalar]
  /// The distance beyond the element at which a filter draws, in pixels.
  package let reach: Scalar

  package init(_ program: PixelProgram, variables: [Scalar], box: [Scalar], reach: Scalar = .zero) {
    precondition(box.count == 4)
    self.program = program
    self.variables = variables
    self.box = box
    self.reach = reach
  }
}

extension PixelModel: HoldsScalars {
  package func forEachScalar(_ use: (Scalar) -> Void) {
    variables.forEach(use)
    box.forEach(use)
    use(reach)
  }
}
