// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// An SVG file of a scene: the image and its structure.
struct VectorFile {
  let path: String
  let image: ImageReference
  let drawing: VectorDrawing
}

/// The position of a part in its SVG.
struct VectorPlace {
  let file: VectorFile
  /// The index of the node.
  let node: Int
}

// `svg`: images whose parts are elements.
extension Checker {
  // MARK: Files

  /// Returns the SVG file of an element; `nil` after an error, which is reported once.
  func vectorFile(of i: ElementNode) -> VectorFile? {
    if let known = i.vector { return known.file }
    let file = findVector(of: i)
    i.vector = (file, ())
    return file
  }

  private func findVector(of i: ElementNode) -> VectorFile? {
    elaborate(i)
    guard let (value, span) = self.value(.source, of: i, now: now) else {
      missing("a file", label: "write svg \"logo.svg\"", of: i)
      return nil
    }
    guard let path = asConstantText(value, span) else { return nil }
    do {
      let image = try assets.image(path)
      guard image.isVector else {
        report(wrongKind(.image, path, at: span, of: i))
        return nil
      }
      let drawing = try assets.vector(path)
      warnOfRemarks(on: path, span)
      if !drawing.idle.isEmpty {
        let what = drawing.idle.joined(separator: " and ")
        report(
          Diagnostic(
            .idleDrawing, "unsupported content in '\(path)': \(what)", at: span,
            label: "only the initial state is drawn",
            notes: [Note(help: "animate its parts in the scene: part \"id\" { … }")]))
      }
      vectors[path] = drawing
      return VectorFile(path: path, image: image, drawing: drawing)
    } catch {
      report(mediaError(error, path, at: span, of: i, kind: "'svg' only accepts an SVG file"))
      return nil
    }
  }

  // MARK: Parts

  /// Returns whether an element is a part of an SVG.
  func isVectorPart(_ i: ElementNode) -> Bool { i.kind == .part && i.parent?.kind == .svg }

  /// Evaluates `logo["wheel"]`.
  func vectorPart(of i: ElementNode, _ position: Value, _ span: SourceSpan) -> Value {
    guard let host = i.kind == .part ? i.parent : i, let id = asConstantText(position, span),
      let file = vectorFile(of: host)
    else { return poison(span) }
    guard let node = file.drawing.node(id) else { return unknownPart(id, of: file, at: span) }
    if i.kind == .part, let outer = vectorPlace(of: i) {
      let nodes = file.drawing.nodes
      guard node > outer.node, node < nodes[outer.node].end else {
        return report(
          .indexOutOfRange, "'\(id)' is not inside '\(nodes[outer.node].id ?? "")'", at: span,
          label: "use the part of the svg itself: logo[\"\(id)\"]")
      }
    }
    if let written = host.children.first(where: { isVectorPart($0) && vectorID(of: $0) == id }) {
      return .element(written)
    }
    let head = ElementSyntax(
      kind: [Name(ElementKind.part.rawValue, span)], name: nil, subject: nil, items: [], span: span)
    guard let made = makeElement(head, parent: host, host.scope) else { return poison(span) }
    made.properties[.content] = Source(.value(.literal(id)), scope: host.scope, at: span)
    host.indexed[id] = made
    host.children.append(made)
    return .element(made)
  }

  private func vectorID(of part: ElementNode) -> String? {
    elaborate(part)
    guard let (value, span) = self.value(.content, of: part, now: now) else { return nil }
    return asConstantText(value, span)
  }

  /// Returns the position of a part, or `nil` after an error.
  func vectorPlace(of part: ElementNode) -> VectorPlace? {
    if let known = part.vectorPlace { return known.place }
    let place = findPlace(of: part)
    part.vectorPlace = (place, ())
    return place
  }

  private func findPlace(of part: ElementNode) -> VectorPlace? {
    guard let host = part.parent, let file = vectorFile(of: host) else { return nil }
    elaborate(part)
    guard let source = part.properties[.content] else {
      missing("an id", label: "write part \"wheel\"", of: part)
      return nil
    }
    guard let id = vectorID(of: part) else { return nil }
    guard let node = file.drawing.node(id) else {
      _ = unknownPart(id, of: file, at: source.value.span)
      return nil
    }
    if let other = host.children.first(where: {
      $0 !== part && isVectorPart($0) && $0.vectorPlace?.place?.node == node
    }) {
      report(
        Diagnostic(
          .misplacedElement, "duplicate part '\(id)'", at: part.span,
          notes: [Note("first part", at: other.span)]))
      return nil
    }
    return VectorPlace(file: file, node: node)
  }

