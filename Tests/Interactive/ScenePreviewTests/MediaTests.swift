// SPDX-License-Identifier: MIT
import Foundation
import SceneJSON
import SceneModel
import SceneRaster
import SceneSession
import SceneSound
import SceneBuild
import ScenePreview
import SceneTestSupport
import SceneWeb
import Testing

/// Sound for pages, and videos that pages request.
@Suite("Preview, sound and films", .cpuBudget(seconds: 1)) struct MediaTests {
  private static let scene =
    "scene { size: 64x64;  fps: 30;  for: 3s;  background: red\n  audio beep { source: \"beep.wav\";  at: 1s } }\n"

  /// Returns a server for a scene with a second of sound that falls from +0.5 to -0.5.
  private func server(_ source: String = scene, isReadOnly: Bool = false) throws -> TestPreview {
    let server = try TestPreview("scene { for: 1s }\n", isReadOnly: isReadOnly)
    let samples = (0..<48_000).flatMap { n -> [Float] in
      [0.5 - Float(n) / 48_000, 0.25]
    }
    try Data(WaveFile(samples, rate: 48_000).bytes)
      .write(to: URL(fileURLWithPath: server.folder.path + "/beep.wav"))
    try server.write(source)
    return server
  }

  /// Returns a tab after the server has read the expected text, by default one without 30 frames.
  private func tab(
    _ server: TestPreview, isExpected: (JSON) -> Bool = { $0["frames"] != 30 }
  ) throws -> RawClient {
    let tab = try server.tab()
    var number = 900
    // Between two revisions of the text, there may be no valid one.
    let isThere = try eventually {
      number += 1
      tab.ask(["id": .int(number), "do": "scene", "view": "main"])
      let it = try #require(tab.answer(number))
      return it["rev"].int != nil && isExpected(it)
    }
    #expect(isThere)
    return tab
  }

  private func get(_ server: TestPreview, _ name: String, _ fields: String = "") throws -> (
    head: String, body: [UInt8]
  ) {
    try RawClient(port: server.port).answer(
      "GET /p/\(server.token)/\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n"
        + "Sec-Fetch-Site: same-origin\r\n\(fields)\r\n")
  }

  private func rev(_ tab: RawClient) throws -> Int {
    var (number, rev) = (3000, Int?.none)
    _ = try eventually {
      number += 1
      tab.ask(["id": .int(number), "do": "scene", "view": "main"])
      rev = try #require(tab.answer(number))["rev"].int
      return rev != nil
    }
    return try #require(rev)
  }

  // MARK: Sound

  @Test func aPieceIsThatOfTheMix() throws {
    let server = try server()
    let tab = try tab(server)
    let (head, body) = try get(server, "sound?view=main&rev=\(rev(tab))&from=0.5&to=1.5")
    #expect(head.hasPrefix("HTTP/1.1 200"))
    let loaded = try Session(LoadOptions()).load(server.path)
    let model = try #require(loaded.model)
    var mixer = Mixer(
      model.sound, duration: model.duration, source: loaded.resources.images.clips,
      metrics: loaded.metrics)
    let mixed = try mixer.mix(from: 24_000, count: 48_000)
    #expect(body == WaveFile(mixed, rate: 48_000).bytes)
    #expect(mixed.max() ?? 0 > 0.4)
  }

  @Test(arguments: [
    "from=1&to=1", "from=-1&to=1", "from=0&to=60", "from=nan&to=1", "from=0&to=inf", "from=0",
    "to=1",
    "from=1e18&to=2e18",
  ])
  func noPieceIsThere(_ times: String) throws {
    let server = try server()
    let tab = try tab(server)
    #expect(
      try get(server, "sound?view=main&rev=\(rev(tab))&\(times)").head.hasPrefix("HTTP/1.1 404"))
  }

  @Test func peaksAreThoseOfTheElement() throws {
    let server = try server()
    let tab = try tab(server)
    tab.ask(["id": 1, "do": "scene", "view": "main"])
    let rows = try #require(tab.answer(1)?["rows"])
    let key = rows[0]["kind"] == "audio" ? rows[0]["key"] : rows[1]["key"]
    tab.ask(["id": 2, "do": "peaks", "view": "main", "key": key, "from": 0, "to": 3, "px": 6])
    let it = try #require(tab.picture { $0["id"] == 2 })
    let peaks = it.bytes.map { Int8(bitPattern: $0) }
    #expect(peaks.count == 12)
    // The scene is silent before 1 s and after 2 s.
    #expect(peaks[..<4].allSatisfy { $0 == 0 } && peaks[8...].allSatisfy { abs($0) <= 1 })
    #expect(peaks[5] > 55 && peaks[6] < -55)
    tab.ask(["id": 3, "do": "peaks", "view": "main", "key": "x", "from": 0, "to": 3, "px": 6])
    #expect(tab.answer(3)?["error"] == "none")
    let wrong: [JSON] = [
      ["from": 0, "to": 3, "px": 0], ["from": 3, "to": 3, "px": 9], ["from": 0, "to": 3],
      ["from": 0, "to": .double(1e300), "px": 9],
    ]
    for wrong in wrong {
      guard case .object(var all) = wrong else { continue }
      all.merge(["id": 4, "do": "peaks", "view": "main", "key": key]) { $1 }
      tab.ask(.object(all))
      #expect(tab.answer(4)?["error"] == "message", "\(wrong)")
    }
  }

  // MARK: Films

  @Test func aFilmIsMadeAndShown() throws {
    let server = try server()
    let tab = try tab(server)
    tab.ask(["id": 1, "do": "export", "view": "main", "ending": "webm", "from": 5, "to": 20])
    let job = try #require(tab.answer(1)?["job"].int)
    let done = try #require(
      tab.text { $0["event"] == "job" && $0["state"] != "drawing" })
    #expect(done["state"] == "done" && done["reason"].isNull)
    let path = server.folder.path + "/a-f5-f20.webm"
    #expect(done["path"].string == path)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let whole = try get(server, "video?job=\(job)")
    #expect(whole.head.hasPrefix("HTTP/1.1 200") && whole.head.contains("video/webm"))
    #expect(whole.body == bytes)
    let part = try get(server, "video?job=\(job)", "Range: bytes=10-19\r\n")
    #expect(part.head.hasPrefix("HTTP/1.1 206"))
    #expect(part.head.contains("content-range: bytes 10-19/\(bytes.count)"))
    #expect(part.body == Array(bytes[10..<20]))
    let beyond = try get(server, "video?job=\(job)", "Range: bytes=\(bytes.count)-\r\n")
    #expect(beyond.head.hasPrefix("HTTP/1.1 416"))
    #expect(try get(server, "video?job=77").head.hasPrefix("HTTP/1.1 404"))
    #expect(try get(server, "video?job=x").head.hasPrefix("HTTP/1.1 404"))
  }

  @Test func whatFailsSaysWhy() throws {
    let server = try server(
      "scene { size: 65x65;  fps: 30;  for: 1s;  background: red;  let a = 1 }\n")
    let tab = try tab(server) { $0["size"] == [65, 65] }
    tab.ask(["id": 1, "do": "export", "view": "main", "ending": "mp4", "from": .null, "to": .null])
    let failed = try #require(tab.text { $0["event"] == "job" && $0["state"] == "failed" })
    #expect(failed["reason"].string?.contains("65x65") == true)
  }

  @Test(
    arguments: [
      ["ending": "../x"], ["ending": "%04d.png"], ["ending": "exe"], [:], ["output": 9],
      ["ending": "mp4", "from": 5, "to": 5], ["ending": "mp4", "from": 0, "to": 1_000_000],
    ] as [JSON])
  func whatIsNoFilmIsRefused(_ request: JSON) throws {
    let server = try server()
    let tab = try tab(server)
    guard case .object(var all) = request else { return }
    all.merge(["id": 1, "do": "export", "view": "main"]) { $1 }
    tab.ask(.object(all))
    #expect(["message", "none"].contains(tab.answer(1)?["error"].string ?? ""))
  }

  @Test func oneFilmAtATimeUntilItIsStopped() throws {
    let server = try server(
      "scene { size: 1280x720;  fps: 60;  for: 10min;  background: red\n circle { radius: 1 -> 300 over 10min } }\n"
    )
    let tab = try tab(server)
    tab.ask(["id": 1, "do": "export", "view": "main", "ending": "mp4"])
    let job = try #require(tab.answer(1)?["job"].int)
    tab.ask(["id": 2, "do": "export", "view": "main", "ending": "webm"])
    #expect(tab.answer(2)?["error"] == "busy")
    tab.ask(["id": 3, "do": "stop", "job": .int(job)])
    #expect(tab.text { $0["event"] == "job" && $0["state"] == "stopped" } != nil)
    #expect(!FileManager.default.fileExists(atPath: server.folder.path + "/a.mp4"))
  }

  @Test func whoMayOnlyReadExportsNothing() throws {
    let server = try server(isReadOnly: true)
    let tab = try server.tab()
    tab.ask(["id": 1, "do": "export", "view": "main", "ending": "mp4"])
    #expect(tab.answer(1)?["error"] == "read-only")
  }

  @Test func rangesAreOneStretch() {
    #expect(ByteRange("bytes=0-", of: 10)?.bytes == 0..<10)
    #expect(ByteRange("bytes=3-4", of: 10)?.bytes == 3..<5)
    #expect(ByteRange("bytes=3-99", of: 10)?.bytes == 3..<10)
    #expect(ByteRange("bytes=-4", of: 10)?.bytes == 6..<10)
    #expect(ByteRange("bytes=-40", of: 10)?.bytes == 0..<10)
    #expect(ByteRange("bytes=3-\(Int.max)", of: 10)?.bytes == 3..<10)
    for wrong in [
      "bytes=10-", "bytes=4-3", "bytes=-0", "bytes=--1", "bytes=", "bytes=-", "bytes=0-1,4-5",
      "0-1",
      "bytes=a-b", "bytes=99999999999999999999-", "bytes=1-x", "bytes=x-1",
    ] {
      #expect(ByteRange(wrong, of: 10) == nil, "\(wrong)")
    }
  }
}
