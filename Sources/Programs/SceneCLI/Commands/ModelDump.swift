// SPDX-License-Identifier: MIT
import SceneGraphics
package import SceneModel

/// A textual dump of the resolved model, printed by `scenec ir` without a frame.
package struct ModelDump {
  package private(set) var text = ""
  /// Elements whose children have been printed. A clip between two transitions is a child of both.
  private var written: Set<ObjectIdentifier> = []

  package init(_ model: SceneModel) {
    text = "scene \(model.name ?? "") \(model.size) \(model.frameRate.description) fps "
    text += "\(model.duration.description) \(NumberFormat.count(model.frameCount, of: "frame")), "
    text += "\(model.program.nodes.count) computed values\n"
    let changes = Changes(of: model.program, within: 0..<max(0, model.duration.rawValue))
    for element in model.elements { write(element, depth: 1, changes) }
  }

  private mutating func write(_ element: ElementModel, depth: Int, _ changes: Changes) {
    var computed = 0
    element.forEachScalar { if $0.constantValue == nil { computed += 1 } }
    text += String(repeating: "  ", count: depth) + element.kind
    if let name = element.name { text += " \(name)" }
    text += " \(element.start.description) .. \(element.end.description)"
    text += computed == 0 ? ", static" : ", \(computed) values change"
    if let time = changes.inLife(of: element).hull, computed > 0 {
      text += " \(Ticks(time.lowerBound).description) .. \(Ticks(time.upperBound).description)"
    }
    guard element.children.isEmpty || written.insert(ObjectIdentifier(element)).inserted else {
      text += ", children as above\n"
      return
    }
    text += "\n"
    for child in element.children { write(child, depth: depth + 1, changes) }
  }
}
