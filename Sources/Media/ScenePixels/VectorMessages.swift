// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR
package import SceneModel
import SceneSystem

// The serialization of a decomposed SVG for the decoder protocol.
extension VectorDrawing {
  package var bytes: [UInt8] {
    var writer = Writer()
    writer.write(nodes.count)
    for node in nodes { writer.write(node) }
    writer.write(hidden.count)
    for (id, why) in hidden.sorted(by: { $0.key < $1.key }) {
      writer.write(id)
      writer.write(why)
    }
    writer.write(idle.count)
    for text in idle { writer.write(text) }
    return writer.bytes
  }

  /// Deserializes and validates untrusted bytes. Returns `nil` for anything that `bytes` would not
  /// produce.
  package init?(_ bytes: [UInt8]) {
    var reader = Reader(bytes)
    self.init()
    let count = reader.count()
    for index in 0..<count {
      guard let node = reader.node(), node.parent < index, node.end > index, node.end <= count
      else {
        return nil
      }
      nodes.append(node)
    }
    for _ in 0..<reader.count() { hidden[reader.text()] = reader.text() }
    for _ in 0..<reader.count() { idle.append(reader.text()) }
    guard reader.isWhole, reader.isAtEnd else { return nil }
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func write(_ numbers: Int...) { bytes += message(numbers) }

    mutating func write(_ numbers: [Double]) { for number in numbers { bytes += message(number) } }

    mutating func write(_ text: String) {
      let utf8 = Array(text.utf8)
      write(utf8.count)
      bytes += utf8
    }

    mutating func write(_ node: Node) {
      write(node.id == nil ? 0 : 1)
      write(node.id ?? "")
      write(node.kind)
      write(node.line, node.parent, node.end, node.layer)
      let box = node.box
      write(
        [node.opacity] + (box.isEmpty ? [0, 0, -1, -1] : [box.x, box.y, box.width, box.height]))
      write(node.shapes?.count ?? -1)
      for shape in node.shapes ?? [] { write(shape) }
    }

    private mutating func write(_ shape: Shape) {
      write(shape.path.elements.count)
      for element in shape.path.elements {
        switch element {
        case .move(let p):
          write(0)
          write([p.x, p.y])
        case .line(let p):
          write(1)
          write([p.x, p.y])
        case .cubic(let a, let b, let p):
          write(2)
          write([a.x, a.y, b.x, b.y, p.x, p.y])
        case .close: write(3)
        }
      }
      let m = shape.map
      write([m.a, m.b, m.c, m.d, m.e, m.f])
      write(shape.fill, isOther: shape.hasOtherFill)
      write(shape.stroke, isOther: shape.hasOtherStroke)
      let style = shape.style
      write(style.cap.number, style.join.number, style.dash.count)
      write([style.width, style.miterLimit, style.dashOffset] + style.dash)
    }

    private mutating func write(_ color: Color?, isOther: Bool) {
      write(isOther ? 2 : color == nil ? 0 : 1)
      if let color { write([color.red, color.green, color.blue, color.alpha]) }
    }
  }

  private struct Reader {
    private var rest: MessageReader
    /// The coordinate limit, beyond which Cairo draws nothing.
    private static let farthest = 4e6
    private static let mostItems = 1 << 22
    private var isSound = true

    init(_ bytes: [UInt8]) { rest = MessageReader(bytes) }

    var isWhole: Bool { rest.isWhole && isSound }
    var isAtEnd: Bool { rest.isAtEnd }

    mutating func count() -> Int {
      let count = rest.number()
      guard isWhole, 0...Reader.mostItems ~= count else {
        isSound = false
        return 0
      }
      return count
    }

    mutating func number() -> Double {
      let number = rest.double()
      if !(abs(number) <= Reader.farthest) { isSound = false }
      return isSound ? number : 0
    }

    mutating func text() -> String {
      String(decoding: rest.bytes(count()) ?? [], as: UTF8.self)
    }

    mutating func point() -> Point { Point(number(), number()) }

    mutating func node() -> Node? {
      let hasID = rest.number() == 1
      let (id, kind, line) = (text(), text(), rest.number())
      var node = Node(
        id: hasID ? id : nil, kind: kind, parent: rest.number(), end: rest.number(),
        layer: rest.number(), opacity: number())
      node.line = max(0, line)
      let (x, y, width, height) = (number(), number(), number(), number())
      if width >= 0, height >= 0 { node.box = Rect(x: x, y: y, width: width, height: height) }
      let shapes = rest.number()
      guard isWhole, shapes <= Reader.mostItems, node.opacity >= 0, node.opacity <= 1 else {
        return nil
      }
      if shapes >= 0 {
        var list: [Shape] = []
        while list.count < shapes, let shape = shape() { list.append(shape) }
        node.shapes = list
      }
      return isWhole ? node : nil
    }

    private mutating func shape() -> Shape? {
      var path = Path()
      for _ in 0..<count() where isWhole {
        switch rest.number() {
        case 0: path.move(point())
        case 1: path.line(point())
        case 2: path.cubic(point(), point(), to: point())
        case 3: path.close()
        default: isSound = false
        }
      }
      let map = Affine(a: number(), b: number(), c: number(), d: number(), e: number(), f: number())
      let (fill, stroke) = (paint(), paint())
      let numbers = (rest.number(), rest.number())
      let cap = StrokeStyle.Cap.allCases.first { $0.number == numbers.0 }
      let join = StrokeStyle.Join.allCases.first { $0.number == numbers.1 }
      let dashes = count()
      let (width, limit, offset) = (number(), number(), number())
      var style = StrokeStyle(width: width, miterLimit: limit, dashOffset: offset)
      for _ in 0..<dashes where isWhole { style.dash.append(number()) }
      guard isWhole, let cap, let join else { return nil }
      (style.cap, style.join) = (cap, join)
      var shape = Shape(
        path: path, map: map, fill: fill.color, stroke: stroke.color, style: style)
      (shape.hasOtherFill, shape.hasOtherStroke) = (fill.isOther, stroke.isOther)
      return shape
    }

    private mutating func paint() -> (color: Color?, isOther: Bool) {
      let kind = rest.number()
      guard kind == 1 else { return (nil, kind == 2) }
      func share(_ x: Double) -> Double { max(0, min(1, x)) }
      return (
        Color(
          red: share(number()), green: share(number()), blue: share(number()),
          alpha: share(number())), false
      )
    }
  }
}

extension CaseIterable where Self: Equatable {
  fileprivate var number: Int {
    Self.allCases.enumerated().first { $0.element == self }?.offset ?? 0
  }
}
