// SPDX-License-Identifier: MIT
import SceneCheck
import SceneText

/// The elements of two versions of a scene that correspond to each other.
///
/// Elements with a name correspond by their names, in order for several rounds of a loop. Others
/// correspond if they have the same text; the remaining ones by their kind and order. Captions of
/// files correspond if they have the same words.
struct ElementPairs {
  /// An element in both versions, or in one of them.
  struct Pair: Hashable {
    let old: Int?
    let new: Int?
  }

  /// The pairs, parents first.
  private(set) var pairs: [Pair] = []

  private let old: Tree
  private let new: Tree

  init(_ old: SceneSide, _ new: SceneSide) {
    (self.old, self.new) = (Tree(old), Tree(new))
    guard !old.record.elements.isEmpty, !new.record.elements.isEmpty else { return }
    add(Pair(old: 0, new: 0))
  }

  private mutating func add(_ root: Pair) {
    var open = [root]
    while let pair = open.popLast() {
      pairs.append(pair)
      let children = matched(
        pair.old.map { old.children[$0] } ?? [], pair.new.map { new.children[$0] } ?? [])
      open += children.reversed()
    }
  }

  private func matched(_ a: [Int], _ b: [Int]) -> [Pair] {
    var partners: [Int: Int] = [:]
    var taken: Set<Int> = []
    func match(_ keyOfOld: (Int) -> String?, _ keyOfNew: (Int) -> String?) {
      var waiting: [String: [Int]] = [:]
      for element in b.reversed() where !taken.contains(element) {
        if let key = keyOfNew(element) { waiting[key, default: []].append(element) }
      }
      for element in a where partners[element] == nil {
        guard let key = keyOfOld(element), let partner = waiting[key]?.popLast() else { continue }
        partners[element] = partner
        taken.insert(partner)
      }
    }
    match({ old.name(of: $0) }, { new.name(of: $0) })
    match({ old.content(of: $0) }, { new.content(of: $0) })
    match({ old.kind(of: $0) }, { new.kind(of: $0) })
    return a.map { Pair(old: $0, new: partners[$0]) }
      + b.filter { !taken.contains($0) }.map { Pair(old: nil, new: $0) }
  }

  /// The children of each element, and the identity of an element among its siblings.
  private struct Tree {
    let side: SceneSide
    private(set) var children: [[Int]]

    init(_ side: SceneSide) {
      self.side = side
      children = side.record.elements.map { _ in [] }
      for (index, element) in side.record.elements.enumerated() {
        if let parent = element.parent { children[parent].append(index) }
      }
    }

    func name(of index: Int) -> String? {
      let element = side.record.elements[index]
      return element.name.map { "\(element.kind) \($0)" }
    }

    func content(of index: Int) -> String? {
      let element = side.record.elements[index]
      if side.isCaption(index) { return side.caption(index) }
      return element.name == nil ? side.text(element.whole) : nil
    }

    func kind(of index: Int) -> String? {
      let element = side.record.elements[index]
      return element.name == nil ? element.kind : nil
    }
  }
}
