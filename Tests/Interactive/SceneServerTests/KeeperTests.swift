// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneJSON
import SceneServer
import SceneSystem
import SceneTestSupport
import Testing

/// The process between an editor and the previews, with sockets in place of programs.
@Suite("Keeper", .cpuBudget(seconds: 1)) struct KeeperTests {
  /// A connection that sends and receives messages.
  private final class Peer {
    private let socket: Int32
    private var reader = FrameReader()

    init(_ socket: Int32) { self.socket = socket }

    func tell(_ method: String, _ parameters: JSON, id: JSON = .null) {
      var message: [String: JSON] = [
        "jsonrpc": "2.0", "method": .string(method), "params": parameters,
      ]
      if !id.isNull { message["id"] = id }
      #expect(Files.write(socket, FrameReader.frame(JSON.object(message).bytes)) == 0)
    }

    /// Returns the next message; `nil` if none arrives within two minutes.
    func next() -> JSON? {
      while true {
        if case .message(let body)? = reader.next() { return JSON(bytes: body) }
        guard Files.hasInput([socket], within: 120_000),
          let bytes = Files.next(socket, upTo: 1 << 16), !bytes.isEmpty
        else { return nil }
        reader.add(bytes)
      }
    }

    /// Returns the next notification or request with this method, and skips other messages; `nil` if
    /// none arrives.
    func nextMessage(_ method: String) -> JSON? {
      while let message = next() {
        if message["method"].string == method { return message }
      }
      return nil
    }

    /// Returns the parameters of the next notification or request with this method.
    func next(_ method: String) -> JSON? { nextMessage(method)?["params"] }

    func answer(_ request: JSON, _ result: JSON) {
      let message: JSON = ["jsonrpc": "2.0", "id": request["id"], "result": result]
      #expect(Files.write(socket, FrameReader.frame(message.bytes)) == 0)
    }
  }

  /// A program that does nothing.
  private final class Idle: KeptProcess {
    let number: Int32 = 1
    let seconds = 0.0
    let memory = 0

    func signal(_ number: Int32) {}

    func waitForEnd() -> Int32 { 0 }
  }

  /// The streams of the editor, and the other ends of the programs that the keeper starts.
  private final class World: KeeperWorld, Sendable {
    let input: Int32
    var output: Int32 { input }
    let editor: Int32
    private let programs = Monitor<[(words: [String], socket: Int32)]>([])

    init() {
      let ends = scene_socket_pair()
      (editor, input) = (ends.own, ends.other)
    }

    deinit {
      for socket in [editor, input] + programs.update({ $0.map(\.socket) }) { close(socket) }
    }

    func start(_ words: [String]) -> (socket: Int32, process: any KeptProcess)? {
      let ends = scene_socket_pair()
      programs.update { $0.append((words, ends.other)) }
      return (ends.own, Idle())
    }

    /// Waits until the keeper starts a preview.
    func preview() -> Int32 {
      programs.wait { $0.first { $0.words.contains("--live") }?.socket }
    }
  }

  private static let uri = JSON.string("file:///films/a.scene")
  private static let text = "scene { for: 1s }\n"

  private let world = World()
  private let editor: Peer

  init() { editor = Peer(world.editor) }

  /// Starts a keeper with an open scene, and returns its preview.
  private func begin(takesVersions: Bool = true) -> (keeper: WorkerThread?, preview: Peer) {
    let keeper = WorkerThread { [world] in
      let keeper = Keeper("scenec", [], version: "test", reports: nil, world: world)
      _ = keeper.run()
    }
    editor.tell(
      "initialize",
      [
        "capabilities": [
          "workspace": [
            "applyEdit": true, "workspaceEdit": ["documentChanges": .bool(takesVersions)],
          ]
        ]
      ], id: 1)
    editor.tell("initialized", .object([:]))
    open()
    editor.tell(
      "workspace/executeCommand",
      ["command": "scenec.openPreview", "arguments": [["uri": Self.uri]]], id: 2)
    return (keeper, Peer(world.preview()))
  }

  private func open(_ uri: JSON = KeeperTests.uri) {
    editor.tell(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": uri, "languageId": "scene", "version": 1, "text": .string(Self.text),
        ]
      ])
  }

  /// Requests the insertion of a text at the start of a version.
  private func insert(_ text: String, in version: JSON?, by preview: Peer) {
    preview.tell(
      "live/edit",
      ["edit": .string(text), "documents": [insertion(text, in: version, of: "/films/a.scene")]])
  }

  private func insertion(_ text: String, in version: JSON?, of path: String) -> JSON {
    [
      "path": .string(path), "version": version ?? .null,
      "edits": [["start": 0, "end": 0, "text": .string(text)]],
    ]
  }

  /// Returns the text that the next edit of the editor inserts, and answers the edit.
  private func inserted(answering result: JSON = ["applied": true]) -> JSON? {
    guard let request = editor.nextMessage("workspace/applyEdit") else { return nil }
    editor.answer(request, result)
    return request["params"]["edit"]["documentChanges"][0]["edits"][0]["newText"]
  }

  private func end(_ keeper: WorkerThread?) {
    editor.tell("exit", .null)
    keeper?.join()
  }

  /// The version of the document is 1 each time it is opened.
  @Test func anEditOfAClosedTextIsRefused() throws {
    let (keeper, preview) = begin()
    let first = preview.next("live/text")?["version"]
    editor.tell("textDocument/didClose", ["textDocument": ["uri": Self.uri]])
    #expect(preview.next("live/close")?["path"] == "/films/a.scene")
    open()
    let second = preview.next("live/text")?["version"]
    #expect(first != second)
    insert("// late\n", in: first, by: preview)
    insert("// new\n", in: second, by: preview)
    #expect(inserted() == "// new\n")
    let late = preview.next("live/edited")
    #expect(late?["edit"] == "// late\n" && late?["applied"] == false && late?["changed"] == true)
    #expect(late?["reason"] == "'/films/a.scene' has changed in the editor")
    let new = preview.next("live/edited")
    #expect(new?["edit"] == "// new\n" && new?["applied"] == true)
    end(keeper)
  }

  @Test func anEditThatTheEditorRefusesIsReported() throws {
    let (keeper, preview) = begin()
    let version = preview.next("live/text")?["version"]
    insert("// a\n", in: version, by: preview)
    insert("// b\n", in: version, by: preview)
    #expect(inserted(answering: ["applied": false, "failureReason": "read-only"]) == "// a\n")
    #expect(inserted(answering: ["applied": false]) == "// b\n")
    #expect(
      preview.next("live/edited")?["reason"] == "the editor refused the change: read-only")
    let other = preview.next("live/edited")
    #expect(other?["edit"] == "// b\n" && other?["reason"] == "the editor refused the change")
    end(keeper)
  }

  @Test func aSaveKeepsTheVersionOfAText() throws {
    let (keeper, preview) = begin()
    let first = preview.next("live/text")?["version"]
    for text: JSON in [.null, .string(Self.text)] {
      var save: [String: JSON] = ["textDocument": ["uri": Self.uri]]
      if !text.isNull { save["text"] = text }
      editor.tell("textDocument/didSave", .object(save))
    }
    editor.tell(
      "scenec/cursor",
      ["textDocument": ["uri": Self.uri], "position": ["line": 0, "character": 3]])
    // The saves send no text.
    #expect(preview.next()?["method"] == "live/cursor")
    insert("// saved\n", in: first, by: preview)
    #expect(inserted() == "// saved\n")
    // The saved text differs from the text of the keeper.
    editor.tell(
      "textDocument/didSave",
      ["textDocument": ["uri": Self.uri], "text": .string("// other\n" + Self.text)])
    let second = preview.next("live/text")
    #expect(second?["text"].string == "// other\n" + Self.text)
    insert("// late\n", in: first, by: preview)
    insert("// new\n", in: second?["version"], by: preview)
    #expect(inserted() == "// new\n")
    end(keeper)
  }

  /// The editor receives one edit of all documents, in the form that it supports.
  @Test(arguments: [true, false])
  func anEditOfSeveralDocumentsIsOneRequest(_ takesVersions: Bool) throws {
    let (keeper, preview) = begin(takesVersions: takesVersions)
    let first = preview.next("live/text")?["version"]
    open("file:///films/b.scene")
    let second = preview.next("live/text")?["version"]
    preview.tell(
      "live/edit",
      [
        "edit": 7,
        "documents": [
          insertion("// a\n", in: first, of: "/films/a.scene"),
          insertion("// b\n", in: second, of: "/films/b.scene"),
        ],
      ])
    let request = try #require(editor.nextMessage("workspace/applyEdit"))
    editor.answer(request, ["applied": true])
    let edit = request["params"]["edit"]
    if takesVersions {
      let changes = edit["documentChanges"].array
      #expect(changes.map { $0["textDocument"]["uri"] } == [Self.uri, "file:///films/b.scene"])
      #expect(changes.map { $0["textDocument"]["version"] } == [1, 1])
      #expect(changes.map { $0["edits"][0]["newText"] } == ["// a\n", "// b\n"])
    } else {
      #expect(edit["documentChanges"].isNull)
      #expect(edit["changes"]["file:///films/a.scene"][0]["newText"] == "// a\n")
      #expect(edit["changes"]["file:///films/b.scene"][0]["newText"] == "// b\n")
    }
    let answer = preview.next("live/edited")
    #expect(answer?["edit"] == 7 && answer?["applied"] == true)
    end(keeper)
  }
}
