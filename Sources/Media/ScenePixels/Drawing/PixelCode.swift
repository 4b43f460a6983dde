// SPDX-License-Identifier: MIT
import CPixels
package import SceneGraphics
package import SceneIR

/// The geometry of pixels that a pixel function samples.
package struct PixelLayer {
  /// Maps the box of the function to the pixels.
  package let map: Projection
  /// Whether edge pixels are repeated outside.
  package let extends: Bool

  package init(map: Projection, extends: Bool) {
    self.map = map
    self.extends = extends
  }
}

/// A pixel function in the form that the pixel loop reads.
package struct PixelCode {
  private let function: PixelFunction
  private let instructions: [scene_instruction]
  private let numbers: [Float]
  private let tables: [Float]
  private let color: [Int32]
  private let inverse: scene_projection
  private let opacity: Float
  private var layers: [scene_layer] = []

  /// `inverse` maps device pixels to the coordinates of the function's box.
  package init(_ function: PixelFunction, inverse: Projection, opacity: Double = 1) {
    self.function = function
    let program = function.program
    func operand(_ operand: PixelProgram.Operand) -> Int32 {
      switch operand {
      case .register(let index): Int32(index)
      case .number(let index): ~Int32(index)
      }
    }
    instructions = program.instructions.map {
      scene_instruction(
        operation: $0.operation.number, target: Int32($0.target), a: operand($0.a),
        b: operand($0.b), c: operand($0.c), index: Int32($0.index))
    }
    numbers = program.constants + function.variables
    precondition(function.variables.count == program.variableCount)
    tables = program.tables.flatMap { $0 }
    color = program.color.map(operand)
    self.inverse = scene_projection(inverse)
    self.opacity = Float(opacity)
  }

  /// The number of layers that the function may sample.
  var layerCount: Int { function.program.sourceCount + function.program.images.count }

  /// Adds the next layer; the sources come first.
  mutating func add(_ pixels: scene_pixels, _ layer: PixelLayer) {
    layers.append(
      scene_layer(
        pixels: pixels, map: scene_projection(layer.map), extends: layer.extends ? 1 : 0))
  }

  /// Computes the pixels of a part and composites them onto those of `below`, if any. Returns
  /// `false` if out of memory.
  func run(
    on pixels: scene_pixels, over below: scene_pixels, at: PixelPosition, within part: scene_part
  ) -> Bool {
    precondition(layers.count == layerCount)
    return unsafe withProgram { it in
      unsafe it.part = part
      unsafe it.color = (color[0], color[1], color[2], color[3])
      return unsafe scene_run_program(pixels, below, Int32(at.x), Int32(at.y), &it) != 0
    }
  }

  /// Computes the outputs of a program that reads inputs. `inputs` holds `count` numbers for each
  /// input, and the result as many for each output. Returns `nil` if out of memory.
  func outputs(for inputs: [Float], count: Int) -> [Float]? {
    var outputs = [Float](repeating: 0, count: color.count * count)
    let isDone = unsafe inputs.withUnsafeBufferPointer { inputs in
      unsafe outputs.withUnsafeMutableBufferPointer { outputs in
        unsafe color.withUnsafeBufferPointer { slots in
          var lanes = unsafe scene_lanes(
            inputs: inputs.baseAddress, outputs: outputs.baseAddress, count: Int32(count),
            slots: slots.baseAddress, slot_count: Int32(slots.count))
          return unsafe withProgram { unsafe scene_run_lanes(&$0, &lanes) != 0 }
        }
      }
    }
    return isDone ? outputs : nil
  }

  private func withProgram(_ body: (inout scene_program) -> Bool) -> Bool {
    let program = function.program
    return unsafe instructions.withUnsafeBufferPointer { code in
      unsafe numbers.withUnsafeBufferPointer { numbers in
        unsafe tables.withUnsafeBufferPointer { tables in
          unsafe layers.withUnsafeBufferPointer { layers in
            var it = unsafe scene_program(
              code: code.baseAddress, count: Int32(code.count),
              row_count: Int32(program.rowCount), registers: Int32(program.registerCount),
              numbers: numbers.baseAddress, number_count: Int32(numbers.count),
              tables: tables.baseAddress, layers: layers.baseAddress, inverse: inverse,
              color: (0, 0, 0, 0), opacity: opacity, part: scene_part())
            return unsafe body(&it)
          }
        }
      }
    }
  }
}

extension PixelProgram.Operation {
  fileprivate var number: Int32 {
    let number =
      switch self {
      case .x: SCENE_PIXEL_X
      case .y: SCENE_PIXEL_Y
      case .width: SCENE_PIXEL_WIDTH
      case .input: SCENE_INPUT
      case .load: SCENE_LOAD
      case .sample: SCENE_SAMPLE
      case .entry: SCENE_TABLE_ENTRY
      case .add: SCENE_ADD
      case .subtract: SCENE_SUBTRACT
      case .multiply: SCENE_MULTIPLY
      case .divide: SCENE_DIVIDE
      case .negate: SCENE_NEGATE
      case .absolute: SCENE_ABSOLUTE
      case .minimum: SCENE_MINIMUM
      case .maximum: SCENE_MAXIMUM
      case .floor: SCENE_FLOOR
      case .ceiling: SCENE_CEILING
      case .round: SCENE_ROUND
      case .squareRoot: SCENE_SQUARE_ROOT
      case .power: SCENE_POWER
      case .modulo: SCENE_MODULO
      case .exponential: SCENE_EXPONENTIAL
      case .logarithm: SCENE_LOGARITHM
      case .sine: SCENE_SINE
      case .cosine: SCENE_COSINE
      case .arcTangent: SCENE_ARC_TANGENT
      case .less: SCENE_LESS
      case .lessOrEqual: SCENE_LESS_OR_EQUAL
      case .equal: SCENE_EQUAL
      case .and: SCENE_AND
      case .or: SCENE_OR
      case .not: SCENE_NOT
      case .select: SCENE_SELECT
      case .noise: SCENE_NOISE
      case .random: SCENE_RANDOM
      case .toLinear: SCENE_TO_LINEAR
      case .fromLinear: SCENE_FROM_LINEAR
      case .cubeRoot: SCENE_CUBE_ROOT
      }
    return Int32(number)
  }
}