  private func unknownPart(_ id: String, of file: VectorFile, at span: SourceSpan) -> Value {
    if let why = file.drawing.hidden[id] {
      return report(
        .indexOutOfRange, "'\(id)' is not a part of '\(file.path)': \(why)", at: span)
    }
    let ids = file.drawing.ids
    var diagnostic = Diagnostic(
      .indexOutOfRange, "unknown part '\(id)' of '\(file.path)'", at: span,
      label: ids.isEmpty ? "the file has no ids" : "")
    if let near = nearest(id, in: ids) {
      diagnostic = diagnostic.labelled("similar id: '\(near)'")
      diagnostic.fixIts = [
        FixIt(
          "change to \"\(near)\"", replacing: span, with: "\"\(near)\"", isSafe: false)
      ]
    }
    if !ids.isEmpty {
      let some = ids.prefix(12).map { "'\($0)'" }.joined(separator: ", ")
      diagnostic.notes.append(Note("the parts are \(some)\(ids.count > 12 ? " …" : "")"))
    }
    return .poison(reports.report(diagnostic))
  }

  /// Returns the parts of an SVG that are drawn separately, by node: those that the scene declares
  /// or changes.
  private func livingParts(of host: ElementNode) -> [Int: ElementNode] {
    let asked = Set(host.indexed.values.map(\.id))
    var parts: [Int: ElementNode] = [:]
    for part in host.children where isVectorPart(part) {
      guard !asked.contains(part.id) || !part.changes.isEmpty, let place = vectorPlace(of: part)
      else { continue }
      parts[place.node] = part
    }
    return parts
  }

  /// Returns the innermost part that contains a part; `nil` if there is none.
  private func outerPart(of part: ElementNode) -> ElementNode? {
    guard let host = part.parent, let place = vectorPlace(of: part) else { return nil }
    let parts = livingParts(of: host)
    var next = place.file.drawing.nodes[place.node].parent
    while next >= 0 {
      if let outer = parts[next] { return outer }
      next = place.file.drawing.nodes[next].parent
    }
    return nil
  }

  // MARK: Positions

  /// Returns the map from pixels of the file to the box of its element; `nil` after an error.
  private func vectorMap(of host: ElementNode, now: Scalar) -> AffineModel? {
    guard let file = vectorFile(of: host),
      let (source, target) = pictureIn(host, size: file.image.size, now: now)
    else { return nil }
    let x = builder.divide(target[2], source[2])
    let y = builder.divide(target[3], source[3])
    return AffineModel(
      a: x, b: .zero, c: .zero, d: y,
      e: builder.subtract(target[0], builder.multiply(source[0], x)),
      f: builder.subtract(target[1], builder.multiply(source[1], y)))
  }

  /// Returns the box of a part, in the coordinates of its SVG's box; `nil` after an error.
  func vectorBox(of part: ElementNode, now: Scalar) -> BoxModel? {
    guard let host = part.parent, let place = vectorPlace(of: part),
      let map = vectorMap(of: host, now: now)
    else { return nil }
    let found = place.file.drawing.nodes[place.node].box
    let box = found.isEmpty ? Rect(x: 0, y: 0, width: 0, height: 0) : found
    let corner = builder.apply(map, PointModel(.constant(box.x), .constant(box.y)))
    return BoxModel(
      x: corner.x, y: corner.y, width: builder.scaled(map.a, box.width),
      height: builder.scaled(map.d, box.height))
  }

  /// Applies the placement of the enclosing part; returns `nil` after an error.
  func inOuterPart(_ own: AffineModel, of part: ElementNode, now: Scalar) -> AffineModel? {
    guard let outer = outerPart(of: part) else { return own }
    return placement(of: outer, now: now).map { builder.concat($0, own) }
  }

