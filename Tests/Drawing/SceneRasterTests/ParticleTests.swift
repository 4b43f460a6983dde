// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels
import SceneRaster
import SceneTestSupport
import Testing

/// Fields of particles: births, motion, positions and drawing.
@Suite("Particles", .cpuBudget(seconds: 1)) struct ParticleTests {
  /// Returns a video with `body`: 4 s at 100 frames per second.
  private static func film(_ body: String, background: String = "black") throws -> Drawing {
    try Drawing(
      "scene { for: 4s;  fps: 100;  size: 400x300;  background: \(background)\n\(body)\n}")
  }

  /// Returns the field of the only element at a frame, or `nil` if no particle is alive.
  private static func frame(_ film: Drawing, _ index: Int) -> ParticleFrame? {
    func find(_ ops: [DrawOp]) -> ParticleFrame? {
      for op in ops {
        switch op {
        case .particles(let frame): return frame
        case .transformed(_, let body), .layer(_, let body):
          if let found = find(body) { return found }
        default: continue
        }
      }
      return nil
    }
    return find(film.program(index).ops)
  }

  private static func states(_ film: Drawing, _ index: Int) throws -> [ParticleState] {
    guard let frame = frame(film, index) else { return [] }
    let pixels = try #require(ParticlePixels(frame))
    return (0..<pixels.count).map { pixels[$0] }
  }

  // MARK: Motion

  @Test(arguments: [0.0, 0.001, 0.3, 0.99, 1.01, 2.5, 40])
  func positionsAreThoseOfABodyInTheAir(drag: Double) throws {
    let film = try Self.film(
      "particles { from: (0, 0);  burst: 1;  life: 3s;  heading: 30deg;  spread: 0deg;  speed: 700;  gravity: (40, 300);  drag: \(drag) }"
    )
    // The equation of motion in small steps, by the midpoint method.
    var position = Point.zero
    var velocity = Point(700 * Math.cosDegrees(30), 700 * Math.sinDegrees(30))
    let step = 1e-5
    for index in 0..<290_000 {
      if index % 29_000 == 0 {
        let state = try #require(try Self.states(film, index / 1000).first)
        #expect(Math.hypot(state.position.x - position.x, state.position.y - position.y) < 0.02)
        #expect(Math.hypot(state.velocity.x - velocity.x, state.velocity.y - velocity.y) < 0.02)
      }
      func force(_ v: Point) -> Point { Point(40 - drag * v.x, 300 - drag * v.y) }
      let pull = force(velocity)
      let middle = Point(velocity.x + pull.x * step / 2, velocity.y + pull.y * step / 2)
      let change = force(middle)
      position = Point(position.x + middle.x * step, position.y + middle.y * step)
      velocity = Point(velocity.x + change.x * step, velocity.y + change.y * step)
    }
  }

  @Test func turbulenceMovesNeighborsTogetherAndBeginsWithoutAJump() throws {
    let film = try Self.film(
      "particles { from: (0 .. 400, 150);  burst: 400;  life: 3.5s;  speed: 0;  turbulence: 60 }")
    let start = try Self.states(film, 0)
    let early = try Self.states(film, 20)
    let late = try Self.states(film, 300)
    let order = start.indices.sorted { start[$0].position.x < start[$1].position.x }
    func shift(_ states: [ParticleState], _ index: Int) -> Point {
      states[index].position - start[index].position
    }
    let greatest = start.indices.map { abs(shift(late, $0).y) }.max() ?? 0
    #expect((20..<200).contains(greatest))
    #expect(start.indices.allSatisfy { abs(shift(early, $0).y) < 1 })
    for (a, b) in zip(order, order.dropFirst())
    where start[b].position.x - start[a].position.x < 2 {
      #expect(abs(shift(late, a).y - shift(late, b).y) < 4)
    }
  }

  // MARK: Births

  @Test func particlesAreBornAtTheRateAndDieAfterTheirLives() throws {
    let film = try Self.film("particles { rate: 50Hz;  life: 1s;  emit-for: 2s }")
    let counts = try [0, 50, 99, 150, 199, 250, 299, 301].map { try Self.states(film, $0).count }
    #expect(counts == [1, 26, 50, 50, 50, 25, 1, 0])
  }

  @Test func aFieldThatIsWarmBeginsWithParticles() throws {
    let film = try Self.film("particles { rate: 50Hz;  life: 1s;  prewarm: 2s;  speed: 100 }")
    let states = try Self.states(film, 0)
    #expect(states.count == 50)
    // The oldest particles are as far from the emitter as after a lifetime.
    #expect(states.contains { Math.hypot($0.position.x - 200, $0.position.y - 150) > 90 })
  }

  @Test func aChangingRateIsIntegrated() throws {
    // 0 to 200 per second within 2 s are 200 particles.
    let film = try Self.film(
      "particles { rate: keyframes { 0s: 0Hz;  2s: 200Hz;  2.01s: 0Hz };  life: 4s }")
    let counts = try [50, 100, 150, 205, 399].map { try Self.states(film, $0).count }
    for (count, wanted) in zip(counts, [12.5, 50, 112.5, 201, 201]) {
      #expect(abs(Double(count) - wanted) <= 1)
    }
  }

  @Test func livesAreInTheRangeAndDifferFromEachOther() throws {
    let film = try Self.film("particles { burst: 500;  life: 1s .. 3s }")
    let counts = try [0, 99, 150, 200, 250, 299, 301].map { try Self.states(film, $0).count }
    #expect(counts[0] == 500 && counts[1] == 500 && counts[6] == 0)
    for (count, wanted) in zip(counts[2...4], [375, 250, 125]) {
      #expect(abs(count - wanted) < 50)
    }
  }

  @Test func aMovingEmitterLeavesParticlesWhereItWas() throws {
    let film = try Self.film(
      "particles { from: (100 + 50 * t / 1s, 20);  rate: 10Hz;  life: 4s;  speed: 0 }")
    let states = try Self.states(film, 399)
    for (index, state) in states.enumerated() {
      #expect(abs(state.position.x - (100 + 5 * Double(index))) < 0.01)
    }
    let inheriting = try Self.film(
      "particles { from: (100 + 50 * t / 1s, 20);  rate: 10Hz;  life: 4s;  speed: 0;  inherit: 100% }"
    )
    // All move along with the emitter.
    for state in try Self.states(inheriting, 300).dropLast() {
      #expect(abs(state.position.x - 250) < 0.1)
    }
  }

  @Test func aNumberedEmitterIsAFunctionOfTheParticle() throws {
    let film = try Self.film(
      "particles { from: (10 * index, 5 * index);  burst: 9;  life: 4s;  speed: 0 }")
    for (index, state) in try Self.states(film, 10).enumerated() {
      #expect(abs(state.position.x - 10 * Double(index)) < 0.001)
      #expect(abs(state.position.y - 5 * Double(index)) < 0.001)
    }
  }

  // MARK: Places

  @Test func particlesAreSpreadEvenlyInAnOutline() throws {
    let film = try Self.film(
      """
      arc ring { radius: 120;  inner-radius: 60;  sweep: 360deg;  fill: none }
      particles { from: ring;  burst: 8000;  life: 4s;  speed: 0 }
      """)
    let states = try Self.states(film, 0)
    #expect(states.count == 8000)
    var near = 0
    for state in states {
      let radius = Math.hypot(state.position.x - 200, state.position.y - 150)
      #expect((59...121).contains(radius))
      if radius < 90 { near += 1 }
    }
    // The areas of the inner and the outer half have the ratio 45 : 63.
    #expect(abs(Double(near) / 8000 - 45.0 / 108) < 0.02)
  }

  @Test func particlesAreOnAnOutline() throws {
    let film = try Self.film(
      """
      circle disc { radius: 100;  fill: none }
      particles { from: disc;  emit: outline;  burst: 1000;  life: 4s;  speed: 0 }
      """)
    let states = try Self.states(film, 0)
    for state in states {
      #expect(abs(Math.hypot(state.position.x - 200, state.position.y - 150) - 100) < 0.1)
    }
    #expect(Set(states.map { Int($0.position.x / 20) }).count == 10)
  }

  @Test func aTextIsDissolvedIntoItsGlyphs() throws {
    let film = try Self.film(
      """
      text word "I" { font-size: 200;  fill: none }
      particles { from: word;  burst: 2000;  life: 4s;  speed: 0 }
      """)
    let states = try Self.states(film, 0)
    let across = states.map(\.position.x)
    let down = states.map(\.position.y)
    // The stem of an I is narrow and high.
    let width = (across.max() ?? 0) - (across.min() ?? 0)
    let height = (down.max() ?? 0) - (down.min() ?? 0)
    #expect(states.count == 2000 && width < 60 && height > 120)
  }

  // MARK: Values

  @Test func motionsLastAsLongAsTheLife() throws {
    let film = try Self.film(
      """
      particles {
          burst: 300;  life: 1s .. 3s;  speed: 0;  size: 10 -> 0;  opacity: 0 -> 1 over 50% -> 0
          fill: black -> white;  mixing: srgb
      }
      """)
    for index in [20, 99, 150, 250] {
      for state in try Self.states(film, index) {
        let share = 1 - state.size.width / 10
        #expect((0...1).contains(share))
        #expect(abs(state.color.red - share) < 1e-4)
        #expect(abs(state.color.alpha - (share < 0.5 ? 2 * share : 2 - 2 * share)) < 1e-4)
      }
    }
  }

  @Test func rangesGiveEachParticleItsOwnValue() throws {
    let film = try Self.film(
      "particles { burst: 1000;  life: 4s;  speed: 0;  size: (2 .. 6, 10 .. 30);  rotate: 0deg .. 90deg }"
    )
    let states = try Self.states(film, 0)
    let widths = states.map(\.size.width)
    let heights = states.map(\.size.height)
    let angles = states.map(\.degrees)
    func isEven(_ values: [Double], _ range: ClosedRange<Double>) -> Bool {
      let mean = values.reduce(0, +) / Double(values.count)
      let length = range.upperBound - range.lowerBound
      return values.allSatisfy(range.contains)
        && abs(mean - range.lowerBound - length / 2) < length / 20
        && Set(values).count > values.count * 9 / 10
    }
    #expect(isEven(widths, 2...6) && isEven(heights, 10...30) && isEven(angles, 0...90))
    // The values of different properties are independent.
    let product = zip(widths, heights).map { ($0 - 4) * ($1 - 20) }.reduce(0, +) / 1000
    #expect(abs(product) < 1)
  }

  @Test func seedsSelectOtherParticles() throws {
    func positions(_ seed: Int) throws -> [Point] {
      let film = try Self.film("particles { burst: 20;  life: 4s;  seed: \(seed) }")
      return try Self.states(film, 50).map(\.position)
    }
    #expect(try positions(1) == positions(1))
    #expect(try positions(1) != positions(2))
  }

  // MARK: Drawing

  /// Returns the sum of the levels of a white drawing, in pixels.
  private static func area(_ particles: String) throws -> Double {
    let film = try film(
      "particles { from: (200.3, 150.6);  burst: 1;  life: 4s;  speed: 0;  fill: white;  \(particles) }"
    )
    let pixels = try film.pixels(0)
    return Pixels.sumOfRed(pixels) / 255
  }

  @Test(arguments: [0.4, 0.8, 1.2, 2, 3.5, 9, 40])
  func shapesHaveTheirExactArea(size: Double) throws {
    let circle = try Self.area("size: \(size)")
    #expect(abs(circle / (.pi * size * size / 4) - 1) < (size < 1 ? 0.12 : 0.03))
    let rect = try Self.area("shape: rect;  size: (\(size), \(2 * size));  rotate: 20deg")
    #expect(abs(rect / (2 * size * size) - 1) < (size < 1 ? 0.12 : 0.03))
    let ellipse = try Self.area("size: (\(size), \(2 * size));  rotate: 70deg")
    #expect(abs(ellipse / (.pi * size * size / 2) - 1) < (size < 1 ? 0.2 : 0.05))
  }

  @Test func aTrailIsARoundedLine() throws {
    let film = try Self.film(
      "particles { from: (50, 150);  burst: 1;  life: 4s;  heading: 0deg;  spread: 0deg;  speed: 200;  stretch: 0.5s;  size: 10;  fill: white }"
    )
    let pixels = try film.pixels(100)
    let area = Pixels.sumOfRed(pixels) / 255
    #expect(abs(area - (100 * 10 + .pi * 25)) < 12)
    func level(_ x: Int, _ y: Int) -> UInt8 { pixels[4 * (y * 400 + x)] }
    // The trail extends from x = 150 to the particle at x = 250, with round ends.
    #expect(level(200, 150) == 255 && level(148, 150) > 200 && level(252, 150) > 200)
    #expect(level(142, 150) == 0 && level(258, 150) == 0 && level(200, 158) == 0)
  }

  @Test func colorsOfLightAddUp() throws {
    let film = try Self.film(
      "particles { from: (200, 150);  burst: 2;  life: 4s;  speed: 0;  size: 40;  fill: #402000;  blend: plus-lighter }"
    )
    let pixels = try film.pixels(0)
    let center = 4 * (150 * 400 + 200)
    #expect(abs(Int(pixels[center]) - 128) <= 1 && abs(Int(pixels[center + 1]) - 64) <= 1)
  }

  @Test func aDrawingLooksLikeTheSameElement() throws {
    let sprite = try Self.film(
      "particles { from: (200, 150);  burst: 1;  life: 4s;  speed: 0;  rotate: 20deg;  star { radius: 80;  fill: gold } }"
    )
    let star = try Self.film("star { radius: 80;  fill: gold;  rotate: 20deg }")
    let (a, b) = (try sprite.pixels(0), try star.pixels(0))
    let difference = Pixels.difference(a, b, limit: 40)
    #expect(difference.far < 20)
    #expect(difference.mean * Double(a.count) < 30_000)
    let tinted = try Self.film(
      "particles { from: (200, 150);  burst: 1;  life: 4s;  speed: 0;  fill: red;  star { radius: 80;  fill: white } }"
    )
    let pixels = try tinted.pixels(0)
    let center = 4 * (150 * 400 + 200)
    #expect(pixels[center] == 255 && pixels[center + 1] == 0)
  }

  @Test func eachFrameIsDrawnAlone() throws {
    let film = try Self.film(
      """
      group { clip: true;  size: 300x200;  rotate: 10deg
          particles { rate: 400Hz;  life: 1s;  speed: 50 .. 200;  turbulence: 80;  size: 9 * (1 -> 0);  opacity: 0.5 }
      }
      group { rotate-y: 40deg;  particles { rate: 200Hz;  life: 1s;  shape: soft;  size: 20 } }
      """)
    let canvas = try film.canvas()
    for index in [3, 80, 41] {
      try canvas.draw(film.program(index))
      #expect(canvas.rgba() == (try film.pixels(index)))
    }
  }

  @Test func vectorFormatsContainShapes() throws {
    let film = try Self.film("particles { burst: 30;  life: 4s;  size: 8;  fill: red }")
    let svg = String(
      decoding: try VectorCanvas.svg(film.program(40), resources: film.resources), as: UTF8.self)
    #expect(svg.matches(of: /<path/).count == 30)
    #expect(!svg.contains("<image"))
  }
}
