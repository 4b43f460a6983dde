// SPDX-License-Identifier: MIT
import CLinux
import SceneEditing
import SceneJSON
import SceneSystem
import SceneText

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
  /// The edits that the editor has not answered, by the id of their request.
  var edits: [String: JSON] = [:]
}

// The connections to previews.
extension Keeper {
  func openPreview(_ id: JSON, _ given: JSON) {
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
    ask("window/showDocument", ["uri": .string(url), "external": true])
  }

  /// Returns the path of a file for a preview: the scene's path as given, other paths with links
  /// resolved.
  private func name(_ path: String, in link: Link) -> String {
    FileURI.path(link.uri) == path ? path : Files.resolvingFolders(of: path)
  }

  /// Returns the open text with a path that a preview sent, or the URI of the file.
  func open(_ path: String) -> (uri: String, document: Document?) {
    let uri = documents.open.keys.first { uri in
      FileURI.path(uri).map { $0 == path || Files.resolvingFolders(of: $0) == path } == true
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

  func takeFromPreview(_ place: Int, _ bytes: [UInt8]) {
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
      ask(
        "window/showDocument",
        [
          "uri": .string(file), "takeFocus": true,
          "selection": source.json(start..<max(start, end), documents.encoding),
        ])
    case "live/edit": applyEdit(said, from: place)
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

  /// Asks the editor to apply a change made in the preview, unless a document has changed since the
  /// page's version. The preview receives the result.
  private func applyEdit(_ said: JSON, from place: Int) {
    let refuse = { [links] (reason: String, hasChanged: Bool) in
      links[place].child.notify(
        "live/edited",
        [
          "edit": said["edit"], "applied": false, "changed": .bool(hasChanged),
          "reason": .string(reason),
        ])
    }
    var versioned: [JSON] = []
    var changes: [String: JSON] = [:]
    let abilities = initialize?["capabilities"]["workspace"]
    for change in said["documents"].array {
      let path = change["path"].string ?? ""
      guard abilities?["applyEdit"].bool == true else {
        return refuse(
          "the editor does not support changes by the preview; close '\(path)' there to change it",
          false)
      }
      let (file, document) = open(path)
      guard let document else { return refuse("'\(path)' was closed in the editor", true) }
      guard change["version"].int == liveTexts[file] ?? 0 else {
        return refuse("'\(path)' has changed in the editor", true)
      }
      let edits = Keeper.edits(change["edits"], in: document.source, documents.encoding)
      guard let edits else { return refuse("'\(path)' is shorter in the editor", true) }
      versioned.append([
        "textDocument": ["uri": .string(file), "version": .int(document.version)],
        "edits": .array(edits),
      ])
      changes[file] = .array(edits)
    }
    let takesVersions = abilities?["workspaceEdit"]["documentChanges"].bool == true
    let edit: JSON =
      takesVersions ? ["documentChanges": .array(versioned)] : ["changes": .object(changes)]
    let id = ask("workspace/applyEdit", ["label": "preview", "edit": edit])
    links[place].edits[id] = said["edit"]
  }

  /// Returns the edits of a document in the encoding of the editor; `nil` if one is invalid.
  private static func edits(
    _ edits: JSON, in source: SourceFile, _ encoding: PositionEncoding
  ) -> [JSON]? {
    var all: [JSON] = []
    for edit in edits.array {
      guard let start = edit["start"].int, let end = edit["end"].int,
        let text = edit["text"].string, 0 <= start, start <= end, end <= source.bytes.count
      else { return nil }
      all.append(["range": source.json(start..<end, encoding), "newText": .string(text)])
    }
    return all
  }

  /// Passes the editor's response to an edit to the preview that requested it.
  func takeAnswer(_ message: JSON) {
    guard let id = message["id"].string,
      let place = links.firstIndex(where: { $0.edits[id] != nil }),
      let edit = links[place].edits.removeValue(forKey: id)
    else { return }
    let isApplied = message["result"]["applied"].bool == true
    let reason = message["result"]["failureReason"].string ?? message["error"]["message"].string
    links[place].child.notify(
      "live/edited",
      [
        "edit": edit, "applied": .bool(isApplied),
        "reason": .string(
          reason.map { "the editor refused the change: \($0)" } ?? "the editor refused the change"),
      ])
  }
}
