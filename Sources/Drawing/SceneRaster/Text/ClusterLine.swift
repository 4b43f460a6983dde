// SPDX-License-Identifier: MIT
import SceneCairo
import SceneGraphics
import SceneIR
import SceneModel
import ScenePixels

/// The baseline of a text's clusters, and the transformations and outlines that it requires.
struct ClusterLine {
  private let units: TextUnits
  private let layout: TextLayout
  /// The path; `nil` for a text on straight lines.
  private let line: LetterLine?

  init(_ units: TextUnits, _ layout: TextLayout, line: LetterLine?) {
    self.units = units
    self.layout = layout
    self.line = line
  }

  /// Returns the transformation of a cluster on its line, including that of its unit. Returns `nil`
  /// if the cluster is beyond the path.
  func map(of cluster: TextCluster, style: TextUnitStyle) -> Affine? {
    guard let line else { return style.map }
    return frame(of: cluster, on: line)?.concat(style.map)
  }

  /// Returns the position on the path that corresponds to an x-coordinate of the text.
  private func position(of x: Double, on line: LetterLine) -> Double {
    line.position(atShare: units.along?.start ?? 0) + x - layout.anchor
  }

  /// Returns the transformation that puts the middle of a cluster's baseline on the path; `nil` if
  /// the middle is beyond an end of the path.
  private func frame(of cluster: TextCluster, on line: LetterLine) -> Affine? {
    let middle = cluster.box.center.x
    let whole = line.path.length
    let length = line.length(at: position(of: middle, on: line))
    guard whole > 0, length >= 0, length <= whole,
      let at = line.path.location(at: length / whole)
    else { return nil }
    let (sin, cos) = (Math.sinDegrees(at.degrees), Math.cosDegrees(at.degrees))
    let turn = Affine(a: cos, b: sin, c: -sin, d: cos, e: at.point.x, f: at.point.y)
    return turn.concat(.translation(-middle, -layout.extent.baseline))
  }

  // MARK: Shapes

  /// Returns a cluster with its final outlines: hand-drawn if `units.rough` is set, and bent along
  /// a bent path.
  ///
  /// The result is in the coordinates of the cluster before its transformation.
  func shaped(_ cluster: TextCluster, isStroked: Bool) -> TextCluster {
    guard cluster.bitmap == nil else { return cluster }
    var cluster = cluster
    if let pen = units.rough { cluster = drawn(cluster, by: pen, isStroked: isStroked) }
    return units.along?.isBent == true ? bent(cluster) : cluster
  }

  /// The outlines of all clusters on the line.
  var glyphs: [GlyphOutline] {
    layout.clusters.compactMap { cluster in
      guard cluster.bitmap == nil, let map = map(of: cluster, style: TextUnitStyle()) else {
        return nil
      }
      return layout.glyph(of: shaped(cluster, isStroked: false)).transformed(by: map)
    }
  }

  /// Returns a cluster whose outlines look hand-drawn. Each occurrence of a letter looks different.
  private func drawn(_ cluster: TextCluster, by pen: RoughPen, isStroked: Bool) -> TextCluster {
    var pen = pen.forLetters(ofSize: layout.block.runs[cluster.run].font.size)
    pen.seed += 101 * Double(cluster.glyph)
    var result = cluster
    result.path = pen.line(along: cluster.path, pass: 0, ends: .joined)
    result.underline = cluster.underline.map { pen.line(along: $0, pass: 2, ends: .joined) }
    if isStroked {
      let passes = (0..<2).map { pen.line(along: cluster.path, pass: $0, ends: .free) }
      result.pen = Path(passes.flatMap(\.elements))
    }
    return result
  }

  /// Returns a cluster whose outlines follow the path.
  func bent(_ cluster: TextCluster) -> TextCluster {
    guard let line, let back = frame(of: cluster, on: line)?.inverted else { return cluster }
    let baseline = layout.extent.baseline
    // A letter never continues on the next subpath.
    let middle = position(of: cluster.box.center.x, on: line)
    func bent(_ path: Path) -> Path {
      path.bent { p in
        back.apply(
          line.point(
            at: position(of: p.x, on: line), above: baseline - p.y, onSubpathAt: middle))
      }
    }
    var result = cluster
    result.path = bent(cluster.path)
    // The underlines of neighbors overlap, since their edges are antialiased.
    result.underline = cluster.underline.map { bent($0.wider(by: 0.5)) }
    result.pen = cluster.pen.map(bent)
    return result
  }
}

extension Path {
  /// Returns the path stretched horizontally about its center, by `width` in total.
  fileprivate func wider(by width: Double) -> Path {
    let box = bounds
    guard box.width > 0 else { return self }
    return transformed(by: Affine.scale(1 + width / box.width, 1).about(box.center))
  }
}

extension TextLayout {
  /// Returns the mean height of the middle of lowercase letters, weighted by the widths of the
  /// clusters. `height` returns this height for a run.
  func middleHeight(_ height: (TextRun) -> Double) -> Double {
    var heights: [Int: Double] = [:]
    var (sum, width) = (0.0, 0.0)
    for cluster in clusters {
      let own = heights[cluster.run] ?? height(block.runs[cluster.run])
      heights[cluster.run] = own
      sum += own * max(0, cluster.box.width)
      width += max(0, cluster.box.width)
    }
    return width > 0 ? sum / width : 0
  }
}
