// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneTestSupport
import Testing

@Suite("Paths", .cpuBudget(seconds: 1)) struct PathTests {
  /// Returns the letters and numbers of a normalized path string such as `M 1 2 C …`.
  private func tokens(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "," }.map(String.init)
  }

  private func text(_ path: Path) -> [String] {
    path.elements.flatMap { element -> [String] in
      switch element {
      case .move(let p): ["M", "\(p.x)", "\(p.y)"]
      case .line(let p): ["L", "\(p.x)", "\(p.y)"]
      case .cubic(let a, let b, let p):
        ["C"] + [a.x, a.y, b.x, b.y, p.x, p.y].map { "\($0)" }
      case .close: ["Z"]
      }
    }
  }

  @Test func grammarAndGeometry() throws {
    let rows = try ConformanceTable("svg-path/parse.tsv").rows
    #expect(rows.count > 300)
    for row in rows {
      guard let data = row["d"] else { continue }
      do {
        let path = try SVGPathData.parse(data)
        #expect(row["grammar"] != "error", "\(data) is accepted")
        try compare(path, row)
      } catch let failure as SVGPathData.Failure {
        #expect(row["grammar"] != "valid", "\(data): \(failure.message) at \(failure.offset)")
        #expect(failure.offset <= data.utf8.count)
      }
    }
  }

  private func compare(_ path: Path, _ row: [String: String]) throws {
    let data = row["d"] ?? ""
    if let length = row["total_length"].flatMap(Double.init) {
      #expect(abs(path.length - length) <= 0.002 * length + 0.05, "length of \(data)")
    }
    let box = (row["bbox_x_y_w_h"] ?? "").split(separator: " ").compactMap { Double($0) }
    // In SVG, a path with only a move has no bounding box.
    if box.count == 4, path.length > 0 {
      let own = path.bounds
      let tolerance = 0.001 * (box[2] + box[3]) + 0.02
      for (a, b) in zip([own.x, own.y, own.width, own.height], box) {
        #expect(abs(a - b) <= tolerance, "box of \(data): \(own)")
      }
    }
    // Arcs may be split differently; everything else must match point by point.
    guard !data.lowercased().contains("a"), let normal = row["normalized_absolute_MLCZ"] else {
      return
    }
    let wanted = tokens(normal)
    let own = text(path)
    guard wanted.count == own.count else { return }
    for (a, b) in zip(own, wanted) {
      if let x = Double(a), let y = Double(b) {
        #expect(abs(x - y) <= 0.001 * abs(y) + 0.01, "\(data)")
      } else {
        #expect(a == b, "\(data)")
      }
    }
  }

  @Test func trimKeepsLength() {
    let path = Path.ellipse(center: .zero, 100, 50)
    let whole = path.length
    for (low, high) in [(0.0, 0.3), (0.25, 0.75), (0.9, 1.0)] {
      let part = path.trimmed(from: low, to: high)
      #expect(abs(part.length - whole * (high - low)) < 1e-4 * whole)
    }
    #expect(path.trimmed(from: 0.5, to: 0.5).isEmpty)
    #expect(path.trimmed(from: -1, to: 2) == path)
  }

  @Test func circleLength() {
    let length = Path.ellipse(center: Point(7, 9), 100, 100).length
    #expect(abs(length - Math.tau * 100) < 0.02)
    let arc = Path.arc(
      center: .zero, radius: 100, inner: 0, start: 0, sweep: 90, closed: false)
    #expect(abs(arc.length - Math.tau * 25) < 0.01)
  }

  @Test func locationAlongPath() throws {
    let path = try SVGPathData.parse("M0 0 H100 V100")
    let middle = try #require(path.location(at: 0.75))
    #expect(middle.point == Point(100, 50))
    #expect(middle.degrees == 90)
  }
}
