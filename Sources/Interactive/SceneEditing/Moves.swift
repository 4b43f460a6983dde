// SPDX-License-Identifier: MIT
import SceneSyntax
package import SceneText

/// The reason why an element cannot change places with another one.
package enum Unmovable: Error, Hashable {
  /// A loop creates the element.
  case repeated
  /// The elements are in different blocks, such as one inside and one outside an `if`.
  case separate
  /// The file would have syntax errors.
  case invalid
}

// Elements that change places with their siblings.
extension Parsed {
  /// Returns the file with an element moved before or after another element of the same body. The
  /// texts of the elements, including the comments above them, change places; everything between
  /// them stays. `siblings` are the elements of the body, including those in its loops, which move
  /// as a whole. Returns the same bytes if the order does not change.
  package func moving(
    _ element: SourceSpan, beside other: SourceSpan, isAfter: Bool, among siblings: [SourceSpan]
  ) throws(Unmovable) -> [UInt8] {
    func contains(_ outer: SourceSpan, _ inner: SourceSpan) -> Bool {
      outer.start <= inner.start && inner.end <= outer.end
    }
    func isSame(_ a: SourceSpan, _ b: SourceSpan) -> Bool { a.start == b.start && a.end == b.end }
    let isLooped = tree.nodes.indices.contains { node in
      tree.nodes[node].kind == .forItem && contains(tree.span(of: node), element)
        && !contains(tree.span(of: node), other)
    }
    guard
      let body = tree.nodes.indices.first(where: { node in
        tree.children(of: node).contains { isSame(tree.span(of: $0), element) }
      })
    else { throw isLooped ? .repeated : .separate }
    let slots = tree.children(of: body).map { tree.span(of: $0) }
      .filter { slot in siblings.contains { contains(slot, $0) } }
      .sorted { $0.start < $1.start }
    guard let from = slots.firstIndex(where: { isSame($0, element) }),
      let beside = slots.firstIndex(where: { contains($0, other) })
    else { throw isLooped ? .repeated : .separate }
    guard from != beside else { throw .repeated }
    var order = Array(slots.indices)
    order.remove(at: from)
    let place = (order.firstIndex(of: beside) ?? 0) + (isAfter ? 1 : 0)
    order.insert(from, at: place)
    let bytes = tree.file.bytes
    if order == Array(slots.indices) { return bytes }
    let ranges = slots.map { start(of: $0)..<$0.end }
    var changed: [UInt8] = []
    var end = 0
    for (slot, text) in zip(ranges, order.map { ranges[$0] }) {
      guard slot.lowerBound >= end else { throw .invalid }
      changed += bytes[end..<slot.lowerBound] + bytes[text]
      end = slot.upperBound
    }
    guard let all = self.changed(changed + bytes[end...]) else { throw .invalid }
    return all
  }

  /// Returns the start of an element with the lines of comments directly above it.
  private func start(of element: SourceSpan) -> Int {
    let bytes = tree.file.bytes
    func firstOfLine(_ place: Int) -> Int { (bytes[..<place].lastIndex(of: 10) ?? -1) + 1 }
    func text(_ line: Int) -> Int { bytes[line...].firstIndex { $0 != 32 && $0 != 9 } ?? line }
    var line = firstOfLine(element.start)
    guard text(line) == element.start else { return element.start }
    var start = element.start
    while line > 0 {
      let above = firstOfLine(line - 1)
      let first = text(above)
      guard bytes[first...].starts(with: Array("//".utf8)) else { break }
      (line, start) = (above, first)
    }
    return start
  }
}
