// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel
import SceneTestSupport
import Testing

/// Colors that depend on the pixel, compiled to instructions.
@Suite("Compiling pixel functions", .cpuBudget(seconds: 1)) struct PixelCompilerTests {
  private static let x = Operation.pixel

  private static func gray(_ level: Scalar, alpha: Scalar = .one) -> ColorModel {
    ColorModel(red: level, green: level, blue: level, alpha: alpha)
  }

  private static func text(_ color: ColorModel, _ builder: ProgramBuilder) throws -> String {
    try PixelCompiler.compile(color, of: builder.program, images: []).get().0.description
  }

  @Test func whatDoesNotDependOnThePixelIsAVariable() throws {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    let time = builder.make(.sine, a: builder.make(.now))
    let color = Self.gray(builder.add(x, builder.multiply(time, time)))
    let (program, variables) = try PixelCompiler.compile(
      color, of: builder.program, images: []
    ).get()
    #expect(program.description == "r0 = x; r1 = add r0 v0; color r1 r1 r1 1.0")
    #expect(variables == [builder.multiply(time, time)])
    #expect(program.isOpaque && !program.readsAround)
  }

  @Test func aChannelMayBeAVariable() throws {
    var builder = ProgramBuilder()
    let time = builder.make(.sine, a: builder.make(.now))
    let color = ColorModel(
      red: builder.make(.pixel, index: 0), green: time, blue: .zero, alpha: time)
    let (program, variables) = try PixelCompiler.compile(
      color, of: builder.program, images: []
    ).get()
    #expect(program.description == "r0 = x; color r0 v0 0.0 v0")
    #expect(program.variableCount == 1 && variables == [time])
  }

  @Test func equalExpressionsAreComputedOnce() throws {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    let twice = builder.add(builder.multiply(x, x), builder.multiply(x, x))
    #expect(
      try Self.text(Self.gray(twice), builder)
        == "r0 = x; r1 = multiply r0 r0; r0 = add r1 r1; color r0 r0 r0 1.0")
  }

  @Test func whatDependsOnTheRowComesFirst() throws {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    let y = builder.make(.pixel, index: 1)
    let row = builder.make(.sine, a: y)
    let (program, _) = try PixelCompiler.compile(
      Self.gray(builder.add(builder.make(.cosine, a: x), row)), of: builder.program, images: []
    ).get()
    #expect(program.rowCount == 2)
    #expect(
      program.description
        == "r0 = y; r1 = sine r0; r2 = x; r3 = cosine r2; r2 = add r3 r1; color r2 r2 r2 1.0")
  }

  @Test func theSourceAtThePixelIsLoaded() throws {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    let y = builder.make(.pixel, index: 1)
    func sample(_ x: Scalar) -> ColorModel {
      let all = (0..<4).map { builder.make(.sample, a: x, b: y, index: Int32($0)) }
      return ColorModel(red: all[0], green: all[1], blue: all[2], alpha: all[3])
    }
    #expect(try Self.text(sample(x), builder) == "r0 = load 0; color r0 r1 r2 r3")
    // Of two sources, the second one is loaded too.
    let second = (4..<8).map { builder.make(.sample, a: x, b: y, index: Int32($0)) }
    let color = ColorModel(red: second[0], green: second[1], blue: second[2], alpha: second[3])
    for (count, wanted) in [(1, "sample 1"), (2, "load 1")] {
      let program = try PixelCompiler.compile(
        color, of: builder.program, images: [], sourceCount: count
      ).get().0
      #expect(program.description.contains(wanted) && program.sourceCount == count)
    }
    let moved = try PixelCompiler.compile(
      sample(builder.add(x, .one)), of: builder.program, images: []
    ).get().0
    #expect(moved.readsAround && !moved.isOpaque)
    #expect(
      moved.description
        == "r0 = y; r1 = x; r2 = add r1 1.0; r3 = sample 0 r2 r0; color r3 r4 r5 r6")
  }

  @Test func easingsAreTables() throws {
    var builder = ProgramBuilder()
    let eased = builder.ease(
      builder.make(.pixel, index: 0), .cubicBezier(0.4, 0, 0.2, 1))
    let (program, _) = try PixelCompiler.compile(
      Self.gray(eased), of: builder.program, images: []
    ).get()
    #expect(program.tables.count == 1 && program.tables[0].count == PixelProgram.tableSteps + 1)
    #expect(program.tables[0].first == 0 && program.tables[0].last == 1)
  }

  @Test func registersAreShared() throws {
    var builder = ProgramBuilder()
    var level = builder.make(.pixel, index: 0)
    for step in 0..<300 {
      level = builder.make(.sine, a: builder.add(level, .constant(Double(step))))
    }
    let (program, _) = try PixelCompiler.compile(
      Self.gray(level), of: builder.program, images: []
    ).get()
    #expect(program.registerCount <= 3)
  }

  @Test func limits() {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    var level = x
    for step in 0..<2500 {
      level = builder.make(.sine, a: builder.add(level, .constant(Double(step))))
    }
    #expect(
      PixelCompiler.compile(Self.gray(level), of: builder.program, images: []).failure
        == .tooManyInstructions(5000))
    var sum = Scalar.zero
    for step in 0..<70 {
      sum = builder.add(
        sum, builder.make(.sample, a: builder.add(x, .constant(Double(step))), b: x, index: 0))
    }
    #expect(
      PixelCompiler.compile(Self.gray(sum), of: builder.program, images: []).failure
        == .tooManySamples(70))
    // All sines are needed for their sum, and again after it.
    let all = (0..<90).map { builder.make(.sine, a: builder.scaled(x, Double($0 + 2))) }
    let total = all.reduce(Scalar.zero) { builder.add($0, $1) }
    let folded = all.reduce(total) { builder.make(.power, a: $0, b: builder.multiply($1, total)) }
    guard
      case .tooManyRegisters? = PixelCompiler.compile(
        Self.gray(folded), of: builder.program, images: []
      ).failure
    else {
      Issue.record("the registers are not limited")
      return
    }
  }

  @Test func textsAndPathsCannotDependOnThePixel() {
    var builder = ProgramBuilder()
    let x = builder.make(.pixel, index: 0)
    let path = builder.register(PathModel([.move(PointModel(x, x)), .line(PointModel(x, .one))]))
    let box = builder.make(.pathBox, index: path * 4)
    #expect(
      PixelCompiler.compile(Self.gray(box), of: builder.program, images: []).failure
        == .variesByPixel("a point of a path"))
  }
}

extension Result {
  fileprivate var failure: Failure? { if case .failure(let it) = self { it } else { nil } }
}
