// SPDX-License-Identifier: MIT
import Foundation
import SceneJSON
import SceneServer
import SceneTestSupport
import Testing

/// The command `scenec lsp`, connected through pipes as by an editor.
@Suite("Language server", .cpuBudget(seconds: 6)) struct ServerTests {
  /// A headless editor.
  final class Editor {
    let process: RunningProgram
    private let input = Pipe()
    private let output = Pipe()
    private var reader = FrameReader()
    private var number = 0
    /// The notifications received so far.
    private(set) var notices: [JSON] = []

    init(_ folder: Folder, _ options: [String] = []) throws {
      // A server that has exited fails this test without ending the test process.
      signal(SIGPIPE, SIG_IGN)
      process = try RunningProgram(
        // The cache is enabled, since library files are written there for editors.
        ["/usr/bin/env", "-u", "SCENEC_CACHE", Program.scenec, "lsp", "--stdio"] + options,
        in: folder.path,
        input: input.fileHandleForReading.fileDescriptor,
        output: output.fileHandleForWriting.fileDescriptor)
      try input.fileHandleForReading.close()
      try output.fileHandleForWriting.close()
    }

    func send(_ bytes: [UInt8]) throws { try input.fileHandleForWriting.write(contentsOf: bytes) }

    func notify(_ method: String, _ parameters: JSON) throws {
      try send(
        FrameReader.frame(
          JSON.object(["jsonrpc": "2.0", "method": .string(method), "params": parameters]).bytes))
    }

    /// Returns the next message; `nil` if the server has closed the connection or sends nothing for
    /// minutes.
    func next() -> JSON? {
      while true {
        if case .message(let body)? = reader.next() { return JSON(bytes: body) }
        let handle = output.fileHandleForReading
        var wait = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wait, 1, 240_000) == 1 else { return nil }
        let more = handle.availableData
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

    func begin(
      _ folder: Folder, below: String = "",
      _ abilities: JSON = ["textDocument": ["hover": ["contentFormat": ["markdown"]]]]
    ) throws {
      let answer = try ask(
        "initialize",
        [
          "processId": .null, "rootUri": .string("file://" + folder.path + below),
          "capabilities": abilities,
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

    /// Returns the diagnostics of a version of a text as code, line and column.
    func diagnostics(_ uri: String, version: Int) -> [String] {
      published(uri, version: version)?.map { it in
        let start = it["range"]["start"]
        return
          "\(it["code"].string ?? "") \(start["line"].int ?? -1):\(start["character"].int ?? -1)"
      } ?? ["nothing"]
    }

    /// Returns the messages of the diagnostics of a version of a text, one per line.
    func messages(_ uri: String, version: Int) -> String {
      published(uri, version: version)?.map { $0["message"].string ?? "" }
        .joined(separator: "\n") ?? "nothing"
    }

    private func published(_ uri: String, version: Int) -> [JSON]? {
      while let message = next() {
        notices.append(message)
        let parameters = message["params"]
        guard message["method"] == "textDocument/publishDiagnostics",
          parameters["uri"] == .string(uri),
          parameters["version"] == .int(version)
        else { continue }
        return parameters["diagnostics"].array
      }
      return nil
    }

    /// Waits until the diagnostics of a version contain the given one. Earlier diagnostics may be
    /// withdrawn before a check is complete.
    func reports(_ diagnostic: String, _ uri: String, version: Int) -> Bool {
      while true {
        let found = diagnostics(uri, version: version)
        if found.contains(diagnostic) { return true }
        if found == ["nothing"] { return false }
      }
    }

    func end() throws -> Int32 {
      #expect(try ask("shutdown", .null)["error"] == .null)
      try notify("exit", .null)
      return process.wait().status
    }
  }

  private func place(_ uri: String, _ line: Int, _ character: Int) -> JSON {
    [
      "textDocument": ["uri": .string(uri)],
      "position": ["line": .int(line), "character": .int(character)],
    ]
  }

  /// A server that retains the memory of a check, and the number of worker replacements.
  private struct Resting {
    let folder: Folder
    let editor: Editor
    let uri: String
    private let log: String

    init() throws {
      folder = try Folder()
      (uri, log) = ("file://\(folder.path)/film.scene", "\(folder.path)/lsp.log")
      editor = try Editor(folder, ["--rest", "1", "--log", log])
      try editor.begin(folder)
      try editor.open(uri, Resting.text(1))
      _ = editor.diagnostics(uri, version: 1)
    }

    private static func text(_ count: Int) -> String {
      "scene {\n  for: 1s\n  for i in 0..\(count) { rect { size: 10x10; translate: (i, 0) } }\n}\n"
    }

    /// Checks a text that requires far more memory.
    func grow() throws {
      try editor.change(uri, Resting.text(40_000), version: 2)
      _ = editor.diagnostics(uri, version: 2)
    }

    var replacements: Int {
      let text = try? String(contentsOfFile: log, encoding: .utf8)
      return (text ?? "").components(separatedBy: "and is replaced").count - 1
    }
  }

  /// Memory that a text no longer needs is released by replacing the worker process, which is
  /// invisible to the editor. Both servers are measured after the same idle time, so the server
  /// that is idle for longer has been measured by the time the other is replaced.
  @Test func aServerThatHasGrownBeginsAnewWhileNobodyAsks() throws {
    let (still, grown) = (try Resting(), try Resting())
    try grown.grow()
    #expect(eventually { grown.replacements == 1 })
    #expect(still.replacements == 0)
    let answer = try grown.editor.ask("textDocument/hover", place(grown.uri, 0, 2))
    #expect(answer["result"]["contents"]["value"].string?.contains("scene") == true)
    // The text needs the same amount of memory again, which does not count as growth.
    try still.grow()
    #expect(eventually { still.replacements == 1 })
    #expect(grown.replacements == 1)
    for server in [still, grown] { #expect(try server.editor.end() == 0) }
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
    // The open text takes precedence over the saved file.
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

  /// Messages refer to settings of the editor in place of command-line options.
  @Test func messagesSayWhatToChangeInAnEditor() throws {
    let folder = try Folder()
    let editor = try Editor(folder)
    try editor.begin(folder)
    let uri = "file://\(folder.path)/a.scene"
    try editor.open(uri, "scene { for: 1s;  rect { opacty: 1 }  image \"../x.png\" }")
    let first = editor.messages(uri, version: 1)
    #expect(first.contains("help: change to 'opacity'"), "\(first)")
    #expect(first.contains("the setting scenec.root") && !first.contains("--"), "\(first)")
    let long = "scene { for: 1s;  circle { radius: sum([for i in 0..900: i * i + i]) / 1e9 } }"
    func set(_ steps: Int) throws -> String {
      try editor.notify(
        "workspace/didChangeConfiguration",
        ["settings": ["scenec": ["limits": ["steps": .int(steps)]]]])
      let uri = "file://\(folder.path)/\(steps).scene"
      try editor.open(uri, long)
      return editor.messages(uri, version: 1)
    }
    let limited = try set(100)
    #expect(
      limited.contains("raise the limit with the setting scenec.limits: {\"steps\": "), "\(limited)"
    )
    #expect(!limited.contains("--"), "\(limited)")
    let free = try set(100_000)
    #expect(!free.contains("steps"), "\(free)")

    try folder.write("project.scene", "project { limits: (elements: 200_000) }")
    func items(trusted: Bool) throws -> String {
      try editor.notify(
        "workspace/didChangeConfiguration",
        ["settings": ["scenec": ["trustProject": .bool(trusted)]]])
      let uri = "file://\(folder.path)/items-\(trusted).scene"
      try editor.open(uri, "scene { for: 1s;  text \"{sum([for i in 0..110_000: 1])}\" }")
      return editor.messages(uri, version: 1)
    }
    let refused = try items(trusted: false)
    #expect(refused.contains("turn on the setting scenec.trustProject"), "\(refused)")
    #expect(!refused.contains("--"), "\(refused)")
    let trusted = try items(trusted: true)
    #expect(!trusted.contains("elements"), "\(trusted)")
  }

  @Test func aLimitAboveItsMaximumIsReported() throws {
    let folder = try Folder()
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.notify(
      "workspace/didChangeConfiguration",
      ["settings": ["scenec": ["limits": ["hours": 500, "steps": 5_000_000]]]])
    let uri = "file://\(folder.path)/a.scene"
    try editor.open(uri, "scene { for: 12_500min }")
    let messages = editor.messages(uri, version: 1)
    #expect(messages.contains("exceeds the limit of 200 hours"), "\(messages)")
    let logged = editor.notices.filter { $0["method"] == "window/logMessage" }
      .compactMap { $0["params"]["message"].string }.filter { $0.hasPrefix("settings: ") }
    #expect(logged == ["settings: 'limits.hours' can be at most 200; using 200"])
    #expect(try editor.end() == 0)
  }

  /// The connection to the editor survives the end of a worker process.
  @Test func theWorkerDies() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(film, "scene { for: 1s\n  circle { }\n}\n")
    #expect(editor.diagnostics(film, version: 1) == [])
    for version in 2..<5 {
      kill(try worker(of: editor), SIGKILL)
      try editor.change(
        film, "scene { for: 1s\n  circle { radus: \(version) }\n}\n", version: version)
      #expect(editor.diagnostics(film, version: version) == ["E0201 1:11"])
      let answer = try editor.ask("textDocument/hover", place(film, 1, 3))
      #expect(!answer["result"].isNull, "\(answer)")
    }
    #expect(try editor.end() == 0)
  }

  /// The ids of parts are those of the referenced SVG file, and resolve to its lines.
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

  /// A single-threaded editor writes before it reads. Neither side blocks the other.
  @Test func anEditorThatDoesNotRead() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    // Its diagnostics exceed the capacity of a pipe, as does each of its texts.
    let wrong = String(repeating: "    rect { radus: 3 }\n", count: 10_000)
    for version in 1..<6 {
      let worker = try worker(of: editor)
      let before = RunningProgram.cpuSeconds(of: worker)
      try editor.open(film, "scene {\n    for: 1s\n\(wrong)}\n", version: version)
      // Wait until the check has started before sending the next version.
      #expect(eventually { RunningProgram.cpuSeconds(of: worker) >= before + 0.05 })
    }
    let answer = try editor.ask("textDocument/hover", place(film, 0, 2))
    #expect(answer["result"]["contents"]["value"].string?.contains("scene") == true)
    #expect(try editor.end() == 0)
  }

  /// A hanging worker is replaced, and its pending requests are answered.
  @Test func theWorkerHangs() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder, ["--patience", "1"])
    try editor.begin(
      folder, ["workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]])
    try editor.open(film, "scene { for: 1s\n  circle { }\n}\n")
    #expect(editor.diagnostics(film, version: 1) == [])
    kill(try worker(of: editor), SIGSTOP)
    let answer = try editor.ask("textDocument/hover", place(film, 1, 3))
    #expect(answer["error"]["code"] == -32803, "\(answer)")
    let later = try editor.ask("textDocument/hover", place(film, 1, 3))
    #expect(!later["result"].isNull, "\(later)")
    // Only the first worker asks the editor to watch files.
    let asked = editor.notices.count { $0["method"] == "client/registerCapability" }
    #expect(asked == 1)
    #expect(try editor.end() == 0)
  }

  private func worker(of editor: Editor) throws -> Int32 {
    let run = try Program.run(["/usr/bin/pgrep", "-P", "\(editor.process.identifier)"])
    return try #require(Int32(run.output.split(separator: "\n").first ?? ""))
  }

  /// Files of a project that is accessed through a symbolic link keep the names that the editor
  /// uses, and unsaved texts take precedence.
  @Test func aFolderBehindALink() throws {
    let folder = try Folder()
    try folder.write("real/brand.scene", "let accent = #ff8a3d\n")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: folder.path + "/real")
    let film = "file://\(folder.path)/link/film.scene"
    let brand = "file://\(folder.path)/link/brand.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(
      film, "import \"brand.scene\"\nscene { for: 1s;  rect { fill: accent } }\n")
    #expect(editor.diagnostics(film, version: 1) == [])
    try editor.open(brand, "let acent = #ff8a3d\nlet b = \n")
    // At the end of a line, the last word before it is underlined.
    #expect(editor.diagnostics(brand, version: 1) == ["E0109 1:6"])
    // The error of the import hides the unknown name.
    #expect(editor.diagnostics(film, version: 1) == ["E0109 0:8"])
    try editor.notify("textDocument/didClose", ["textDocument": ["uri": .string(brand)]])
    #expect(editor.diagnostics(film, version: 1) == [])
    #expect(try editor.end() == 0)
  }

  /// A cancellation without an id does not cancel any pending message.
  @Test func aCancellationOfNothing() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(film, "scene { for: 1s }\n")
    _ = editor.diagnostics(film, version: 1)
    let edit: JSON = [
      "jsonrpc": "2.0", "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": .string(film), "version": 2],
        "contentChanges": [["text": "scene { for: 1s;  circle { radus: 2 } }\n"]],
      ],
    ]
    // Sent in a single write, so that the edit is still pending when the cancellations are read.
    var bytes = FrameReader.frame(edit.bytes)
    for parameters: JSON in [["id": .null], .object([:]), .null, ["id": "other"]] {
      let cancellation: JSON = [
        "jsonrpc": "2.0", "method": "$/cancelRequest", "params": parameters,
      ]
      bytes += FrameReader.frame(cancellation.bytes)
    }
    try editor.send(bytes)
    #expect(editor.reports("E0201 0:27", film, version: 2))
    #expect(try editor.end() == 0)
  }

  /// Positions and edits in a text whose lines end with a lone `\r`.
  @Test func linesThatEndWithACarriageReturn() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(film, "scene {\r  for: 1s // one\r\n  foo: 1\r}\n")
    #expect(editor.diagnostics(film, version: 1) == ["E0201 2:2"])
    let place: JSON = ["line": 2, "character": 2]
    try editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(film), "version": 2],
        "contentChanges": [
          [
            "range": ["start": place, "end": ["line": 2, "character": 8]],
            "text": "fps: 30\r  bar: 1",
          ]
        ],
      ])
    #expect(editor.reports("E0201 3:2", film, version: 2))
    #expect(try editor.end() == 0)
  }

  /// Files that a check must not read are not read for an editor either: not by an import, through
  /// a link, or in a list of files.
  @Test func nothingOutsideTheWorkspaceIsRead() throws {
    let folder = try Folder()
    let secret = "/// PIN of the bank\nlet hidden-word = 42\n"
    try folder.write("secret/s.scene", secret)
    try folder.write("secret/pic.png", "")
    try folder.write("ws/own/brand.scene", "let own-word = 1\n")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path + "/ws/ln", withDestinationPath: "../secret")
    try files.createSymbolicLink(
      atPath: folder.path + "/ws/s.scene", withDestinationPath: "../secret/s.scene")
    try files.createSymbolicLink(atPath: folder.path + "/ws/near", withDestinationPath: "own")
    let film = "file://\(folder.path)/ws/a.scene"
    let editor = try Editor(folder)
    try editor.begin(folder, below: "/ws")
    for (version, name) in ["../secret/s.scene", "ln/s.scene", "s.scene"].enumerated() {
      let text =
        "import \"\(name)\"\nscene { for: 1s;  circle { radius: hidden-word }  image \"\" { } }\n"
      if version == 0 {
        try editor.open(film, text)
      } else {
        try editor.change(film, text, version: version + 1)
      }
      #expect(editor.reports("E0502 0:7", film, version: version + 1))
      let hover = try editor.ask("textDocument/hover", place(film, 1, 40))
      #expect(!"\(hover)".contains("PIN") && !"\(hover)".contains("42"), "\(name): \(hover)")
      let renamed = try editor.ask(
        "textDocument/rename", JSON.object(["newName": "x"]).merging(place(film, 1, 40)))
      #expect(!"\(renamed)".contains("secret") && !"\(renamed)".contains("ln/"), "\(renamed)")
      let words = try editor.ask("textDocument/completion", place(film, 1, 38))
      #expect(!"\(words)".contains("hidden"), "\(name)")
      let listed = "\(try editor.ask("textDocument/completion", place(film, 1, 59)))"
      #expect(!listed.contains("pic.png"), "\(listed)")
    }
    // A link to a target inside the root is followed.
    let text = "import \"near/brand.scene\"\nscene { for: 1s;  circle { radius: own-word } }\n"
    try editor.change(film, text, version: 4)
    #expect(editor.diagnostics(film, version: 4) == [])
    let hover = try editor.ask("textDocument/hover", place(film, 1, 40))
    #expect("\(hover)".contains("own-word = 1"), "\(hover)")
    #expect(try editor.end() == 0)
  }

  /// A text over the limit is reported and stored. It is analyzed again once it is small enough.
  @Test func aGiantText() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    let line = "let a = 1 // one\n"
    let giant = String(repeating: line, count: (4 << 20) / line.utf8.count + 1)
    try editor.open(film, giant)
    #expect(
      editor.messages(film, version: 1).contains("more than the limit of 4194304 for editors"))
    let hover = try editor.ask("textDocument/hover", place(film, 2, 4))
    #expect(hover["result"].isNull && hover["error"].isNull)
    let edits = try editor.ask(
      "textDocument/formatting",
      [
        "textDocument": ["uri": .string(film)], "options": ["tabSize": 4, "insertSpaces": true],
      ])
    #expect(edits["result"].array.isEmpty)
    try editor.notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(film), "version": 2],
        "contentChanges": [["text": "scene { for: 1s;  foo: 1 }\n"]],
      ])
    #expect(editor.reports("E0201 0:18", film, version: 2))
    #expect(try editor.end() == 0)
  }

  /// An unsaved text has no folder in which files could be missing.
  @Test func aTextThatWasNeverSaved() throws {
    let folder = try Folder()
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(
      "untitled:Untitled-1",
      "import \"brand.scene\"\nscene { for: 1s;  image \"a.png\" { opacty: 1 } }\n")
    #expect(editor.diagnostics("untitled:Untitled-1", version: 1) == ["E0201 1:34"])
    #expect(try editor.end() == 0)
  }

  /// Definitions in the library can be opened read-only.
  @Test func theLibraryIsRead() throws {
    let folder = try Folder()
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(
      film, "import \"std/charts.scene\"\nscene {\n  for: 1s\n  BarChart { values: [1, 2] }\n}\n")
    _ = editor.diagnostics(film, version: 1)
    let found = try editor.ask("textDocument/definition", place(film, 3, 4))["result"]
    let library = try #require(found["uri"].string)
    #expect(library.hasSuffix("/charts.scene"))
    let path = try #require(library.split(separator: "//", maxSplits: 1).last.map(String.init))
    try editor.open(library, try String(contentsOfFile: path, encoding: .utf8) + "\nlet a = \n")
    #expect(editor.diagnostics(library, version: 1) == [])
    let line = found["range"]["start"]["line"].int ?? 0
    let column = found["range"]["start"]["character"].int ?? 0
    let renamed = try editor.ask(
      "textDocument/rename", JSON.object(["newName": "a"]).merging(place(library, line, column)))
    #expect(renamed["error"]["message"].string?.contains("library") == true, "\(renamed)")
    for method in ["formatting", "codeAction", "completion"] {
      let answer = try editor.ask("textDocument/" + method, place(library, line, column))
      #expect(answer["result"].isNull && answer["error"].isNull, "\(answer)")
    }
    #expect(try editor.end() == 0)
  }

  /// The response contains the size of a still. The saved text is authoritative.
  @Test func stillsAndSaves() throws {
    let folder = try Folder()
    let text = "scene { size: 64x48;  for: 1s;  rect { } }\n"
    try folder.write("film.scene", text)
    let film = "file://\(folder.path)/film.scene"
    let editor = try Editor(folder)
    try editor.begin(folder)
    try editor.open(film, text)
    #expect(editor.diagnostics(film, version: 1) == [])
    let made = try editor.ask(
      "workspace/executeCommand", ["command": "scenec.renderFrame", "arguments": [["width": 32]]])
    #expect(made["result"]["width"] == 32 && made["result"]["height"] == 24, "\(made)")
    try made["result"]["path"].string.map { try FileManager.default.removeItem(atPath: $0) }
    try editor.notify(
      "textDocument/didSave",
      ["textDocument": ["uri": .string(film)], "text": "scene { rct { } }\n"])
    #expect(editor.diagnostics(film, version: 1).contains { $0.hasPrefix("E0202 0:8") })
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

  /// Random edits and requests: each request is answered once, and the server shuts down cleanly.
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
  /// Returns the object merged with the members of another object.
  fileprivate func merging(_ other: JSON) -> JSON {
    guard case .object(let a) = self, case .object(let b) = other else { return self }
    return .object(a.merging(b) { own, _ in own })
  }
}
