// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

/// An SVG taken apart: what can be named in it, in the order in which it is painted, and the outlines of
/// what has some. Lengths are pixels of the picture.
package struct VectorDrawing: Hashable, Sendable {
  /// Something that is drawn, or a group of what is.
  package struct Node: Hashable, Sendable {
    /// What the file calls it.
    package var id: String?
    /// What it is in the file, such as `path`.
    package var kind: String
    /// The line of the file where its start tag ends, from 1; 0 where that is not known.
    package var line = 0
    /// The number of the group that it is in; below 0 for the whole.
    package var parent: Int
    /// Behind the last node in it: nodes are in the order of the file.
    package var end: Int
    /// Which of all that is drawn apart it is; below 0 for a group.
    package var layer: Int
    package var opacity = 1.0
    /// All that is drawn of it, without its strokes where its outline is known.
    package var box: Rect
    /// Its fills and strokes; `nil` for what is a picture.
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

  /// An outline with its paints, as it is before a map.
  package struct Shape: Hashable, Sendable {
    package var path: Path
    package var map: Affine
    package var fill: Color?
    package var stroke: Color?
    package var style: StrokeStyle
    /// Whether it is filled, or stroked, with something that is not one color: a gradient. The paint
    /// here is `nil` then, and the shape as it is in the file is a picture.
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
  /// Ids of what cannot be named, each with the reason.
  package var hidden: [String: String]
  /// What it does in a browser and does not do here.
  package var idle: [String]

  package init(nodes: [Node] = [], hidden: [String: String] = [:], idle: [String] = []) {
    self.nodes = nodes
    self.hidden = hidden
    self.idle = idle
  }

  /// The ids that can be named, in the order of the file.
  package var ids: [String] { nodes.compactMap(\.id) }

  /// What the whole is made of: all that is in it, or in the one group that holds all of it.
  package var mainNodes: [Int] {
    guard nodes.first?.isGroup == true else { return [] }
    var home = 0
    while true {
      let inside = children(of: home).filter { !nodes[$0].isGroup || nodes[$0].end > $0 + 1 }
      guard inside.count == 1, nodes[inside[0]].isGroup else { return inside }
      home = inside[0]
    }
  }

  /// The nodes that are directly in a group.
  package func children(of group: Int) -> [Int] {
    var list: [Int] = []
    var next = group + 1
    while next < nodes[group].end {
      list.append(next)
      next = nodes[next].end
    }
    return list
  }

  /// The number of the node of an id.
  package func node(_ id: String) -> Int? { nodes.firstIndex { $0.id == id } }
}
