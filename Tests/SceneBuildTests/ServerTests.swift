// SPDX-License-Identifier: MIT
import Foundation
import SceneJSON
import SceneServer
import SceneTestSupport
import Testing

/// `scenec lsp` as an editor talks to it, through pipes.
@Suite("Language server") struct ServerTests {
  /// An editor without a screen.
  final class Editor {
    let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var reader = FrameReader()
    private var number = 0
    /// What the server said without being asked.
    private(set) var notices: [JSON] = []

    init(_ folder: Folder, _ options: [String] = []) throws {
      // A server that has ended is a fault of the test, not the end of all tests.
      signal(SIGPIPE, SIG_IGN)
      process.executableURL = URL(fileURLWithPath: Program.scenec)
      process.arguments = ["lsp", "--stdio"] + options
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      // What waits for an answer that never comes gets the end of the pipe.
      let process = self.process
      DispatchQueue.global().asyncAfter(deadline: .now() + 300) {
        if process.isRunning { process.terminate() }
      }
    }

    deinit { if process.isRunning { process.terminate() } }

    func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: bytes) }

    func notify(_ method: String, _ parameters: JSON) throws {
      try send(
        FrameReader.frame(
          JSON.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]).bytes))
    }

    /// The next message; `nil` when the server has closed its end.
    func next() -> JSON? {
      while true {
        if case .message(let body)? = reader.next() { return JSON(bytes: body) }
        let more = output.fileHandleForReading.availableData
        if more.isEmpty { return nil }
        reader.add(Array(more))
      }
    }

    func ask(_ method: String, _ parameters: JSON) throws -> JSON {
      number += 1
      let id = number
      try send(
        FrameReader.frame(
          JSON.object([
            "jsonrpc": "2.0", "id": .int(id), "method": .string(method), "params": parameters,
          ]).bytes))
      while let message = next() {
        if message["id"] == .int(id), message["method"].isNull { return message }
        notices.append(message)
      }
      return .null
    }

    func begin(_ folder: Folder) throws {
      let answer = try ask(
        "initialize",
        [
          "processId": .null, "rootUri": .string("file://" + folder.path),
          "capabilities": ["textDocument": ["hover": ["contentFormat": ["markdown"]]]],
        ])
      #expect(answer["result"]["capabilities"]["hoverProvider"] == true)
      try notify("initialized", .object([:]))
    }

    func open(_ uri: String, _ text: String, version: Int = 1) throws {
      try notify(
        "textDocument/didOpen",
        [
          "textDocument": [
            "uri": .string(uri), "languageId": "scene", "version": .int(version),
            "text": .string(text),
          ]
        ])
    }

    func change(_ uri: String, _ text: String, version: Int) throws {
      try notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .int(version)],
          "contentChanges": [["text": .string(text)]],
        ])
    }

    /// The diagnostics of a version of a text: code, line and column.
    func diagnostics(_ uri: String, version: Int) -> [String] {
      while let message = next() {
        notices.append(message)
        let parameters = message["params"]
        guard message["method"] == "textDocument/publishDiagnostics",
          parameters["uri"] == .string(uri),
          parameters["version"] == .int(version)
        else { continue }
        return parameters["diagnostics"].array.map { it in
          let start = it["range"]["start"]
          return
            "\(it["code"].string ?? "") \(start["line"].int ?? -1):\(start["character"].int ?? -1)"
        }
      }
      return ["nothing"]
    }

    func end() throws -> Int32 {
      #expect(try ask("shutdown", .null)["error"] == .null)
      try notify("exit", .null)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func place(_ uri: String, _ line: Int, _ character: Int) -> JSON {
    [
      "textDocument": ["uri": .string(uri)],
      "position": ["line": .int(line), "character": .int(character)],
    ]
  }

  /// Memory that a text needed and a later one does not is given back by a new process, of which the
  /// editor sees nothing.
  @Test func aServerThatHasGrownBeginsAnewWhileNobodyAsks() throws {
    let folder = try Folder()
    let (film, log) = ("file://\(folder.path)/film.scene", "\(folder.path)/lsp.log")
    let editor = try Editor(folder, ["--rest", "1", "--log", log])
    try editor.begin(folder)
    func text(_ count: Int) -> String {
      "scene {\n  for: 1s\n  for i in 0..\(count) { rect { size: 10x10; translate: (i, 0) } }\n}\n"
    }
    try editor.open(film, text(1))
    _ = editor.diagnostics(film, version: 1)
    func replaced() throws -> Int {
      try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: "and is replaced")
        .count - 1
    }
    Thread.sleep(forTimeInterval: 2)
    #expect(try replaced() == 0)
    try editor.change(film, text(40_000), version: 2)
    _ = editor.diagnostics(film, version: 2)
    #expect(eventually(seconds: 60) { (try? replaced()) == 1 })
    let answer = try editor.ask("textDocument/hover", place(film, 0, 2))
    #expect(answer["result"]["contents"]["value"].string?.contains("scene") == true)
    // The text needs as much again: that is no growth.
    Thread.sleep(forTimeInterval: 3)
    #expect(try replaced() == 1)
    #expect(try editor.end() == 0)
  }

  @Test func anEditorWritesAScene() throws {
    let folder = try Folder()
    try folder.write("brand.scene", "let accent = #ff8a3d\n")
    let (film, brand) = ("file://\(folder.path)/film.scene", "file://\(folder.path)/brand.scene")
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(
      film,
      "import \"brand.scene\"\nscene {\n    for: 2s\n    text \"😀\" { opacty: 1;  fill: accent }\n}\n"
    )
    #expect(editor.diagnostics(film, version: 1) == ["E0201 3:16"])
    let right =
      "import \"brand.scene\"\nscene {\n    for: 2s\n    text \"😀\" { opacity: 1;  fill: accent }\n}\n"
    try editor.change(film, right, version: 2)
    #expect(editor.diagnostics(film, version: 2) == [])
    let hover = try editor.ask("textDocument/hover", place(film, 3, 36))
    #expect(
      hover["result"]["contents"]["value"].string?.contains("let accent = #ff8a3d") == true,
      "\(hover)")
    // What is open counts, not what is saved.
    try editor.open(brand, "let acent = #ff8a3d\n")
    #expect(editor.diagnostics(film, version: 2) == ["E0203 3:35"])
    try editor.change(brand, "let accent = #00ff00\n", version: 2)
    #expect(editor.diagnostics(film, version: 2) == [])
    let renamed = try editor.ask(
      "textDocument/rename", JSON.object(["newName": "leaf"]).merging(place(film, 3, 36)))
    let changes = renamed["result"]["changes"]
    #expect(changes[film].array.count == 1 && changes[brand].array.count == 1, "\(renamed)")
    #expect(try editor.end() == 0)
  }

  /// Whatever ends the process that checks, the editor's goes on.
  @Test func theWorkerDies() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(film, "scene { for: 1s\n  circle { }\n}\n")
    #expect(editor.diagnostics(film, version: 1) == [])
    for version in 2..<5 {
      let workers = try Program.run(["/usr/bin/pgrep", "-P", "\(editor.process.processIdentifier)"])
      let worker = try #require(Int32(workers.output.split(separator: "\n").first ?? ""))
      kill(worker, SIGKILL)
      try editor.change(
        film, "scene { for: 1s\n  circle { radus: \(version) }\n}\n", version: version)
      #expect(editor.diagnostics(film, version: version) == ["E0201 1:11"])
      let answer = try editor.ask("textDocument/hover", place(film, 1, 3))
      #expect(!answer["result"].isNull, "\(answer)")
    }
    #expect(try editor.end() == 0)
  }

  /// Ids of parts are those of the SVG that is meant, and lead to its lines.
  @Test func partsOfAnSVG() throws {
    let folder = try Folder()
    let logo = """
      <svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
        <rect id="body" width="30" height="10" fill="red"/>
        <circle id="wheel" cx="30" cy="12" r="4"/>
      </svg>
      """
    _ = try folder.write("logo.svg", logo)
    _ = try folder.write("cloud.svg", logo.replacing("wheel", with: "rain"))
    let editor = try Editor(folder)
    try editor.begin(folder)
    let film = "file://\(folder.path)/film.scene"
    let text = """
      scene { for: 1s;  background: white
          svg logo "logo.svg" { part "body" { fill: gold };  each part { enter: fade } }
          svg "cloud.svg" { size: 400x200;  part "rain" { fill: blue } }
          circle { position: logo["wheel"].center }
          change of logo["wheel"] { fill: red }
      }
      """
    try editor.open(film, text)
    #expect(editor.diagnostics(film, version: 1).filter { $0.hasPrefix("E") } == [])
    let lines = text.split(separator: "\n")
    func place(of word: String, in line: Int) throws -> JSON {
      let range = try #require(lines[line].range(of: word))
      return self.place(
        film, line, lines[line].distance(from: lines[line].startIndex, to: range.lowerBound) + 1)
    }
    let rows = [
      ("body", 1, "logo", 1), ("rain", 2, "cloud", 2), ("wheel", 3, "logo", 2),
      ("wheel", 4, "logo", 2),
    ]
    for (word, line, file, target) in rows {
      let it = try editor.ask("textDocument/definition", try place(of: word, in: line))["result"]
      #expect(it["uri"].string?.hasSuffix("/\(file).svg") == true, "\(word) \(line): \(it)")
      #expect(it["range"]["start"]["line"] == .int(target), "\(word) \(line): \(it)")
      let offered = try editor.ask("textDocument/completion", try place(of: word, in: line))
      let list = offered["result"]["items"].array
      let labels = Set(list.compactMap { $0["label"].string })
      #expect(labels == ["body", file == "logo" ? "wheel" : "rain"], "\(word) \(line)")
    }
    let unit = try editor.ask("textDocument/definition", try place(of: "each part", in: 1))
    #expect(unit["result"].isNull)
    #expect(try editor.end() == 0)
  }

  @Test func whatIsNoMessage() throws {
    let folder = try Folder()
    let editor = try Editor(folder)
    #expect(try editor.ask("textDocument/hover", .null)["error"]["code"] == -32002)
    try editor.begin(folder)
    let broken = [
      "Content-Length: 3\r\n\r\n{]}", "Content-Length: x\r\n\r\n", "hello\r\n\r\n",
      "Content-Length: 2\r\n\r\n[]", "Content-Length: 4\r\n\r\nnull",
      "Content-Length: 14\r\n\r\n{\"id\": 1.5e300", String(repeating: "y", count: 20_000),
    ]
    for text in broken { try editor.send(Array(text.utf8)) }
    let deep = String(repeating: "[", count: 100_000)
    try editor.send(FrameReader.frame(Array("{\"method\":\"x\",\"params\":\(deep)}".utf8)))
    try editor.notify("textDocument/didChange", ["textDocument": ["uri": "file:///none"]])
    try editor.notify("$/unknown", .null)
    for method in ["textDocument/hover", "nonsense", "$/other", "textDocument/rename"] {
      let answer = try editor.ask(method, ["textDocument": 3])
      #expect(!answer["error"].isNull, "\(method)")
    }
    #expect(try editor.ask("initialize", .object([:]))["error"]["code"] == -32600)
    #expect(try editor.end() == 0)
  }

  /// Random edits and requests: each request is answered once, and the end is orderly.
  @Test func aStorm() throws {
    let folder = try Folder()
    let editor = try Editor(folder)
    try editor.begin(folder)
    let film = "file://\(folder.path)/film.scene"
    let text = try Repository.text("Examples/lower-third/scene.scene")
    try editor.open(film, text)
    var generator = Generator(seed: 77)
    let methods = [
      "completion", "hover", "signatureHelp", "definition", "references", "documentHighlight",
      "prepareRename", "documentSymbol", "foldingRange", "semanticTokens/full", "documentColor",
      "documentLink", "inlayHint", "formatting", "codeAction", "selectionRange", "nonsense",
    ]
    let words = [
      "{", "}", "(", "\"", "rect ", "fill: ", "1s", "\n", "a.", "😀", "//", "with ", "-> ",
    ]
    var version = 1
    let lines = text.split(separator: "\n").count
    func position() -> JSON {
      [
        "line": .int(Int.random(in: 0...lines + 2, using: &generator)),
        "character": .int(Int.random(in: 0...60, using: &generator)),
      ]
    }
    for _ in 0..<1500 {
      if Int.random(in: 0..<3, using: &generator) == 0 {
        version += 1
        let word = words.randomElement(using: &generator) ?? ""
        let change: JSON =
          version % 40 == 0
          ? ["text": .string(text)]
          : ["range": ["start": position(), "end": position()], "text": .string(word)]
        try editor.notify(
          "textDocument/didChange",
          [
            "textDocument": ["uri": .string(film), "version": .int(version)],
            "contentChanges": [change],
          ])
      } else {
        let method = methods.randomElement(using: &generator) ?? ""
        let range: JSON = ["start": position(), "end": position()]
        let answer = try editor.ask(
          "textDocument/" + method,
          [
            "textDocument": ["uri": .string(film)], "position": position(), "range": range,
            "positions": [position()], "context": ["diagnostics": []], "options": .object([:]),
          ])
        #expect(!answer.isNull, "\(method)")
      }
    }
    #expect(try editor.end() == 0)
    #expect(!editor.notices.contains { $0["method"] == "window/showMessage" })
  }
}

extension JSON {
  /// With the members of another object.
  fileprivate func merging(_ other: JSON) -> JSON {
    guard case .object(let a) = self, case .object(let b) = other else { return self }
    return .object(a.merging(b) { own, _ in own })
  }
}
