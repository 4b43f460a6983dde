// SPDX-License-Identifier: MIT
import SceneCheck
import SceneIR
import SceneLanguage
import SceneModel
import SceneText

// Captions as causes. The captions of a file are texts whose properties come from the file, not
// from the scene, so they are described by their words and times.
extension Comparer {
  /// Returns the pair of `captions` elements for each caption of a file.
  static func owners(
    ofCaptions pairs: [ElementPairs.Pair], _ old: SceneSide, _ new: SceneSide
  ) -> [ElementPairs.Pair: ElementPairs.Pair] {
    var owners: [ElementPairs.Pair: ElementPairs.Pair] = [:]
    var (ofOld, ofNew): ([Int: ElementPairs.Pair], [Int: ElementPairs.Pair]) = ([:], [:])
    // Parents come first.
    for pair in pairs {
      if let i = pair.old {
        if old.isCaption(i) { owners[pair] = old.record.elements[i].parent.flatMap { ofOld[$0] } }
        ofOld[i] = pair
      }
      if let j = pair.new {
        if new.isCaption(j) { owners[pair] = new.record.elements[j].parent.flatMap { ofNew[$0] } }
        ofNew[j] = pair
      }
    }
    return owners
  }

  /// Returns whether a pair consists of `captions` elements.
  func isCaptions(_ pair: ElementPairs.Pair) -> Bool {
    let element =
      pair.new.map { new.record.elements[$0] } ?? pair.old.map { old.record.elements[$0] }
    return element?.kind == ElementKind.captions.rawValue
  }

  /// Returns the difference between the captions of a pair; `nil` if they have the same words and
  /// times.
  func captionChange(_ pair: ElementPairs.Pair) -> VideoComparison.Change? {
    let a = pair.old.map { (text: old.caption($0), time: lifetime(of: $0, in: old)) }
    let b = pair.new.map { (text: new.caption($0), time: lifetime(of: $0, in: new)) }
    if a?.text != b?.text {
      return VideoComparison.Change(
        property: "caption at \(NumberFormat.seconds(start(of: pair)))",
        old: a.map { quoted($0.text) }, new: b.map { quoted($0.text) })
    }
    guard a?.time != b?.time else { return nil }
    return VideoComparison.Change(
      property: "caption \(quoted(b?.text ?? ""))", old: a?.time, new: b?.time, followsTime: true)
  }

  /// Returns the changes of the captions among some pairs, in order of time, for each `captions`
  /// element.
  func captionChanges(of pairs: [ElementPairs.Pair])
    -> [ElementPairs.Pair: [VideoComparison.Change]]
  {
    let captions = pairs.filter { ownersOfCaptions[$0] != nil }
    return captions.sorted { start(of: $0) < start(of: $1) }.reduce(into: [:]) { changes, pair in
      guard let owner = ownersOfCaptions[pair], let change = captionChange(pair) else { return }
      changes[owner, default: []].append(change)
    }
  }

  /// Returns the start of a caption in the new version or, if it was removed, in the old version.
  private func start(of pair: ElementPairs.Pair) -> Ticks {
    pair.new.flatMap { new.record.elements[$0].start }
      ?? pair.old.flatMap { old.record.elements[$0].start } ?? .zero
  }

  private func quoted(_ text: String) -> String {
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return "\"\(words.count > 60 ? words.prefix(59) + "…" : words)\""
  }

  /// The change of the outputs that draw captions; `nil` if both versions draw them, or none.
  var captionUseChange: VideoComparison.Change? {
    guard old.model.hidesCaptions != new.model.hidesCaptions else { return nil }
    func uses(_ model: SceneModel) -> String {
      let uses = Set(model.outputs.map(\.captions.rawValue)).sorted().joined(separator: ", ")
      return uses.isEmpty ? "burned" : uses
    }
    return VideoComparison.Change(
      property: "captions", old: uses(old.model), new: uses(new.model))
  }

  /// The maximum number of changed captions that a range names for an element.
  private static let mostCaptions = 5

  /// Returns the changes of a `captions` element: those of its properties and of its captions. The
  /// name of the file is a cause only if its captions differ, and the lifetime follows from them.
  static func changes(
    _ own: [VideoComparison.Change], withCaptions captions: [VideoComparison.Change]
  ) -> [VideoComparison.Change] {
    let isFileChanged = !captions.isEmpty
    let own = own.filter {
      $0.property != "lifetime" && (isFileChanged || $0.property != Property.source.name)
    }
    let rest = captions.dropFirst(Comparer.mostCaptions)
    guard !rest.isEmpty else { return own + captions }
    return own + captions.prefix(Comparer.mostCaptions) + [
      VideoComparison.Change(
        property: "words or time of \(NumberFormat.count(rest.count, of: "more caption"))",
        old: nil, new: nil, followsTime: rest.allSatisfy(\.followsTime))
    ]
  }
}

extension Comparer {
  /// Adds the evidence of a caption that is drawn in either version.
  func addCaption(
    _ pair: ElementPairs.Pair, of owner: ElementPairs.Pair, before: [Int: SceneSide.State],
    after: [Int: SceneSide.State], to evidence: inout Evidence
  ) {
    if let change = captionChange(pair) {
      if evidence.captions[owner]?.contains(change) != true {
        evidence.captions[owner, default: []].append(change)
      }
    } else if let i = pair.old, let j = pair.new, let a = before[i], let b = after[j], a != b {
      if a.own == b.own && a.opacities == b.opacities {
        evidence.moved.insert(owner)
      } else {
        evidence.drawings[owner] = Comparer.drawing(a, b)
      }
    }
  }
}

extension Comparer.Evidence {
  /// Returns the changes of the properties of an element.
  func changes(of pair: ElementPairs.Pair, _ isCaptions: Bool) -> [VideoComparison.Change] {
    let own = properties[pair] ?? []
    return isCaptions ? Comparer.changes(own, withCaptions: captions[pair] ?? []) : own
  }
}

extension SceneSide {
  /// Returns whether an element is a caption of a file.
  func isCaption(_ index: Int) -> Bool {
    guard let parent = record.elements[index].parent else { return false }
    return record.elements[parent].kind == ElementKind.captions.rawValue
      && record.elements[index].kind == ElementKind.text.rawValue
  }

  /// Returns the words of a caption.
  func caption(_ index: Int) -> String {
    guard case .text(let text, _, _, _)? = record.elements[index].drawn.first?.drawing else {
      return ""
    }
    return text.runs.map { evaluator.text($0.text) }.joined()
  }
}
