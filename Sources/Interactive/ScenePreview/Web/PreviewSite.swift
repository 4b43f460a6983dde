// SPDX-License-Identifier: MIT
import SceneDigest
import SceneFiles
import SceneGraphics
import SceneJSON
import SceneModel
import ScenePage
import SceneRaster
import SceneSystem
import SceneWeb

/// The request handlers of the server: the page, its files, frames, and messages from tabs.
///
/// All methods are called on the network thread, which never renders or reads scene files.
final class PreviewSite: WebSite {
  let gate: Gate
  let facts: PreviewFacts
  let registry: ViewRegistry
  let pool: RenderPool
  let tasks: ReaderTasks
  let outlet: Outlet
  let desk: SoundDesk
  let exports: Exports
  let clock: any TimeSource

  init(
    gate: Gate, facts: PreviewFacts, registry: ViewRegistry, pool: RenderPool, tasks: ReaderTasks,
    outlet: Outlet, desk: SoundDesk, exports: Exports, clock: any TimeSource
  ) {
    self.clock = clock
    self.desk = desk
    self.exports = exports
    self.gate = gate
    self.facts = facts
    self.registry = registry
    self.pool = pool
    self.tasks = tasks
    self.outlet = outlet
  }

  /// A digest of the page's files. Builds with equal files are interchangeable.
  static let build: String = {
    let all = ScenePage.files.sorted { $0.key < $1.key }.flatMap { name, file -> [UInt8] in
      Array(name.utf8) + [0] + SHA256(of: file.bytes).bytes
    }
    return String(SHA256(of: all).number, radix: 16)
  }()

  static var subprotocol: String { "scenec." + build }

  /// The files of the page as served. References contain the build identifier, so browsers can
  /// cache them. The index lists all modules to be loaded in parallel.
  private static let sent: [String: [UInt8]] = {
    let modules = ScenePage.files.keys.filter { $0.hasSuffix(".js") }.sorted()
    let links = modules.map { "<link rel=\"modulepreload\" href=\"ui/\($0)?b=\(build)\">" }
    return ScenePage.files.mapValues(\.bytes).merging(
      (modules + [ScenePage.index]).map { name in
        let text = String(decoding: ScenePage.files[name]?.bytes ?? [], as: UTF8.self)
          .replacing("{{build}}", with: build)
          .replacing("{{modules}}", with: links.joined(separator: "\n"))
        let own = name == ScenePage.index ? text : text.replacing(".js';", with: ".js?b=\(build)';")
        return (name, Array(own.utf8))
      }
    ) { $1 }
  }()

  // MARK: Requests

  func decide(_ request: WebRequest, from client: WebClient) -> WebDecision {
    switch gate.way(of: request) {
    case .refused(let status): return .answer(WebResponse(status, gate.fields()))
    case .socket: return .openSocket
    case .page:
      return .answer(file(ScenePage.index, request, caching: "no-store"))
    case .file(let name):
      guard name != ScenePage.index, ScenePage.files[name] != nil else {
        return .answer(WebResponse(404, gate.fields()))
      }
      let isKnown = request.arguments["b"] == PreviewSite.build
      return .answer(
        file(name, request, caching: isKnown ? "max-age=31536000, immutable" : "no-cache"))
    case .still: return still(request, client)
    case .sound: return sound(request, client)
    case .video: return video(request, client)
    case .track: return track(request)
    }
  }

  private func file(_ name: String, _ request: WebRequest, caching: String) -> WebResponse {
    let fields =
      gate.fields(caching: caching) + [
        ("content-type", ScenePage.files[name]?.type ?? ""), ("vary", "accept-encoding"),
      ]
    guard request.takesGZIP, let packed = PreviewSite.packed[name] else {
      return WebResponse(200, fields, body: PreviewSite.sent[name] ?? [])
    }
    return WebResponse(200, fields + [("content-encoding", "gzip")], body: packed)
  }

  /// The files compressed with gzip, to about a quarter of their size.
  static let packed = sent.compactMapValues(gzip)

  /// The response for a revision that no longer exists. A page may request one before it learns of
  /// the next, so this is not an error, which browsers would report in the console.
  var gone: WebDecision { .answer(WebResponse(204, gate.fields())) }

