// SPDX-License-Identifier: MIT
import SceneOutput
import SceneCheck
import SceneDiagnostics
import SceneDigest
import SceneEditing
import SceneGraphics
import SceneIR
import SceneJSON
import SceneLanguage
import SceneLower
import SceneModel
import SceneSession
import SceneSyntax
import SceneSystem
import SceneText

/// The description of a revision for a page: settings, parameters, files, and a row for each
/// element.
struct SceneAnswer {
  private static let greatestCount = 2000

  private let revision: Revision
  private let isReadOnly: Bool
  let places: Places

  private var model: SceneModel { revision.model }
  var scene: LoadedScene { revision.scene }

  init(_ revision: Revision, isReadOnly: Bool) {
    self.revision = revision
    self.isReadOnly = isReadOnly
    places = Places(revision.scene.sources)
  }

  /// Returns the rows, optionally only those below an element, from an index on.
  func members(under: String?, from start: Int = 0) -> [String: JSON] {
    let rows = rows()
    let below = under.map { key in rows.filter { $0.ancestors.contains(key) } } ?? rows
    let wanted = below.dropFirst(start)
    var all = under == nil && start == 0 ? settings : [:]
    all["view"] = .string(revision.view)
    all["rev"] = .int(revision.number)
    all["rows"] = .array(wanted.prefix(SceneAnswer.greatestCount).map(json))
    all["more"] = .bool(wanted.count > SceneAnswer.greatestCount)
    return all
  }

  // MARK: Settings

  private var settings: [String: JSON] {
    let outline = try? FileOutline(scene.path)
    let leaves = LeafReader(revision, isReadOnly: isReadOnly)
    return [
      "name": .string(model.name ?? "scene"), "file": .string(scene.path),
      "size": [.int(model.size.width), .int(model.size.height)],
      "rate": [.int(Int(model.frameRate.numerator)), .int(Int(model.frameRate.denominator))],
      "frames": .int(model.frameCount), "duration": .double(model.duration.seconds),
      "background": background, "transparent": .bool(!isOpaque),
      "scenes": .array((outline?.scenes ?? []).map { .string($0) }),
      "outputs": .array(outputs),
      "params": .array((scene.record?.parameters ?? []).map { json($0, leaves) }),
      "markers": .array(markers),
      "beat": scene.record?.tempo.map { .double(60 / $0) } ?? .null,
      "beatUnit": .double(60 / (scene.record?.tempo ?? 120)),
      "files": .array(scene.sources.map(json)),
      "hasSound": .bool(!model.sound.voices.isEmpty),
    ]
  }

  /// The declared output files, or the default one.
  private var outputs: [JSON] {
    OutputPlans.names(model, scene.path).enumerated().map { index, it in
      let block = model.outputs.indices.contains(index) ? model.outputs[index] : nil
      return [
        "name": .string(it.name ?? ""), "path": .string(it.path),
        "size": block?.size.map { [.int($0.width), .int($0.height)] } ?? .null,
        "fit": .string(block?.fit.rawValue ?? ""), "own": .bool(block?.hasOwnLayout ?? false),
      ]
    }
  }

  /// The chapters with the keys of their marker elements.
  private var markers: [JSON] {
    let elements = (scene.record?.elements ?? []).filter { $0.kind == "marker" && $0.start != nil }
      .sorted { ($0.start ?? .zero) < ($1.start ?? .zero) }
    return model.chapters.enumerated().map { index, it in
      let isKnown = elements.count == model.chapters.count && elements[index].start == it.start
      return [
        "name": .string(visible(it.title)), "time": .double(it.start.seconds),
        "key": isKnown ? .string(elements[index].key) : .null,
      ]
    }
  }

  private var isOpaque: Bool {
    if case .color(let color)? = model.background, let alpha = color.alpha.constantValue {
      return alpha >= 1
    }
    var lowerer = Lowerer(model, metrics: scene.metrics)
    return lowerer.lower(frame: 0).isOpaque
  }

  private var background: JSON {
    guard case .color(let color)? = model.background, let r = color.red.constantValue,
      let g = color.green.constantValue, let b = color.blue.constantValue,
      let a = color.alpha.constantValue
    else { return .null }
    return .string(Color(red: r, green: g, blue: b, alpha: a).clamped.hexDescription)
  }

  private func json(_ it: SceneRecord.Parameter, _ leaves: LeafReader) -> JSON {
    let leaf = it.value.flatMap(leaves.alone)
    var text = it.value.map { places.text($0) }
    if let leaf, case .text(let letters) = leaf.value { text = letters }
    var range = JSON.null
    if let span = it.range {
      let ends = places.text(span).split(separator: "..").map {
        $0.split(separator: " ").joined(separator: " ")
      }
      if ends.count == 2 { range = .array(ends.map { .string($0) }) }
    }
    return [
      "name": .string(it.name.text), "span": places.json(it.span), "range": range,
      "words": .null, "type": it.type.map { .string(places.text($0.span)) } ?? .null,
      "default": text.map { .string($0) } ?? .null,
      "given": it.given.map { .string($0) } ?? .null, "leaf": leaf.map(leaves.json) ?? .null,
    ]
  }

