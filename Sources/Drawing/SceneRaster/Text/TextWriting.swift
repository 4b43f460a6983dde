// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

/// The stages of a text's clusters while they are drawn and filled.
struct TextWriting {
  /// The stage of each cluster of the layout.
  private var stages: [Writing.Stage]
  private let layout: TextLayout

  /// Creates the stages of a text; `nil` if all its clusters are complete.
  init?(_ layout: TextLayout, _ units: TextUnits, paints: [TextPaint]) {
    guard units.isWritten else { return nil }
    self.layout = layout
    let clusters = layout.clusters
    stages = [Writing.Stage](repeating: .complete, count: clusters.count)
    let isFilled = clusters.map { cluster in
      let index = cluster.unit(units.kind)
      let own = units.styles.indices.contains(index) ? units.styles[index].fill : nil
      let fill = own ?? paints[cluster.run].fill
      return cluster.bitmap != nil || fill?.isInvisible == false
    }
    if let writing = units.writing { add(writing, to: clusters.indices, isFilled) }
    if units.styles.contains(where: { $0.writing != nil }) {
      let groups = Dictionary(grouping: clusters.indices) { clusters[$0].unit(units.kind) }
      for (index, group) in groups where units.styles.indices.contains(index) {
        if let writing = units.styles[index].writing { add(writing, to: group, isFilled) }
      }
    }
    for span in units.spans {
      guard let writing = span.style.writing else { continue }
      add(writing, to: clusters.indices.filter { span.runs.contains(clusters[$0].run) }, isFilled)
    }
  }

  /// Adds the progress of a group of clusters, which are written in reading order.
  private mutating func add(
    _ writing: Writing, to group: some Sequence<Int>, _ isFilled: [Bool]
  ) {
    let clusters = layout.clusters
    let order = group.sorted { (clusters[$0].glyph, $0) < (clusters[$1].glyph, $1) }
    let whole = writing.stage(isFilled: order.contains { isFilled[$0] })
    let lengths = whole.line < 1 ? order.map { clusters[$0].path.length } : []
    let reach = lengths.reduce(0, +) * whole.line
    // A ligature is one cluster, and a letter with marks may be several.
    let count = Set(order.map { clusters[$0].glyph }).count
    var (rank, before) = (-1, 0.0)
    for (place, index) in order.enumerated() {
      if place == 0 || clusters[order[place - 1]].glyph != clusters[index].glyph { rank += 1 }
      var stage = writing.stage(ofGlyph: rank, among: count, isFilled: isFilled[index])
      if whole.line < 1 {
        let length = lengths[place]
        let line = length > 0 ? max(0, min(1, (reach - before) / length)) : whole.line
        before += length
        stage = stage.combined(with: Writing.Stage(line: line, fill: whole.fill))
      } else {
        stage.fill = min(stage.fill, whole.fill)
      }
      stages[index] = stages[index].combined(with: stage)
    }
  }

  /// Returns a cluster as drawn at its stage: its underline, if any, and its glyphs.
  ///
  /// `index` is the index of the cluster in the layout, and `whole` its shape on the line.
  func parts(of index: Int, _ whole: WrittenCluster) -> [WrittenCluster] {
    let (stage, cluster) = (stages[index], whole.cluster)
    guard stage != .complete else { return [whole] }
    guard stage.line > 0 else { return [] }
    var glyphs = whole
    if cluster.bitmap != nil {
      glyphs.style.opacity *= stage.fill
      return [glyphs]
    }
    let fill = whole.style.fill ?? whole.paint.fill
    let isStroked = whole.paint.strokeStyle.width > 0
    let stroke = isStroked ? whole.style.stroke ?? whole.paint.stroke : nil
    glyphs.style.fill = nil
    glyphs.style.stroke = nil
    glyphs.paint.fill = fill?.faded(stage.fill)
    glyphs.paint.stroke = stroke ?? fill
    if stroke == nil {
      // The line becomes thinner as the fill appears, so that the glyph keeps its weight at the end.
      let width = Writing.lineWidth(forFontSize: layout.block.runs[cluster.run].font.size)
      glyphs.paint.strokeStyle = StrokeStyle(
        width: width * (1 - stage.fill), cap: .round, join: .round)
      glyphs.paint.strokeIsFirst = false
    }
    glyphs.cluster.pen = (cluster.pen ?? cluster.path).trimmed(from: 0, to: stage.line)
    guard let underline = cluster.underline else { return [glyphs] }
    // An underline is one line below all glyphs, so it appears with their fill.
    glyphs.cluster.underline = nil
    var line = glyphs
    line.cluster.path = underline
    line.cluster.pen = nil
    line.paint.stroke = stroke?.faded(fill == nil ? stage.line : stage.fill)
    return [line, glyphs]
  }
}

/// A part of a cluster with the paints of its stage.
struct WrittenCluster {
  var cluster: TextCluster
  var paint: TextPaint
  var style: TextUnitStyle
}
