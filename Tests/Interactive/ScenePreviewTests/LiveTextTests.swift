// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import Foundation
import SceneFiles
import SceneJSON
import ScenePreview
import SceneServer
import SceneSession
import SceneSystem
import SceneTestSupport
import SceneText
import Testing

/// The texts of an editor in the preview, saved or not.
@Suite("Live texts", .cpuBudget(seconds: 1)) struct LiveTextTests {
  /// The end of a connection that belongs to the editor.
  private final class Editor {
    let link: EditorLink
    private let ends = scene_socket_pair()
    private var version = 0
    private var reader = FrameReader()

    init() { link = EditorLink(socket: ends.other) }

    deinit {
      hangUp()
      _ = eventually { link.isEnded }
      CLinux.close(ends.own)
      CLinux.close(ends.other)
    }

    func show(_ text: String, of path: String) {
      version += 1
      tell("live/text", ["path": .string(path), "version": .int(version), "text": .string(text)])
    }

    func close(_ path: String) { tell("live/close", ["path": .string(path)]) }

    func hangUp() { scene_shut(ends.own) }

    /// Waits for an edit of the preview.
    func nextEdit() -> JSON? {
      while true {
        if case .message(let body)? = reader.next() {
          guard let message = JSON(bytes: body), message["method"] == "live/edit" else { continue }
          return message["params"]
        }
        guard Files.hasInput([ends.own], within: 120_000),
          let bytes = Files.next(ends.own, upTo: 1 << 16), !bytes.isEmpty
        else { return nil }
        reader.add(bytes)
      }
    }

    func answer(_ edit: JSON, isApplied: Bool) {
      tell(
        "live/edited",
        ["edit": edit["edit"], "applied": .bool(isApplied), "reason": "the editor is closing"])
    }

    /// Waits for an edit of the preview and answers it. Returns its first document.
    func answerEdit(isApplied: Bool) -> JSON? {
      guard let edit = nextEdit() else { return nil }
      answer(edit, isApplied: isApplied)
      return edit["documents"][0]
    }

    private func tell(_ method: String, _ said: JSON) {
      let message: JSON = ["jsonrpc": "2.0", "method": .string(method), "params": said]
      #expect(Files.write(ends.own, FrameReader.frame(message.bytes)) == 0)
    }
  }

  private static func scene(_ width: Int) -> String { "scene { size: \(width)x36; for: 1s }\n" }

  @Test func aClosedTextWithoutAFileIsGone() throws {
    let folder = try Folder()
    let path = try folder.write("a.scene", Self.scene(64))
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link)
    let tab = try server.tab()
    editor.show(Self.scene(32), of: path)
    #expect(tab.event("rev")?["cause"] == "edit")
    #expect(Files.remove(path))
    // The preview reads this text when the file is already missing. A removal during the search for
    // warnings may also cause a revision.
    editor.show(Self.scene(40), of: path)
    #expect(tab.text { $0["event"] == "rev" && $0["cause"] == "edit" } != nil)
    editor.close(path)
    #expect(tab.event("broken") != nil)
    // The same text is shown again.
    editor.show(Self.scene(40), of: path)
    #expect(tab.event("rev")?["cause"] == "edit")
    editor.hangUp()
  }

  @Test func anUnsavedImportIsFound() throws {
    let folder = try Folder()
    let path = try folder.write(
      "a.scene", "import \"part.scene\"\nscene { size: 64x36; for: 1s;  rect { size: side } }\n")
    let part = Files.resolvingFolders(of: folder.path + "/part.scene")
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link)
    let client = try RawClient(port: server.port)
    #expect(client.openSocket(server.port, server.token))
    #expect(client.event("broken") != nil)
    editor.show("let side = 8\n", of: part)
    #expect(client.event("rev")?["cause"] == "edit")
    editor.close(part)
    #expect(client.event("broken") != nil)
    editor.show("let side = 8\n", of: part)
    #expect(client.event("rev")?["cause"] == "edit")
    editor.hangUp()
  }

  /// An editor may open a file by its path without links.
  @Test(arguments: [true, false]) func anImportThroughALinkedFolderIsLive(_ isSaved: Bool) throws {
    let folder = try Folder()
    let path = try folder.write(
      "a.scene",
      "import \"parts/part.scene\"\nscene { size: 64x36; for: 1s; rect { size: side } }\n")
    try folder.write(isSaved ? "real/part.scene" : "real/other.scene", "let side = 4\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/parts", withDestinationPath: "real")
    let part = Files.resolvingFolders(of: folder.path + "/real/part.scene")
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link)
    let client = try RawClient(port: server.port)
    #expect(client.openSocket(server.port, server.token))
    #expect(client.event(isSaved ? "rev" : "broken") != nil)
    editor.show("let side = 8\n", of: part)
    #expect(client.event("rev")?["cause"] == "edit")
    editor.show("let side = word\n", of: part)
    #expect(client.event("broken") != nil)
    editor.hangUp()
  }

  @Test func aRestoredFileIsShownAgain() throws {
    let server = try TestPreview(Self.scene(64))
    let tab = try server.tab()
    #expect(Files.remove(server.path))
    #expect(tab.event("broken") != nil)
    try server.write(Self.scene(64))
    #expect(tab.event("rev") != nil)
  }

  /// While the preview checks a text, newer texts replace each other.
  @Test func onlyTheNewestTextIsChecked() throws {
    /// The texts that were checked, and whether the preview may continue.
    struct Progress {
      var read: [[UInt8]] = []
      var isOpen = false
    }
    let progress = Monitor(Progress())
    var report = Preview.Report()
    report.read = { scene, _ in
      progress.update { $0.read.append(scene.source.bytes) }
      progress.wait { $0.isOpen ? () : nil }
    }
    let folder = try Folder()
    let path = try folder.write("a.scene", Self.scene(64))
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link, report: report)
    defer { progress.update { $0.isOpen = true } }
    progress.wait { $0.read.isEmpty ? nil : () }
    for width in 1...20 {
      editor.show(Self.scene(64 + width), of: path)
      if width == 10 { editor.close(path) }
    }
    editor.hangUp()
    #expect(eventually { editor.link.isEnded })
    progress.update { $0.isOpen = true }
    let last = Array(Self.scene(84).utf8)
    progress.wait { $0.read.last == last ? () : nil }
    #expect(progress.update(\.read.count) == 2)
    withExtendedLifetime(server) {}
  }

  /// Requests that a page writes `#f00` into the rectangle.
  private func writeRed(_ tab: RawClient, id: Int) throws {
    tab.ask(["id": 900, "do": "scene", "view": "main"])
    let scene = try #require(tab.answer(900))
    tab.ask(["id": 901, "do": "element", "view": "main", "key": "scene/rect", "n": 0])
    let element = try #require(tab.answer(901))
    let fill = element["properties"].array.first { $0["name"].string == "fill" }
    let leaf = try #require(fill)["leaves"][0]
    tab.ask([
      "id": .int(id), "do": "edit", "view": "main", "label": "red",
      "changes": [
        [
          "file": leaf["span"]["file"], "hash": scene["files"][0]["hash"],
          "start": leaf["span"]["start"], "end": leaf["span"]["end"], "old": leaf["text"],
          "value": ["color": [1, 0, 0, 1]],
        ]
      ],
    ])
  }

  @Test func anEditThatTheEditorRefusesFails() throws {
    let folder = try Folder()
    let text = "scene { size: 64x36; for: 1s; rect { size: 8; fill: #00f } }\n"
    let path = try folder.write("a.scene", text)
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link)
    let tab = try server.tab()
    editor.show("\n" + text, of: path)
    #expect(tab.event("rev")?["cause"] == "edit")
    try writeRed(tab, id: 1)
    #expect(editor.answerEdit(isApplied: false)?["edits"][0]["text"] == "f00")
    let refused = tab.answer(1)
    #expect(refused?["error"] == "refused" && refused?["reason"] == "the editor is closing")
    tab.ask(["id": 2, "do": "undo"])
    #expect(tab.answer(2)?["reason"] == "nothing to undo")
    try writeRed(tab, id: 3)
    #expect(editor.answerEdit(isApplied: true)?["version"] == 1)
    // The change counts as done when the preview shows it.
    editor.show("\n" + text.replacing("#00f", with: "#f00"), of: path)
    #expect(tab.event("rev")?["cause"] == "edit")
    #expect(tab.answer(3)?["error"] == .null)
    // A refused step can be repeated.
    tab.ask(["id": 4, "do": "undo"])
    #expect(editor.answerEdit(isApplied: false) != nil)
    #expect(tab.answer(4)?["error"] == "refused")
    tab.ask(["id": 5, "do": "undo"])
    #expect(editor.answerEdit(isApplied: true)?["edits"][0]["text"] == "00f")
    editor.show("\n" + text, of: path)
    #expect(tab.event("rev")?["cause"] == "undo")
    #expect(tab.answer(5)?["label"] == "red")
    // The file is never written.
    #expect(try SceneFile.read(path) == Array(text.utf8))
    editor.hangUp()
    #expect(eventually { editor.link.isEnded })
    try writeRed(tab, id: 6)
    #expect(tab.answer(6)?["reason"] == "the editor has closed the preview")
  }

  // MARK: Several files

  private static let film =
    "import \"part.scene\"\nscene { size: 64x36; for: 1s; rect { size: side; fill: #00f } }\n"
  private static let part = "let side = 8\n"
  private static let newFilm = film.replacing("#00f", with: "#f00")
  private static let newPart = part.replacing("8", with: "9")

  /// Requests that a page changes the color in `film` and the number in the imported text at once.
  private func changeBoth(_ tab: RawClient, id: Int, importing part: String) throws {
    tab.ask(["id": 900, "do": "scene", "view": "main"])
    let files = try #require(tab.answer(900))["files"].array
    func change(_ old: String, in text: String, of name: String, to value: JSON) throws -> JSON {
      let file = files.firstIndex { $0["path"].string?.hasSuffix(name) == true }
      let number = try #require(file)
      let place = try #require(Array(text.utf8).firstRange(of: Array(old.utf8)))
      return [
        "file": .int(number), "hash": files[number]["hash"], "start": .int(place.lowerBound),
        "end": .int(place.upperBound), "old": .string(old), "value": value,
      ]
    }
    let color = try change(
      "#00f", in: "\n" + Self.film, of: "/a.scene", to: ["color": [1, 0, 0, 1]])
    let side = try change("8", in: part, of: "/part.scene", to: ["number": 9])
    tab.ask([
      "id": .int(id), "do": "edit", "view": "main", "label": "both", "changes": [color, side],
    ])
  }

  /// The editor receives one request for all documents, and one for their undo.
  @Test func anEditOfSeveralDocumentsIsOneStep() throws {
    let folder = try Folder()
    let path = try folder.write("a.scene", Self.film)
    let part = Files.resolvingFolders(of: try folder.write("part.scene", Self.part))
    let editor = Editor()
    let server = try TestPreview(at: path, in: folder, link: editor.link)
    let tab = try server.tab()
    editor.show("\n" + Self.film, of: path)
    #expect(tab.event("rev")?["cause"] == "edit")
    editor.show("\n" + Self.part, of: part)
    #expect(tab.event("rev")?["cause"] == "edit")
    try changeBoth(tab, id: 1, importing: "\n" + Self.part)
    let edit = try #require(editor.nextEdit())
    #expect(Set(edit["documents"].array.compactMap { $0["path"].string }) == [path, part])
    editor.answer(edit, isApplied: true)
    editor.show("\n" + Self.newFilm, of: path)
    editor.show("\n" + Self.newPart, of: part)
    #expect(tab.answer(1)?["error"] == .null)
    tab.ask(["id": 2, "do": "undo"])
    let undo = try #require(editor.nextEdit())
    #expect(undo["documents"].array.count == 2)
    editor.answer(undo, isApplied: true)
    editor.show("\n" + Self.film, of: path)
    editor.show("\n" + Self.part, of: part)
    #expect(tab.answer(2)?["label"] == "both")
    tab.ask(["id": 3, "do": "undo"])
    #expect(tab.answer(3)?["reason"] == "nothing to undo")
    #expect(try SceneFile.read(path) == Array(Self.film.utf8))
    #expect(try SceneFile.read(part) == Array(Self.part.utf8))
    editor.hangUp()
  }
}
