// SPDX-License-Identifier: MIT
import SceneCheck
import SceneDiagnostics
import SceneEditing
import SceneGraphics
import SceneJSON
import SceneModel
import SceneSession
import SceneSyntax
import SceneSystem
import SceneText

// Requests for elements, positions and source text, and for edits.
extension PreviewSite {
  private func place(_ request: Request) -> (Revision, Int)? {
    guard let revision = revision(request), let frame = request["n"].int else { return nil }
    return (revision, max(0, min(frame, revision.model.frameCount - 1)))
  }

  func element(_ request: Request, valuesOnly: Bool) -> Refusal? {
    guard let (revision, frame) = place(request) else { return .gone }
    let isReadOnly = facts.isReadOnly
    return answer(request) { _ in
      guard let key = request["key"].string,
        var element = ElementAnswer(revision, key: key, isReadOnly: isReadOnly)
      else { throw Refusal("none", "element not found") }
      guard valuesOnly else { return element.members(frame: frame) }
      let values = element.values(frame: frame).mapValues { JSON.string($0) }
      return ["key": .string(key), "values": .object(values)]
    }
  }

  func handles(_ request: Request) -> Refusal? {
    guard let (revision, frame) = place(request) else { return .gone }
    return answer(request) { _ in
      let rows = SceneAnswer(revision, isReadOnly: true).rows()
      guard let row = rows.first(where: { $0.key == request["key"].string }),
        case let round = request["round"].int ?? 0, row.elements.indices.contains(round),
        var element = ElementAnswer(
          revision, element: row.elements[round], isReadOnly: true, parses: false)
      else { throw Refusal("none", "element not found") }
      return element.handles(frame: frame)
    }
  }

  /// Sends the graph of a property of an element.
  func graph(_ request: Request) -> Refusal? {
    guard let (revision, frame) = place(request) else { return .gone }
    guard let range = GraphRange(request.json) else {
      return Refusal("message", "invalid 'from', 'to' or 'count'")
    }
    return answer(request) { _ in
      let rows = SceneAnswer(revision, isReadOnly: true).rows()
      guard let row = rows.first(where: { $0.key == request["key"].string }),
        case let round = request["round"].int ?? 0, row.elements.indices.contains(round),
        var element = ElementAnswer(revision, element: row.elements[round], isReadOnly: true)
      else { throw Refusal("none", "element not found") }
      return element.graph(of: request["property"].string, range, frame: frame)
    }
  }

  func boxes(_ request: Request) -> Refusal? {
    guard let (revision, frame) = place(request) else { return .gone }
    let outlet = outlet
    pool.ask { drawer in
      var places: [Int: (row: Int, round: Int)] = [:]
      for (row, it) in SceneAnswer(revision, isReadOnly: true).rows().enumerated() {
        for (round, element) in it.elements.enumerated() { places[element] = (row, round) }
      }
      outlet.send(
        ["id": request.id, "rev": .int(revision.number), "n": .int(frame)],
        drawer.boxes(revision, frame: frame, places), to: request.tab)
    }
    return nil
  }

  func hit(_ request: Request) -> Refusal? {
    guard let (revision, frame) = place(request) else { return .gone }
    guard let x = request["x"].number, let y = request["y"].number else {
      return Refusal("message", "'x' and 'y' are missing")
    }
    return answer(request) { drawer in
      let rows = SceneAnswer(revision, isReadOnly: true).rows()
      let places = Places(revision.scene.sources)
      var seen: Set<String> = []
      var hits: [JSON] = []
      for element in try drawer.hit(revision, frame: frame, Point(x, y)) {
        guard let row = rows.first(where: { $0.elements.contains(element) }),
          let round = row.elements.firstIndex(of: element), seen.insert(row.key).inserted,
          let head = revision.scene.record?.elements[element].head
        else { continue }
        hits.append([
          "key": .string(row.key), "round": .int(round), "span": places.json(head), "part": .null,
        ])
      }
      return ["hits": .array(hits)]
    }
  }

  func source(_ request: Request) -> Refusal? {
    guard let revision = revision(request) else { return .gone }
    guard let file = request["file"].int, revision.scene.sources.indices.contains(file) else {
      return Refusal("none", "file not found")
    }
    let source = revision.scene.sources[file]
    return answer(request) { _ in SourceAnswer(source).members }
  }

  func explain(_ request: Request) -> Refusal? {
    guard let code = request["code"].string.flatMap({ Code(rawValue: $0) }) else {
      return Refusal("none", "unknown code")
    }
    outlet.send(["id": request.id, "text": .string(Explanation.of(code).text)], to: request.tab)
    return nil
  }

  /// Forwards the playback position to the editor.
  func playhead(_ request: Request) -> Refusal? {
    guard let seconds = request["seconds"].number, seconds.isFinite else {
      return Refusal("message", "'seconds' is missing")
    }
    facts.link?.say(
      "live/playhead",
      ["seconds": .double(seconds), "playing": .bool(request["playing"].bool ?? false)])
    outlet.send(["id": request.id], to: request.tab)
    return nil
  }

  func open(_ request: Request) -> Refusal? {
    if let link = facts.link {
      guard let revision = revision(request), let file = request["file"].int,
        revision.scene.sources.indices.contains(file)
      else { return Refusal("none", "file not found") }
      let source = revision.scene.sources[file]
      let place = Position(
        max(1, request["line"].int ?? 1) - 1, max(1, request["column"].int ?? 1) - 1)
      let start = source.offset(of: place, .utf32)
      link.say(
        "live/select",
        [
          "path": .string(Files.resolved(source.name) ?? source.name), "start": .int(start),
          "end": .int(start),
        ])
      outlet.send(["id": request.id, "opened": true], to: request.tab)
      return nil
    }
    guard let editor = facts.editor else {
      return Refusal("none", "no editor is set; use --editor or $SCENEC_EDITOR")
    }
    guard let revision = revision(request), let file = request["file"].int,
      revision.scene.sources.indices.contains(file),
      case let name = revision.scene.sources[file].name, let path = Files.resolved(name)
    else { return Refusal("none", "file not found") }
    let values = [
      "{file}": path, "{line}": "\(request["line"].int ?? 1)",
      "{column}": "\(request["column"].int ?? 1)",
    ]
    // Replaced in one pass, so that placeholders within a path are not expanded.
    let words = editor.map { word in
      word.replacing(#/\{(file|line|column)\}/#) { values[String($0.0)] ?? "" }
    }
    let isStarted = OwnProcess.start(words)
    outlet.send(["id": request.id, "opened": .bool(isStarted)], to: request.tab)
    return nil
  }

  // MARK: Edits

  /// Runs a task on the loading thread and sends its result. With `newestOnly`, the task replaces
  /// the waiting one of the same tab, which is refused.
  func change(
    _ request: Request, newestOnly: Bool = false,
    _ body: @escaping @Sendable (SceneReader) throws(Refusal) -> [String: JSON]
  ) -> Refusal? {
    if facts.isReadOnly { return Refusal("read-only", "the preview is read-only") }
    let outlet = outlet
    let send = { @Sendable (answer: [String: JSON]) in
      outlet.send(.object(answer.merging(["id": request.id]) { $1 }), to: request.tab)
    }
    let task = { @Sendable (reader: SceneReader) in
      do throws(Refusal) { send(try body(reader)) } catch { send(error.answer) }
    }
    if newestOnly {
      let passed = Refusal("passed", "a newer request replaces this one")
      tasks.add(newestOf: request.tab, replaced: { send(passed.answer) }, task)
    } else {
      tasks.add(task)
    }
    return nil
  }
}
