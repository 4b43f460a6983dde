// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneIR

extension PixelProgram {
  /// Computes the outputs for some inputs in double precision. Positions and layers are 0.
  package func outputs(for inputs: [Double], variables: [Double]) -> [Double] {
    let numbers = constants.map(Double.init) + variables
    var registers = [Double](repeating: 0, count: registerCount)
    func value(_ operand: Operand) -> Double {
      switch operand {
      case .register(let index): registers[index]
      case .number(let index): numbers[index]
      }
    }
    for it in instructions {
      let (a, b, c) = (value(it.a), value(it.b), value(it.c))
      switch it.operation {
      case .input: registers[it.target] = inputs[it.index]
      case .entry:
        let place = max(0, min(1, a)) * Double(PixelProgram.tableSteps)
        let index = min(Int(place), PixelProgram.tableSteps - 1)
        let (low, high) = (Double(tables[it.index][index]), Double(tables[it.index][index + 1]))
        registers[it.target] = low + (high - low) * (place - Double(index))
      case .toLinear: registers[it.target] = Color.linear(a)
      case .fromLinear: registers[it.target] = Color.encoded(a)
      case .cubeRoot: registers[it.target] = Math.cbrt(a)
      default:
        guard let operation = PixelCompiler.scalarOperation(it.operation) else { continue }
        registers[it.target] = Program.apply(operation, a: a, b: b, c: c, index: 0, easing: nil)
      }
    }
    return color.map(value)
  }
}
