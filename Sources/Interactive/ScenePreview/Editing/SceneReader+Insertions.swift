// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneFiles
import SceneGraphics
import SceneJSON
import SceneModel
import SceneSession
import SceneSyntax
import SceneSystem
import SceneText

// New elements, and the clipboard.
extension SceneReader {
  private static let imageEndings: Set<String> = [
    "png", "jpg", "jpeg", "webp", "gif", "svg", "apng",
  ]
  private static let mostImages = 200

  /// Lists the images in the folder of the scene and in its subfolders.
  func listImages() -> [String: JSON] {
    let folder = SceneFile.folder(of: path)
    func listed(in folder: String) -> [String] {
      Files.names(in: folder, limit: SceneReader.mostImages) { name in
        !name.hasPrefix(".")
          && SceneReader.imageEndings.contains(
            name.split(separator: ".").last.map { $0.lowercased() } ?? "")
      }.sorted()
    }
    var found = listed(in: folder)
    let folders = Files.names(in: folder) { !$0.hasPrefix(".") && !$0.contains(".") }.sorted()
    for name in folders.prefix(32) where found.count < SceneReader.mostImages {
      found += listed(in: folder + "/" + name).map { name + "/" + $0 }
    }
    // The numbers that other tabs know remain valid.
    let known = Set(images)
    images += found.prefix(SceneReader.mostImages).filter { !known.contains($0) }
    return ["images": .array(images.map { .string(visible($0)) })]
  }

  /// Copies elements to the clipboard of the server.
  func copy(_ request: Request) throws(Refusal) -> [String: JSON] {
    let revision = try revision(request)
    let keys = request["keys"].array.compactMap(\.string)
    guard keys.count <= Insertion.mostCopies else {
      throw Refusal("message", "at most \(Insertion.mostCopies) elements can be copied at once")
    }
    let copied = try outermost(keys, in: revision).map { $0.file.text(of: $0.element.whole) }
    guard !copied.isEmpty else { throw Refusal("message", "no elements to copy") }
    clipboard = copied
    return ["count": .int(copied.count)]
  }

  private func copyable(
    _ key: String, in revision: Revision
  ) throws(Refusal) -> (SceneRecord.Element, FileFacts) {
    let element = try element(key, of: revision)
    guard element.parent != nil, !element.isTransition else {
      throw Refusal("fixed", "'\(element.kind)' cannot be copied")
    }
    return (element, try facts(of: element.whole.file, in: revision))
  }

  private func facts(of file: FileID, in revision: Revision) throws(Refusal) -> FileFacts {
    let parsed = try source(of: Int(file.rawValue), in: revision, hashes: [])
    return FileFacts(parsed.tree.file.bytes, name: parsed.tree.file.name)
  }

  /// Returns the text of a file with new elements.
  func text(
    inserting insertion: Insertion, in revision: Revision
  ) throws(Refusal) -> (file: Int, bytes: [UInt8]) {
    guard let scene = revision.scene.record?.elements.first else { throw .gone }
    let size = revision.model.size
    let center =
      insertion.center ?? Point(Double(size.width) / 2, Double(size.height) / 2)
    switch insertion.content {
    case .duplicates(let keys): return try duplicates(keys, in: revision)
    case .pasted(let key):
      guard !clipboard.isEmpty else { throw Refusal("none", "nothing was copied") }
      if let key, key != scene.key {
        let (element, file) = try copyable(key, in: revision)
        let text = file.renamed(clipboard.joined(separator: "\n"))
        return try made(element.whole.file, file.parsed.adding(text, after: element.whole))
      }
      return try atEnd(of: scene, clipboard.joined(separator: "\n"), in: revision)
    case .shape(let shape):
      return try atEnd(of: scene, shape.text(at: center, in: size), in: revision)
    case .image(let number):
      guard images.indices.contains(number),
        Files.exists(SceneFile.folder(of: path) + "/" + images[number], 4)
      else { throw .gone }
      let name = try NewProperty.text(of: ["text": .string(images[number])])
      let (width, height) = (size.width * 2 / 5, size.height * 2 / 5)
      let place = "(\(Int(center.x.rounded())), \(Int(center.y.rounded())))"
      return try atEnd(
        of: scene,
        "image \(name) { position: \(place);  size: (\(width), \(height));  fit: contain }",
        in: revision)
    }
  }

  /// Returns the elements that are not inside others of the given ones.
  private func outermost(
    _ keys: [String], in revision: Revision
  ) throws(Refusal) -> [(element: SceneRecord.Element, file: FileFacts)] {
    var all: [(element: SceneRecord.Element, file: FileFacts)] = []
    for key in keys { all.append(try copyable(key, in: revision)) }
    let spans = all.map(\.element.whole)
    return all.filter { it in
      !spans.contains { other in
        other != it.element.whole && other.file == it.element.whole.file
          && other.start <= it.element.whole.start && it.element.whole.end <= other.end
      }
    }
  }

  private func duplicates(
    _ keys: [String], in revision: Revision
  ) throws(Refusal) -> (file: Int, bytes: [UInt8]) {
    let all = try outermost(keys, in: revision)
    guard let last = all.max(by: { $0.element.whole < $1.element.whole }),
      all.allSatisfy({ $0.element.whole.file == last.element.whole.file })
    else { throw Refusal("fixed", "the elements are in several files") }
    let text = last.file.renamed(
      all.sorted { $0.element.whole < $1.element.whole }
        .map { $0.file.text(of: $0.element.whole) }.joined(separator: "\n"))
    return try made(
      last.element.whole.file, last.file.parsed.adding(text, after: last.element.whole))
  }

  private func atEnd(
    of scene: SceneRecord.Element, _ text: String, in revision: Revision
  ) throws(Refusal) -> (file: Int, bytes: [UInt8]) {
    let file = try facts(of: scene.whole.file, in: revision)
    return try made(
      scene.whole.file, file.parsed.adding(file.renamed(text), to: scene.whole))
  }

  private func made(_ file: FileID, _ bytes: [UInt8]?) throws(Refusal) -> (
    file: Int, bytes: [UInt8]
  ) {
    guard let bytes else { throw Refusal("value", "an element cannot be added here") }
    return (Int(file.rawValue), bytes)
  }

  /// Returns the keys of the elements that an insertion has created.
  func keys(of insertion: Insertion, in before: Revision) throws(Refusal) -> [String] {
    guard let record = registry[ViewRegistry.first]?.newest?.scene.record,
      let old = before.scene.record, let scene = record.elements.first
    else { return [] }
    var (parent, start, count) = (scene.key, 0, 1)
    switch insertion.content {
    case .duplicates(let keys):
      let all = old.elements.filter { keys.contains($0.key) }
      guard let last = all.max(by: { $0.whole < $1.whole }), let above = last.parent else {
        return []
      }
      (parent, start, count) = (old.elements[above].key, last.whole.end, keys.count)
    case .pasted(let key?) where key != scene.key:
      guard let it = old.elements.first(where: { $0.key == key }), let above = it.parent else {
        return []
      }
      (parent, start, count) = (old.elements[above].key, it.whole.end, clipboard.count)
    case .pasted: count = -clipboard.count
    case .shape, .image: count = -1
    }
    let file = scene.whole.file
    var seen: Set<SourceSpan> = []
    let children = record.elements.filter { element in
      element.parent.map { record.elements[$0].key } == parent && element.head.file == file
        && element.head.start >= start && seen.insert(element.head).inserted
    }.sorted { $0.head < $1.head }
    return (count < 0 ? children.suffix(-count) : children.prefix(count)).map(\.key)
  }
}
