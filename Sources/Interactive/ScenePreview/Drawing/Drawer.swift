// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneSystem

/// The rendering resources of one worker: canvases for the last two sizes and lowerers for the last
/// two revisions. Used by one thread.
final class Drawer {
  /// The time limit per frame.
  private static let longest = Duration.seconds(5)

  private struct Sheet {
    let size: PixelSize
    let isOpaque: Bool
    let resources: ObjectIdentifier
    let canvas: Canvas
  }

  private let clock: any TimeSource
  private var sheets: [Sheet] = []
  private var lowerers: [(revision: Revision, lowerer: Lowerer)] = []

  /// A rendered image with the milliseconds that each step took.
  struct Picture {
    let key: FrameCache.Key
    let size: PixelSize
    let bytes: [UInt8]
    let milliseconds: Steps
  }

  /// The milliseconds of each step.
  struct Steps {
    var lower: Double
    var draw = 0.0
    var encode = 0.0
  }

  init(_ clock: any TimeSource) { self.clock = clock }

  func withLowerer<T>(_ revision: Revision, _ body: (inout Lowerer) -> T) -> T {
    if !lowerers.contains(where: { $0.revision === revision }) {
      let lowerer = Lowerer(
        revision.model, metrics: revision.scene.metrics, sharing: revision.paths)
      lowerers = lowerers.suffix(1) + [(revision, lowerer)]
    }
    let place = lowerers.firstIndex { $0.revision === revision } ?? 0
    return body(&lowerers[place].lowerer)
  }

  /// Returns a closure that reports whether work since a time, by default now, exceeds the limit.
  func isLate(since begun: ContinuousClock.Instant? = nil) -> () -> Bool {
    { [clock, end = (begun ?? clock.now) + Drawer.longest] in clock.now > end }
  }

  private func program(
    _ revision: Revision, _ frame: Int, isMoving: Bool = false, since begun: ContinuousClock.Instant
  ) throws(DrawingError) -> FrameProgram {
    let isLate = isLate(since: begun)
    let program = withLowerer(revision) { lowerer in
      lowerer.blurDivisor = isMoving ? 4 : 1
      return lowerer.lower(frame: frame, isUnwanted: isLate)
    }
    guard let program else { throw .givenUp }
    return program
  }

  /// Renders the requested frame or returns it from the cache. The image is `nil` if the page
  /// already has it.
  func draw(_ request: FrameRequest, _ cache: FrameCache) throws(DrawingError) -> (
    Picture?, FrameCache.Key
  ) {
    let begun = clock.now
    let isMoving = request.purpose != .rest
    let program = try program(request.revision, request.frame, isMoving: isMoving, since: begun)
    let size = Drawer.size(of: program.size, width: request.width)
    let key = FrameCache.Key(
      digest: program.hashValue, width: size.width,
      ground: program.isOpaque ? .scene : request.ground, isFine: !isMoving)
    if request.have == key.name { return (nil, key) }
    let lowered = clock.now
    // A cached fine image also serves a request for a coarse one.
    if let bytes = cache[key] ?? (key.isFine ? nil : cache[key.fine]) {
      let times = Steps(lower: (lowered - begun).milliseconds)
      return (Picture(key: key, size: size, bytes: bytes, milliseconds: times), key)
    }
    let canvas = try canvas(size, isOpaque: true, request.revision.scene.resources)
    try draw(program.scaled(to: size).onGround(key.ground), on: canvas, since: begun)
    let drawn = clock.now
    let bytes = try canvas.jpeg(quality: key.isFine ? 90 : 85)
    cache.keep(bytes, as: key)
    let (lowering, drawing) = (lowered - begun, drawn - lowered)
    let times = Steps(
      lower: lowering.milliseconds, draw: drawing.milliseconds,
      encode: (clock.now - drawn).milliseconds)
    return (Picture(key: key, size: size, bytes: bytes, milliseconds: times), key)
  }

  /// Renders a frame in final quality as a PNG file.
  func still(_ revision: Revision, frame: Int) throws(DrawingError) -> [UInt8] {
    let begun = clock.now
    let program = try program(revision, frame, since: begun)
    let canvas = try canvas(program.size, isOpaque: program.isOpaque, revision.scene.resources)
    try draw(program, on: canvas, since: begun)
    return try canvas.png()
  }

  /// Renders a program and aborts when it takes too long.
  private func draw(
    _ program: FrameProgram, on canvas: Canvas, since begun: ContinuousClock.Instant
  ) throws(DrawingError) {
    do {
      try canvas.draw(program, isUnwanted: isLate(since: begun))
    } catch {
      if error == .givenUp { sheets.removeAll { $0.canvas === canvas } }
      throw error
    }
  }

  func canvas(_ size: PixelSize, isOpaque: Bool, _ resources: DrawingResources)
    throws(DrawingError) -> Canvas
  {
    let images = ObjectIdentifier(resources.images)
    let known = sheets.first {
      $0.size == size && $0.isOpaque == isOpaque && $0.resources == images
    }
    if let known { return known.canvas }
    let canvas = try Canvas(size, isOpaque: isOpaque, resources: resources)
    sheets =
      sheets.suffix(1)
      + [Sheet(size: size, isOpaque: isOpaque, resources: images, canvas: canvas)]
    return canvas
  }

  /// Returns the size of an image with a width of `width` pixels, limited to that of the scene.
  static func size(of film: PixelSize, width: Int) -> PixelSize {
    guard width < film.width else { return film }
    let width = max(16, width)
    let height = Double(film.height) * Double(width) / Double(film.width)
    return PixelSize(min(width, film.width), max(1, Int(height.rounded())))
  }
}

extension FrameCache.Key {
  fileprivate var fine: FrameCache.Key {
    FrameCache.Key(digest: digest, width: width, ground: ground, isFine: true)
  }

  /// The identifier that pages use, which is independent of the width.
  var name: String {
    String(UInt64(bitPattern: Int64(digest)), radix: 16) + (ground == .scene ? "" : ground.rawValue)
  }
}

extension FrameProgram {
  /// Returns the program over an opaque background that is visible through transparent areas.
  fileprivate func onGround(_ ground: FrameRequest.Ground) -> FrameProgram {
    switch ground {
    case .scene: self
    case .white: on(Color(red: 1, green: 1, blue: 1, alpha: 1), [])
    case .black: on(Color(red: 0, green: 0, blue: 0, alpha: 1), [])
    case .checker: on(Color(red: 0.6, green: 0.6, blue: 0.6, alpha: 1), [checks])
    }
  }

  private func on(_ color: Color, _ below: [DrawOp]) -> FrameProgram {
    FrameProgram(size: size, background: .color(color), ops: below + opsWithBackground)
  }

  /// The lighter squares of a checkerboard with 8-pixel squares.
  private var checks: DrawOp {
    var path = Path()
    for y in stride(from: 0, to: size.height, by: 8) {
      for x in stride(from: y % 16, to: size.width, by: 16) {
        path.elements += Path.rect(Rect(x: Double(x), y: Double(y), width: 8, height: 8)).elements
      }
    }
    return .fill(.path(path), .color(Color(red: 0.75, green: 0.75, blue: 0.75, alpha: 1)))
  }
}

extension Duration {
  var milliseconds: Double { ((self / .milliseconds(1)) * 10).rounded() / 10 }
}