  private func still(_ request: WebRequest, _ client: WebClient) -> WebDecision {
    guard let view = request.arguments["view"],
      let rev = request.arguments["rev"].flatMap({ Int($0) }),
      let frame = request.arguments["n"].flatMap({ Int($0) }), rev >= 0, frame >= 0
    else { return .answer(WebResponse(404, gate.fields())) }
    guard let revision = registry.revision(view, rev) else { return gone }
    guard frame < revision.model.frameCount else {
      return .answer(WebResponse(404, gate.fields()))
    }
    let (fields, outlet) = (gate.fields(), outlet)
    pool.add { drawer in
      let response: WebResponse
      do throws(DrawingError) {
        let png = try drawer.still(revision, frame: frame)
        response = WebResponse(200, fields + [("content-type", "image/png")], body: png)
      } catch { response = WebResponse(error == .givenUp ? 504 : 404, fields) }
      outlet.answer(client, response)
    }
    return .later
  }

  // MARK: Sockets

  func opened(_ tab: WebClient) {
    outlet.asOne {
      outlet.open(tab)
      outlet.event("hello", facts.hello(PreviewSite.build), to: tab)
      guard let main = registry[ViewRegistry.first] else { return }
      if let newest = main.newest {
        outlet.event("rev", newest.event("save", [:]), to: tab)
        newest.tellProblems(outlet, to: tab)
      }
      if let errors = main.errors {
        outlet.event(
          "broken", ["view": .string(ViewRegistry.first), "list": .array(errors.map(\.answer))],
          to: tab)
      }
    }
    tasks.add { $0.tellHistory() }
  }

  func closed(_ client: WebClient) {
    guard outlet.tabs.contains(client) else { return }
    outlet.close(client)
    pool.forget(client)
    for (name, view) in registry.views where view.owner == client { registry.drop(name) }
  }

  func drained(_ client: WebClient) { pool.goOn() }

  func received(_ message: [UInt8], from tab: WebClient) {
    guard let request = JSON(bytes: message), request["id"].int != nil,
      let name = request["do"].string
    else { return outlet.send(["error": "message"], to: tab) }
    if let refusal = answer(name, Request(request, tab)) {
      outlet.send(.object(refusal.answer.merging(["id": request["id"]]) { $1 }), to: tab)
    }
  }

  /// Handles a message. Returns `nil` if the response has been sent or will follow.
  private func answer(_ name: String, _ request: Request) -> Refusal? {
    switch name {
    case "view": openView(request)
    case "scene": scene(request)
    case "frame": frame(request)
    case "element": element(request, valuesOnly: false)
    case "values": element(request, valuesOnly: true)
    case "handles": handles(request)
    case "graph": graph(request)
    case "boxes": boxes(request)
    case "hit": hit(request)
    case "source": source(request)
    case "explain": explain(request)
    case "peaks": peaks(request)
    case "export": export(request)
    case "stop": stop(request)
    case "open": open(request)
    case "playhead": playhead(request)
    case "try":
      change(request, newestOnly: true) { reader throws(Refusal) in try reader.attempt(request) }
    case "edit": change(request) { reader throws(Refusal) in try reader.edit(request) }
    case "fix": change(request) { reader throws(Refusal) in try reader.fix(request) }
    case "copy": change(request) { reader throws(Refusal) in try reader.copy(request) }
    case "images": change(request) { reader throws(Refusal) in reader.listImages() }
    case "undo": change(request) { reader throws(Refusal) in try reader.step(back: true) }
    case "redo": change(request) { reader throws(Refusal) in try reader.step(back: false) }
    default: Refusal("unknown", "unknown request '\(name)'")
    }
  }
}

/// A request from a tab.
struct Request: Sendable {
  let json: JSON
  let tab: WebClient

  init(_ json: JSON, _ tab: WebClient) {
    self.json = json
    self.tab = tab
  }

  subscript(_ name: String) -> JSON { json[name] }

  var id: JSON { json["id"] }
}

/// The reason why a request was rejected: a code for the page and a sentence for people.
struct Refusal: Error {
  let word: String
  let reason: String

  init(_ word: String, _ reason: String = "") {
    self.word = word
    self.reason = reason
  }

  static let gone = Refusal("gone")

  var answer: [String: JSON] { ["error": .string(word), "reason": .string(reason)] }
}

/// The constant properties of a running server.
struct PreviewFacts: Sendable {
  /// The path as given on the command line.
  let path: String
  let isReadOnly: Bool
  /// The command that opens an editor, with its arguments.
  let editor: [String]?
  /// The editor that started the preview.
  let link: EditorLink?
  let table: RowTable?

  func hello(_ build: String) -> [String: JSON] {
    let folder = SceneFile.folder(of: path)
    return [
      "build": .string(build), "file": .string(path), "readOnly": .bool(isReadOnly),
      "editor": .bool(editor != nil || link != nil), "live": .bool(link != nil),
      "dir": .string(Files.resolved(folder) ?? folder),
      "folder": .string(Files.resolved(folder) ?? folder), "push": true,
    ]
  }
}
