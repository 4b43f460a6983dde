// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneEditing
import SceneJSON
import SceneSystem
import SceneText

/// A program that runs on a request of the editor.
struct Errand {
  let child: Child
  /// The pending request, and the result that answers it when the program ends.
  let id: JSON
  let result: JSON
  /// The progress token, if the editor supports progress.
  let token: String?
  let name: String
}

/// A connection to the preview of a scene.
struct Link {
  let child: Child
  let uri: String
  /// The URL of the preview page, once known.
  var url: String?
  /// The request that waits for the URL.
  var id: JSON?
  /// The initial playhead position, in seconds.
  let start: Double
}

// Commands that start programs.
extension Keeper {
  /// Returns whether the keeper handles a request itself, and if so, answers it.
  func isOwn(_ method: String, _ message: JSON) -> Bool {
    guard method == "workspace/executeCommand" else { return false }
    let parameters = message["params"]
    let given = parameters["arguments"][0]
    let id = message["id"]
    switch parameters["command"].string {
    case "scenec.restart":
      renew()
      write(JSON.object(["jsonrpc": "2.0", "id": id, "result": .null]).bytes)
    case "scenec.openPreview": openPreview(id, given)
    case "scenec.closePreview":
      for link in links where given["uri"].isNull || given["uri"].string == link.uri {
        link.child.process.signal(SIGTERM)
      }
      write(JSON.object(["jsonrpc": "2.0", "id": id, "result": .null]).bytes)
    case "scenec.build": build(id, given)
    case "scenec.renderFrame": renderFrame(id, given)
    default: return false
    }
    return true
  }

  /// Returns the scene that a command refers to: the named one, or the last changed one.
  private func scene(_ given: JSON, _ id: JSON) -> (uri: String, path: String)? {
    guard let uri = given["uri"].string ?? lastChanged ?? documents.open.keys.min() else {
      answer(id, Message.failure(.invalidParameters, "no scene is open"))
      return nil
    }
    guard let path = FileURI.path(uri) else {
      answer(id, Message.failure(.requestFailed, "'\(uri)' is not a file; save the scene first"))
      return nil
    }
    // The URI in the spelling of the editor.
    return (documents[uri] == nil ? open(path).uri : uri, path)
  }

  /// Returns the time in seconds that a command refers to: the given one, or the playhead of the
  /// preview. Refuses the request and returns `nil` if the time is invalid.
  private func instant(_ given: JSON, uri: String, id: JSON) -> Double? {
    let at = given["at"]
    guard let seconds = at.isNull ? playheads[uri] ?? 0 : at.number, (0...1e6).contains(seconds)
    else {
      answer(id, Message.failure(.invalidParameters, "'at' must be a time in seconds"))
      return nil
    }
    return seconds
  }

  private func build(_ id: JSON, _ given: JSON) {
    guard let (uri, path) = scene(given, id) else { return }
    let output = (path.hasSuffix(".scene") ? String(path.dropLast(6)) : path) + ".mp4"
    run(
      [self.path, "build", path, "-o", output, "--progress", "none"], id: id,
      result: ["uri": .string(FileURI.uri(output)), "path": .string(output)],
      name: "building \(FileURI.path(uri)?.split(separator: "/").last ?? "the scene")")
  }

  private func renderFrame(_ id: JSON, _ given: JSON) {
    guard let (uri, path) = scene(given, id) else { return }
    guard let seconds = instant(given, uri: uri, id: id) else { return }
    errandCount += 1
    let output = "/tmp/scenec-\(getpid())-\(errandCount).png"
    var words = [self.path, "frame", path, "--at", "\(seconds)s", "-o", output]
    if let width = given["width"].int, (1...16_384).contains(width) {
      words += ["--width", "\(width)"]
    }
    run(words, id: id, result: ["path": .string(output)], name: "")
  }

  private func run(_ words: [String], id: JSON, result: JSON, name: String) {
    guard let child = child(words) else {
      return answer(id, Message.failure(.requestFailed, "scenec cannot be started"))
    }
    errandCount += 1
    let shows =
      initialize?["capabilities"]["window"]["workDoneProgress"].bool == true && !name.isEmpty
    let token = shows ? "scenec-build-\(errandCount)" : nil
    errands.append(Errand(child: child, id: id, result: result, token: token, name: name))
    guard let token else { return }
    write(
      JSON.object([
        "jsonrpc": "2.0", "id": .string("keeper-\(token)"),
        "method": "window/workDoneProgress/create",
        "params": ["token": .string(token)],
      ]).bytes)
    tell(
      "$/progress",
      [
        "token": .string(token),
        "value": ["kind": "begin", "title": .string(name), "cancellable": true],
      ])
  }

  /// Returns whether a response of the editor is for the keeper.
  func isOwnAnswer(_ message: JSON) -> Bool { message["id"].string?.hasPrefix("keeper-") == true }