  private func json(_ source: SourceFile) -> JSON {
    let isOwn = !source.name.hasPrefix("std/")
    return [
      "id": .int(Int(source.id.rawValue)),
      "path": .string(isOwn ? Files.resolved(source.name) ?? source.name : source.name),
      "hash": .string(source.contentHash),
      "writable": .bool(isOwn && !isReadOnly && Files.exists(source.name, 2)),
    ]
  }

  // MARK: Rows

  /// An element, or all rounds of an element in a loop.
  struct Row: Sendable {
    let key: String
    let parent: String?
    /// The keys of all ancestors.
    let ancestors: Set<String>
    /// The indices of the elements in the record, in order.
    fileprivate(set) var elements: [Int]
    fileprivate(set) var children = 0
    /// The words or the file name by which people recognize the element.
    var text: String?
  }

  /// Returns the rows in source order, parents first.
  func rows() -> [Row] { revision.rows(makeRows) }

  private func makeRows() -> [Row] {
    let elements = scene.record?.elements ?? []
    var rows: [Row] = []
    // The row of each element, and the rows below each row by source location.
    var home: [Int: Int] = [:]
    var places: [Int: [SourceSpan: Int]] = [:]
    for (index, element) in elements.enumerated() {
      let parent = element.parent.flatMap { home[$0] }
      if let known = places[parent ?? -1]?[element.head] {
        rows[known].elements.append(index)
        home[index] = known
        continue
      }
      home[index] = rows.count
      places[parent ?? -1, default: [:]][element.head] = rows.count
      if let parent { rows[parent].children += 1 }
      let above = parent.map { rows[$0].ancestors.union([rows[$0].key]) } ?? []
      rows.append(
        Row(
          key: element.key, parent: parent.map { rows[$0].key }, ancestors: above,
          elements: [index], text: element.parent == nil ? nil : text(of: element)))
    }
    return titled(rows)
  }

  private func json(_ row: Row) -> JSON {
    let elements = scene.record?.elements ?? []
    let first = elements[row.elements[0]]
    let lives = row.elements.compactMap { life(of: elements[$0]) }
    var span = JSON.null
    if let from = lives.map(\.0).min(), let to = lives.map(\.1).max() {
      span = [.double(from.seconds), .double(to.seconds)]
    }
    return [
      "key": .string(row.key), "kind": .string(first.kind),
      "name": first.name.map { .string(visible($0)) } ?? .null,
      "text": row.text.map { .string($0) } ?? .null,
      "parent": row.parent.map { .string($0) } ?? .null, "span": places.json(first.head),
      "life": span, "count": .int(row.elements.count), "children": .int(row.children),
      "drawn": .bool(row.elements.contains { !elements[$0].drawn.isEmpty }),
      "flow": .string(flow(of: first) ?? ""),
      "motions": .array(first.properties.flatMap { motions(of: $0) }),
    ]
  }

  /// Returns the kind of the layout that places an element; `nil` if no layout does.
  private func flow(of element: SceneRecord.Element) -> String? {
    guard let parent = element.parent.flatMap({ scene.record?.elements[$0] }),
      parent.definition == nil, ElementKind(rawValue: parent.kind)?.isLayout == true,
      !element.properties.contains(where: { $0.property == .position })
    else { return nil }
    return parent.kind
  }

  /// Returns the lifetime of an element in scene time; `nil` if it is unknown or empty.
  private func life(of element: SceneRecord.Element) -> (Ticks, Ticks)? {
    let own = element.clock == .node(0)
    let start = own ? element.start : element.drawn.map(\.start).min()
    let end = own ? element.end : element.drawn.map(\.end).max()
    guard let start, let end else { return nil }
    let held = (max(.zero, start), min(model.duration, end))
    return held.0 < held.1 ? held : nil
  }

  private func motions(of property: SceneRecord.Property) -> [JSON] {
    property.motions.filter { $0.clock == .node(0) && !$0.steps.isEmpty }.map { motion in
      func seconds(_ ticks: Double) -> Double { ticks / Double(Ticks.perSecond) }
      return [
        "property": .string(property.property.name),
        "from": .double(seconds(motion.steps.map(\.from).min() ?? 0)),
        "to": .double(seconds(motion.steps.map(\.to).max() ?? 0)),
        "keys": .array(motion.steps.map { .double(seconds($0.to)) }),
        "text": .string(short(motion.span)), "span": places.json(motion.span),
      ]
    }
  }

  private func short(_ span: SourceSpan) -> String {
    let text = places.source(span)?.text(span) ?? ""
    let words = visible(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    return words.count > 120 ? words.prefix(119) + "…" : words
  }
}

extension SourceFile {
  /// A hash of the content. An edit applies only if the hash still matches.
  var contentHash: String { String(SHA256(of: bytes).number, radix: 16) }
}
