// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// The parts of an SVG file: its nodes in painting order, with outlines where they have any.
/// Lengths are pixels of the image.
package struct VectorDrawing: Hashable, Sendable {
  /// A drawn object or a group.
  package struct Node: Hashable, Sendable {
    /// The id in the file.
    package var id: String?
    /// The SVG element name, such as `path`.
    package var kind: String
    /// The line of the file where the start tag ends, from 1; 0 if unknown.
    package var line = 0
    /// The index of the enclosing group; negative for the root.
    package var parent: Int
    /// The index after the last descendant; nodes are in file order.
    package var end: Int
    /// The index among all separately drawn objects; negative for a group.
    package var layer: Int
    package var opacity = 1.0
    /// The bounds of everything drawn, without strokes where the outline is known.
    package var box: Rect
    /// The fills and strokes; `nil` for an object that is drawn as an image.
    package var shapes: [Shape]?

    package init(
      id: String?, kind: String, parent: Int, end: Int, layer: Int, opacity: Double = 1,
      box: Rect = .empty, shapes: [Shape]? = nil
    ) {
      self.id = id
      self.kind = kind
      self.parent = parent
      self.end = end
      self.layer = layer
      self.opacity = opacity
      self.box = box
      self.shapes = shapes
    }

    package var isGroup: Bool { layer < 0 }
  }

  /// An outline with its paints, before `map` is applied.
  package struct Shape: Hashable, Sendable {
    package var path: Path
    package var map: Affine
    package var fill: Color?
    package var stroke: Color?
    package var style: StrokeStyle
    /// Whether the fill or stroke is a gradient or another paint that is not a solid color. The
    /// paint in this shape is `nil` then, and the unchanged shape is drawn as an image.
    package var hasOtherFill = false
    package var hasOtherStroke = false

    package init(path: Path, map: Affine, fill: Color?, stroke: Color?, style: StrokeStyle) {
      self.path = path
      self.map = map
      self.fill = fill
      self.stroke = stroke
      self.style = style
    }
  }

  package var nodes: [Node]
  /// The ids that cannot be referred to, each with the reason.
  package var hidden: [String: String]
  /// Features of the file that work in a browser but are unsupported here.
  package var idle: [String]

  package init(nodes: [Node] = [], hidden: [String: String] = [:], idle: [String] = []) {
    self.nodes = nodes
    self.hidden = hidden
    self.idle = idle
  }

  /// The ids that can be referred to, in file order.
  package var ids: [String] { nodes.compactMap(\.id) }

  /// The top-level parts of the drawing: the children of the root, or of the only group that
  /// encloses everything.
  package var mainNodes: [Int] {
    guard nodes.first?.isGroup == true else { return [] }
    var home = 0
    while true {
      let inside = children(of: home).filter { !nodes[$0].isGroup || nodes[$0].end > $0 + 1 }
      guard inside.count == 1, nodes[inside[0]].isGroup else { return inside }
      home = inside[0]
    }
  }

  /// Returns the direct children of a group.
  package func children(of group: Int) -> [Int] {
    var list: [Int] = []
    var next = group + 1
    while next < nodes[group].end {
      list.append(next)
      next = nodes[next].end
    }
    return list
  }

  /// Returns the index of the node with an id; `nil` if there is none.
  package func node(_ id: String) -> Int? { nodes.firstIndex { $0.id == id } }
}