  /// Reads the output of a child process, or handles its end.
  func takeFromErrand(_ child: Child) {
    let bytes = Files.next(child.socket, upTo: 1 << 16) ?? []
    if let place = links.firstIndex(where: { $0.child === child }) {
      return takeFromPreview(place, bytes)
    }
    guard bytes.isEmpty, let place = errands.firstIndex(where: { $0.child === child }) else {
      return
    }
    let errand = errands.remove(at: place)
    let status = child.process.waitForEnd()
    if let token = errand.token {
      tell("$/progress", ["token": .string(token), "value": ["kind": "end"]])
    }
    if status == 0 {
      let result = Keeper.measured(errand.result)
      write(JSON.object(["jsonrpc": "2.0", "id": errand.id, "result": result]).bytes)
    } else {
      let why =
        status == 1
        ? "the scene has errors"
        : status < 0 ? "it was canceled" : "it exited with status \(status)"
      answer(errand.id, Message.failure(.requestFailed, "the build failed: \(why)"))
    }
  }

  /// Adds the size of a rendered still to a result, read from the PNG header.
  private static func measured(_ result: JSON) -> JSON {
    guard case .object(var members) = result, let path = result["path"].string,
      path.hasSuffix(".png"), case let file = Files.open(path, O_RDONLY), file >= 0
    else { return result }
    defer { close(file) }
    let head = Files.head(of: file, count: 24)
    guard head.count == 24 else { return result }
    func number(_ place: Int) -> Int { head[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    (members["width"], members["height"]) = (.int(number(16)), .int(number(20)))
    return .object(members)
  }

  /// Terminates the program of a canceled request.
  func cancel(_ id: JSON) {
    for errand in errands where errand.id == id { errand.child.process.signal(SIGTERM) }
  }

  func cancelProgress(_ token: JSON) {
    for errand in errands where errand.token == token.string {
      errand.child.process.signal(SIGTERM)
    }
  }

  // MARK: Preview

  private func openPreview(_ id: JSON, _ given: JSON) {
    guard let (uri, path) = scene(given, id), let start = instant(given, uri: uri, id: id) else {
      return
    }
    if let place = links.firstIndex(where: { $0.uri == uri }) {
      guard let url = links[place].url else {
        return answer(id, Message.failure(.requestFailed, "the preview is already being opened"))
      }
      return show(url, from: start, id)
    }
    guard let child = child([self.path, "watch", path, "--no-video", "--live"]) else {
      return answer(id, Message.failure(.requestFailed, "the preview cannot be started"))
    }
    let link = Link(child: child, uri: uri, url: nil, id: id, start: start)
    links.append(link)
    // The scene may import other open texts.
    for uri in documents.open.keys.sorted() { send(textOf: uri, to: link) }
    if let (uri, position) = lastCursor { mark(position, uri) }
  }

  /// Opens the preview page; the start time is part of its URL.
  private func show(_ page: String, from start: Double, _ id: JSON?) {
    let url = start > 0 ? "\(page)#t=\(start)" : page
    if let id {
      write(JSON.object(["jsonrpc": "2.0", "id": id, "result": ["url": .string(url)]]).bytes)
    }
    guard initialize?["capabilities"]["window"]["showDocument"]["support"].bool == true else {
      return
    }
    errandCount += 1
    write(
      JSON.object([
        "jsonrpc": "2.0", "id": .string("keeper-show-\(errandCount)"),
        "method": "window/showDocument", "params": ["uri": .string(url), "external": true],
      ]).bytes)
  }

  /// Returns the path of a file for a preview: the scene's path as given, other paths with links
  /// resolved.
  private func name(_ path: String, in link: Link) -> String {
    FileURI.path(link.uri) == path ? path : FileURI.resolved(path)
  }

  /// Returns the open text with a path that a preview sent, or the URI of the file.
  private func open(_ path: String) -> (uri: String, document: Document?) {
    let uri = documents.open.keys.first { uri in
      FileURI.path(uri).map { $0 == path || FileURI.resolved($0) == path } == true
    }
    return (uri ?? FileURI.uri(path), uri.flatMap { documents[$0] })
  }

  /// Makes the previews read the closed text from its file.
  func textClosed(_ uri: String) {
    liveTexts[uri] = nil
    guard let path = FileURI.path(uri) else { return }
    for link in links {
      link.child.notify("live/close", ["path": .string(name(path, in: link))])
    }
  }

  /// Sends the text in the editor, saved or not, to the previews.
  func textChanged(_ uri: String) {
    liveTextCount += 1
    liveTexts[uri] = liveTextCount
    for link in links { send(textOf: uri, to: link) }
  }

  private func send(textOf uri: String, to link: Link) {
    guard let document = documents[uri], let path = FileURI.path(uri) else { return }
    link.child.notify(
      "live/text",
      [
        "path": .string(name(path, in: link)), "version": .int(liveTexts[uri] ?? 0),
        "text": .string(String(decoding: document.source.bytes, as: UTF8.self)),
      ])
  }

  /// Tracks the cursor position from requests, and highlights the element at the cursor in the
  /// preview.
  func lastAsked(_ method: String, uri: String, parameters: JSON) {
    guard ["textDocument/documentHighlight", "scenec/cursor"].contains(method),
      let position = Position(parameters["position"])
    else { return }
    lastCursor = (uri, position)
    mark(position, uri)
  }

  private func mark(_ position: Position, _ uri: String) {
    guard !links.isEmpty, let document = documents[uri], let path = FileURI.path(uri) else {
      return
    }
    let offset = document.source.offset(of: position, documents.encoding)
    for link in links {
      link.child.notify(
        "live/cursor",
        ["path": .string(name(path, in: link)), "start": .int(offset), "end": .int(offset)])
    }
  }

  private func takeFromPreview(_ place: Int, _ bytes: [UInt8]) {
    let link = links[place]
    guard !bytes.isEmpty else {
      links.remove(at: place)
      _ = link.child.process.waitForEnd()
      if let id = link.id {
        answer(id, Message.failure(.requestFailed, "the preview cannot be opened"))
      }
      return
    }
    link.child.reader.add(bytes)
    while case .message(let body)? = link.child.reader.next() {
      guard let message = JSON(bytes: body) else { continue }
      take(message["method"].string ?? "", message["params"], from: link.uri)
    }
  }

  /// Handles a notification of a preview.
  private func take(_ method: String, _ said: JSON, from uri: String) {
    guard let place = links.firstIndex(where: { $0.uri == uri }) else { return }
    let path = said["path"].string ?? ""
    switch method {
    case "live/ready":
      guard let url = said["url"].string else { return }
      links[place].url = url
      let (id, start) = (links[place].id, links[place].start)
      links[place].id = nil
      show(url, from: start, id)
    case "live/playhead":
      playheads[uri] = said["seconds"].number
      let news: JSON = [
        "uri": .string(uri), "seconds": said["seconds"], "playing": said["playing"],
      ]
      tellWorker("scenec/playhead", news)
      tell("scenec/playhead", news)
    case "live/select":
      let (file, document) = open(path)
      guard initialize?["capabilities"]["window"]["showDocument"]["support"].bool == true,
        let start = said["start"].int, let end = said["end"].int,
        let source = document?.source ?? Keeper.file(path)
      else { return }
      errandCount += 1
      write(
        JSON.object([
          "jsonrpc": "2.0", "id": .string("keeper-show-\(errandCount)"),
          "method": "window/showDocument",
          "params": [
            "uri": .string(file), "takeFocus": true,
            "selection": source.json(start..<max(start, end), documents.encoding),
          ],
        ]).bytes)
    case "live/edit": applyEdit(said, path)
    default: break
    }
  }

  /// Reads a scene file that is not open in the editor. Returns `nil` if it is not a readable
  /// regular file of at most 16 MiB.
  private static func file(_ path: String) -> SourceFile? {
    guard let status = FileStatus(path: path), status.isRegular, status.size <= 16 << 20,
      case let file = Files.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY), file >= 0
    else { return nil }
    defer { close(file) }
    return SourceFile(
      id: FileID(0), name: path, bytes: Files.head(of: file, count: status.size))
  }

  /// Applies a change made in the preview, unless the document has changed since the page's version.
  private func applyEdit(_ said: JSON, _ path: String) {
    let (file, document) = open(path)
    guard let document, said["version"].int == liveTexts[file] ?? 0,
      initialize?["capabilities"]["workspace"]["applyEdit"].bool == true
    else { return }
    let edits = said["edits"].array.compactMap { it -> JSON? in
      guard let start = it["start"].int, let end = it["end"].int, let text = it["text"].string,
        0 <= start, start <= end, end <= document.source.bytes.count
      else { return nil }
      return [
        "range": document.source.json(start..<end, documents.encoding), "newText": .string(text),
      ]
    }
    errandCount += 1
    let takesVersions =
      initialize?["capabilities"]["workspace"]["workspaceEdit"]["documentChanges"].bool == true
    let edit: JSON =
      takesVersions
      ? [
        "documentChanges": [
          [
            "textDocument": ["uri": .string(file), "version": .int(document.version)],
            "edits": .array(edits),
          ]
        ]
      ] : ["changes": .object([file: .array(edits)])]
    write(
      JSON.object([
        "jsonrpc": "2.0", "id": .string("keeper-edit-\(errandCount)"),
        "method": "workspace/applyEdit", "params": ["label": "preview", "edit": edit],
      ]).bytes)
  }
}
