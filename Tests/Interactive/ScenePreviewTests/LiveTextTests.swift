// SPDX-License-Identifier: MIT
import CLinux
import CProcess
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
    let part = FileURI.resolved(folder.path + "/part.scene")
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
}
