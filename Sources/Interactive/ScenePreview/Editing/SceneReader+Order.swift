// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneSession
import SceneText

// The order of the children of layouts.
extension SceneReader {
  /// Returns the text of a file with an element at a new position among its siblings.
  func text(
    _ wanted: Reordering, in revision: Revision
  ) throws(Refusal) -> (file: Int, bytes: [UInt8]) {
    let (element, other) = try (
      self.element(wanted.key, of: revision), self.element(wanted.other, of: revision)
    )
    let file = element.whole.file
    guard let parent = element.parent, other.parent == parent, other.whole.file == file,
      element.key != other.key
    else { throw Refusal("value", "the elements are not siblings") }
    let siblings = (revision.scene.record?.elements ?? [])
      .filter { $0.parent == parent && $0.whole.file == file }.map(\.whole)
    let before = try source(of: Int(file.rawValue), in: revision, hashes: [])
    let name = element.name ?? element.kind
    do throws(Unmovable) {
      let bytes = try before.moving(
        element.whole, beside: other.whole, isAfter: wanted.isAfter, among: siblings)
      return (Int(file.rawValue), bytes)
    } catch {
      let reason =
        switch error {
        case .repeated: "'\(name)' is created by a loop"
        case .separate:
          "'\(name)' and '\(other.name ?? other.kind)' are in different blocks of the source"
        case .invalid: "the source with '\(name)' at the new place would not be valid"
        }
      throw Refusal("fixed", reason)
    }
  }

  /// Returns the key of the moved element in the newest revision, in which unnamed elements may be
  /// numbered differently; empty if it is unknown.
  func keys(of wanted: Reordering, in before: Revision) -> [String] {
    guard let new = registry[ViewRegistry.first]?.newest?.scene.record,
      let old = before.scene.record?.elements,
      let element = old.first(where: { $0.key == wanted.key }), let parent = element.parent
    else { return [] }
    let key = old[parent].key
    var children = old.filter { $0.parent == parent && $0.round == 0 }
      .sorted { $0.whole < $1.whole }.map(\.key)
    children.removeAll { $0 == wanted.key }
    guard let beside = children.firstIndex(of: wanted.other) else { return [] }
    let place = beside + (wanted.isAfter ? 1 : 0)
    let moved = new.elements.filter { it in
      it.parent.map { new.elements[$0].key } == key && it.round == 0
    }.sorted { $0.whole < $1.whole }.map(\.key)
    return moved.indices.contains(place) ? [moved[place]] : []
  }
}
