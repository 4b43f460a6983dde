// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneJSON
import SceneModel
import SceneSystem

// Requests other than for elements and edits.
extension PreviewSite {
  /// Returns the revision that a request refers to; `nil` if it no longer exists.
  func revision(_ request: Request) -> Revision? {
    registry.revision(request["view"].string ?? ViewRegistry.first, request["rev"].int)
  }

  /// Runs a handler on a worker and sends its result.
  func answer(
    _ request: Request, _ body: @escaping @Sendable (Drawer) throws -> [String: JSON]
  ) -> Refusal? {
    let outlet = outlet
    pool.ask { drawer in
      var answer: [String: JSON]
      do { answer = try body(drawer) } catch {
        let refusal = error as? Refusal ?? Refusal("failed", "\(error)")
        answer = ["error": .string(refusal.word), "reason": .string(refusal.reason)]
      }
      answer["id"] = request.id
      outlet.send(.object(answer), to: request.tab)
    }
    return nil
  }

  func frame(_ request: Request) -> Refusal? {
    guard let revision = revision(request) else { return .gone }
    guard let frame = request["n"].int, let width = request["width"].int,
      let purpose = FrameRequest.Purpose(rawValue: request["for"].string ?? "rest"),
      let ground = FrameRequest.Ground(rawValue: request["ground"].string ?? "scene")
    else { return Refusal("message", "invalid 'n', 'width', 'for' or 'ground'") }
    pool.draw(
      FrameRequest(
        tab: request.tab, id: request.id, revision: revision,
        frame: max(0, min(frame, revision.model.frameCount - 1)), width: max(1, width),
        purpose: purpose, ground: ground, have: request["have"].string, asked: clock.now))
    return nil
  }

  func scene(_ request: Request) -> Refusal? {
    guard let revision = revision(request) else {
      return Refusal(registry[ViewRegistry.first]?.newest == nil ? "none" : "gone")
    }
    let (under, start) = (request["under"].string, max(0, request["from"].int ?? 0))
    let isReadOnly = facts.isReadOnly
    let row = registry[revision.base]?.options.row
    return answer(request) { [facts] _ in
      var all = SceneAnswer(revision, isReadOnly: isReadOnly).members(under: under, from: start)
      if let table = facts.table { all["table"] = table.json(now: row) }
      return all
    }
  }

  func openView(_ request: Request) -> Refusal? {
    var options = ViewOptions()
    options.scene = request["scene"].string
    if case .object(let given) = request["params"] {
      options.params = given.compactMapValues { $0.string.map { String($0.prefix(16 << 10)) } }
    }
    let (size, rate) = (request["size"], request["rate"])
    if let width = size[0].int, let height = size[1].int {
      guard (1...16_384).contains(width), (1...16_384).contains(height),
        width * height <= 64_000_000
      else { return Refusal("message", "the size is too large") }
      options.size = PixelSize(width, height)
    }
    if let over = rate[0].int, let under = rate[1].int {
      guard (1...1_000_000).contains(over), (1...1_000_000).contains(under),
        case let value = Double(over) / Double(under), (FrameRate.least...1000).contains(value)
      else { return Refusal("message", "unsupported frame rate") }
      options.rate = FrameRate(Int64(over), Int64(under))
    }
    if !request["row"].isNull {
      guard let table = facts.table else { return Refusal("message", "the scene has no table") }
      guard let row = request["row"].int, table.contains(row) else {
        return Refusal("value", "the table has rows 1 to \(table.count)")
      }
      if row != table.first { options.row = row }
    }
    let (registry, outlet) = (registry, outlet)
    tasks.add { [options] reader in
      let (view, isNew) = registry.view(options)
      if isNew { reader.readView(view) }
      let rev = registry[view]?.newest.map { JSON.int($0.number) } ?? .null
      outlet.send(["id": request.id, "view": .string(view), "rev": rev], to: request.tab)
    }
    return nil
  }
}
