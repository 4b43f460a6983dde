// SPDX-License-Identifier: MIT
import Foundation
import SceneSystem

/// Plays a video in headless Chromium, as for a visitor of a page.
enum Playback {
  static func run(_ video: String) throws {
    let folder = NSTemporaryDirectory() + "/scenec-play-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let source = URL(fileURLWithPath: video).absoluteString
    let page = """
      <!doctype html><title>waiting</title><video id=v muted src="\(source)"></video>
      <script>
      const say = (text) => { console.log("scenec-play: " + text); };
      v.onerror = () => say("error " + v.error.code);
      v.onloadedmetadata = () => { v.currentTime = v.duration / 2; };
      v.onseeked = async () => {
        try { await v.play(); } catch (error) { say("error " + error); return; }
        setTimeout(() => say(`played ${v.videoWidth}x${v.videoHeight} ${v.duration} s, at ${v.currentTime > v.duration / 2}`), 700);
      };
      </script>
      """
    let result = try show(page, in: folder, lines: 1).first ?? ""
    print("Chromium: \(result)")
    guard result.hasPrefix("played") else { throw Failure(description: "it does not play") }
  }

  /// Opens a page in a folder and returns after it has written a number of lines to its console.
  static func show(_ page: String, in folder: String, lines: Int) throws -> [String] {
    let chromium = "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: chromium) else {
      throw Failure(description: "install Chromium first: apt-get install chromium")
    }
    let file = URL(fileURLWithPath: folder).appendingPathComponent("play.html")
    try page.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: chromium)
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
      "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder)/profile",
      "--enable-logging=stderr", "--v=0", "--remote-debugging-port=0", file.absoluteString,
    ]
    // The page reports results on its console, which is logged to a file.
    let log = URL(fileURLWithPath: folder).appendingPathComponent("log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var found: [String] = []
    let clock = SystemClock()
    let end = clock.now + .seconds(120)
    while found.count < lines, clock.now < end, process.isRunning {
      clock.sleep(for: .milliseconds(200))
      let text = String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
      found = text.components(separatedBy: "\"scenec-play: ").dropFirst().map {
        String($0.prefix { $0 != "\"" })
      }
    }
    return found
  }
}
