// SPDX-License-Identifier: MIT
import SceneJSON
import SceneSystem
import SceneWeb

/// A page of the preview, which sends requests, reads messages and checks the rules of the
/// protocol.
// Safe: only the thread that holds the baton of the scheduler accesses the state.
final class Page: @unchecked Sendable {
  private let run: Run
  private let network: SimulatedNetwork
  private let name: String
  private(set) var client: WebClient
  /// The last revision of each view that the page was told about.
  private var revisions: [String: Int] = [:]
  private var isBroken = false
  private var lastID = 0
  /// The requests without a response yet, by their number.
  private var asked: [Int: String] = [:]
  private var answers: [Int: JSON] = [:]
  /// The state of each export.
  private(set) var jobs: [Int: String] = [:]
  private(set) var isToldGoodbye = false

  init(_ run: Run, _ network: SimulatedNetwork, _ name: String) {
    self.run = run
    self.network = network
    self.name = name
    client = network.connect(window: run.random.pick([1, 2, 8]))
  }

  var isConnected: Bool { network.isConnected(client) }

  /// Disconnects without a message, and returns as another tab.
  func reload() {
    run.note("\(name) reloads")
    network.disconnect(client)
    client = network.connect(window: run.random.pick([1, 2, 8]))
    (revisions, asked, answers, jobs, isBroken) = ([:], [:], [:], [:], false)
  }

  // MARK: Asking

  @discardableResult
  func ask(_ what: String, _ members: [String: JSON] = [:]) -> Int {
    lastID += 1
    let own: [String: JSON] = ["id": .int(lastID), "do": .string(what)]
    asked[lastID] = what
    run.note("\(name) asks \(lastID): \(what)")
    network.say(JSON.object(own.merging(members) { $1 }).bytes, as: client)
    return lastID
  }

  func askForFrame(_ number: Int, _ purpose: String) {
    ask(
      "frame",
      ["view": "main", "n": .int(number), "width": 32, "for": .string(purpose)])
  }

  /// Sends a request and reads until its response arrives; `nil` if the connection ends before.
  func answer(_ what: String, _ members: [String: JSON] = [:]) -> JSON? {
    let id = ask(what, members)
    let own = client
    while answers[id] == nil {
      guard isConnected, own == client, read(atMost: .seconds(20)) else {
        run.expect(!isConnected || own != client, "\(name): no answer to \(what)")
        return nil
      }
    }
    return answers[id]
  }

  /// Changes the color of the first rectangle as a person does.
  func recolor() {
    guard let change = fill() else { return }
    let color = run.random.pick([0, 0.2, 0.6])
    let what = run.random.pick(["try", "edit", "edit"])
    let done = answer(what, ["view": "main", "changes": [change(color)], "label": "color"])
    run.note("\(name): \(what) gives \(done.map { "\($0["error"])" } ?? "no answer")")
  }

  /// Writes a red component of the color of the first rectangle; returns whether it was accepted,
  /// or `nil` without a rectangle or a response.
  func write(red: Double) -> Bool? {
    guard let change = fill() else { return nil }
    return answer("edit", ["view": "main", "changes": [change(red)], "label": "color"])
      .map { $0["error"].isNull }
  }

  /// Drags the color of the first rectangle without waiting for responses, then drops it.
  func drag() {
    guard let change = fill() else { return }
    for step in 1...run.random.int(2...4) {
      ask("try", ["view": "main", "changes": [change(Double(step) / 5)]])
    }
    if run.random.chance(0.5) { ask("try", ["view": "main", "changes": []]) }
  }

  /// Returns the change that writes a red component of the color of the first rectangle.
  private func fill() -> ((_ red: Double) -> JSON)? {
    guard let scene = answer("scene", ["view": "main"]), scene["error"].isNull,
      let element = answer("element", ["view": "main", "key": "scene/rect", "n": 0])
    else { return nil }
    let fill = element["properties"].array.first { $0["name"].string == "fill" }
    guard let leaf = fill?["leaves"][0], !leaf.isNull else { return nil }
    return { red in
      [
        "file": leaf["span"]["file"], "hash": scene["files"][0]["hash"],
        "start": leaf["span"]["start"], "end": leaf["span"]["end"], "old": leaf["text"],
        "value": ["color": [.double(red), 0, 1, 1]],
      ]
    }
  }

  // MARK: Reading

  /// Reads a message that has arrived or that arrives within `limit`, and returns whether there was
  /// one.
  @discardableResult
  func read(atMost limit: Duration) -> Bool {
    guard let message = network.hear(client, atMost: limit) else { return false }
    if message.isBinary {
      let length = message.bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      take(JSON(bytes: Array(message.bytes[4..<4 + length])) ?? .null)
    } else {
      take(JSON(bytes: message.bytes) ?? .null)
    }
    return true
  }

  func readAll() { while read(atMost: .milliseconds(1)) {} }

  private func take(_ message: JSON) {
    if let id = message["id"].int {
      guard id != 0 else { return }
      run.expect(asked.removeValue(forKey: id) != nil, "\(name): request \(id) is answered twice")
      answers[id] = message
      return
    }
    let view = message["view"].string ?? ""
    switch message["event"].string {
    case "rev":
      guard let number = message["rev"].int else { run.fail("a revision has no number") }
      run.note("\(name) hears of revision \(number) of \(view)")
      let last = revisions[view] ?? 0
      run.expect(
        number > last, "\(name) hears of revision \(number) of \(view) after \(last)")
      revisions[view] = number
      if view == "main" { isBroken = false }
    case "broken":
      run.note("\(name) hears that \(view) is broken")
      if view == "main" { isBroken = true }
    case "job":
      if let job = message["job"].int { jobs[job] = message["state"].string }
    case "bye": isToldGoodbye = true
    default: break
    }
  }

  // MARK: Judging

  /// Checks that the page knows the state of the files.
  ///
  /// This is their revision, with the digest of a frame, or the fact that they are invalid.
  func expect(digest: String?, frame: Int) {
    // Unread messages kept the server from sending more.
    while read(atMost: .seconds(2)) {}
    guard isConnected else { return }
    run.expect(
      asked.isEmpty, "\(name) has no answer to \(asked.sorted { $0.key < $1.key })")
    run.expect(isBroken == (digest == nil), "\(name) shows another text: broken \(isBroken)")
    guard let digest else { return }
    let answer = answer(
      "frame", ["view": "main", "n": .int(frame), "width": 32, "for": "rest"])
    run.expect(
      answer?["digest"].string == digest,
      "\(name) is shown \(answer.map { "\($0)" } ?? "nothing") instead of \(digest)")
  }
}
