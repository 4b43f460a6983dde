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
  func scene(_ given: JSON, _ id: JSON) -> (uri: String, path: String)? {
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
  func instant(_ given: JSON, uri: String, id: JSON) -> Double? {
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
    ask("window/workDoneProgress/create", ["token": .string(token)])
    tell(
      "$/progress",
      [
        "token": .string(token),
        "value": ["kind": "begin", "title": .string(name), "cancellable": true],
      ])
  }

  /// Sends a request of the keeper to the editor, and returns its id.
  @discardableResult func ask(_ method: String, _ parameters: JSON) -> String {
    errandCount += 1
    let id = "keeper-\(errandCount)"
    write(
      JSON.object([
        "jsonrpc": "2.0", "id": .string(id), "method": .string(method), "params": parameters,
      ]).bytes)
    return id
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
}