  /// Returns the outlines of a part in its own coordinates, or `nil` if it contains an image.
  func vectorPath(of part: ElementNode, now: Scalar) -> PathModel? {
    guard let host = part.parent, let place = vectorPlace(of: part),
      let map = vectorMap(of: host, now: now)
    else { return nil }
    let nodes = place.file.drawing.nodes
    var elements: [Path.Element] = []
    for node in nodes[place.node..<nodes[place.node].end] where !node.isGroup {
      guard let shapes = node.shapes else { return nil }
      // The fill and the stroke of an outline are two shapes.
      var last: Path?
      for shape in shapes {
        let path = shape.path.transformed(by: shape.map)
        if path != last { elements += path.elements }
        last = path
      }
    }
    return PathModel([.mapped(map, PathModel([.fixed(Path(elements))]))])
  }

  /// Returns the value of a property in the SVG file, as the default of a part; `nil` for other
  /// elements and properties.
  func fileValue(_ property: Property, of part: ElementNode) -> Value? {
    guard isVectorPart(part), let place = vectorPlace(of: part) else { return nil }
    let nodes = place.file.drawing.nodes
    let shapes = nodes[place.node..<nodes[place.node].end].flatMap { $0.shapes ?? [] }
    switch property {
    case .fill:
      return shapes.lazy.compactMap(\.fill).first.map { .color(ColorModel($0)) } ?? Value.none()
    case .stroke:
      return shapes.lazy.compactMap(\.stroke).first.map { .color(ColorModel($0)) } ?? Value.none()
    case .strokeWidth:
      guard let host = part.parent, let map = vectorMap(of: host, now: now),
        let width = shapes.first(where: { $0.stroke != nil })?.style.width
      else { return nil }
      return .number(builder.scaled(map.a, width))
    default: return nil
    }
  }

  // MARK: Drawing

  /// Returns the drawing of an SVG without separate parts.
  func vectorDrawing(_ i: ElementNode) -> ElementModel.Drawing {
    guard i.kind == .svg, let file = vectorFile(of: i) else { return .nothing }
    guard livingParts(of: i).isEmpty, let placed = pictureIn(i, size: file.image.size, now: now)
    else {
      return .nothing
    }
    return .image(
      [file.image], frame: .zero, source: placed.source, destination: placed.destination)
  }

  /// Returns the clip of an SVG with separate parts, or `nil` if the whole image is visible.
  func vectorClip(of i: ElementNode) -> OutlineModel? {
    guard i.kind == .svg, let file = vectorFile(of: i), !livingParts(of: i).isEmpty,
      let (source, _) = pictureIn(i, size: file.image.size, now: now),
      let box = box(of: i, now: now)
    else { return nil }
    let whole = [0, 0, Double(file.image.size.width), Double(file.image.size.height)]
    let isWhole = zip(source, whole).allSatisfy { scalar, number in
      scalar.constantValue.map { abs($0 - number) < 0.01 } ?? false
    }
    return isWhole
      ? nil : .rect(x: box.x, y: box.y, width: box.width, height: box.height, radius: .zero)
  }

  /// Returns the elements of an SVG or of a part, in order, including separate parts.
  func vectorElements(of i: ElementNode) -> [ElementModel] {
    let host = i.kind == .part ? i.parent : i
    guard let host, let file = vectorFile(of: host), let map = vectorMap(of: host, now: now),
      let start = start(of: i, i.span), let end = shownEnd(of: i, i.span)
    else { return [] }
    let parts = livingParts(of: host)
    var root = 0
    if i.kind == .part {
      guard let place = vectorPlace(of: i) else { return [] }
      root = place.node
    } else if parts.isEmpty {
      return []
    }
    guard spend(50 + 5 * file.drawing.nodes.count, i.span) else { return [] }
    var writer = VectorWriter(
      checker: self, owner: i, file: file, map: map, parts: parts, start: start, end: end)
    writer.write(root)
    let models = writer.finished
    guard i.kind == .part else { return models }
    let opacity = file.drawing.nodes[root].opacity
    guard let box = box(of: i, now: now), !models.isEmpty else { return [] }
    // The translation from the coordinates of the SVG's box to those of the part's children.
    let home = PointModel(builder.make(.negate, a: box.x), builder.make(.negate, a: box.y))
    let whole = ElementModel(
      kind: i.kindName, name: i.syntax.name?.text, span: i.span, start: start, end: end,
      transform: .translation(home), opacity: .constant(opacity), drawing: .nothing,
      children: models)
    recording?.note(whole, of: i.id, at: now)
    return [whole]
  }
}
