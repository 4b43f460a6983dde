// SPDX-License-Identifier: MIT
import Foundation

/// Plays a video in headless Chromium, as a visitor of a page would.
enum Playback {
  static func run(_ video: String) throws {
    let chromium = "/usr/bin/chromium"
    guard FileManager.default.isExecutableFile(atPath: chromium) else {
      throw Failure(description: "install Chromium first: apt-get install chromium")
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scenec-play-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
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
    let file = folder.appendingPathComponent("play.html")
    try page.write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: chromium)
    process.arguments = [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
      "--autoplay-policy=no-user-gesture-required", "--user-data-dir=\(folder.path)/profile",
      "--enable-logging=stderr", "--v=0", "--remote-debugging-port=0", file.absoluteString,
    ]
    // The page tells what happened by its console, which goes to a file.
    let log = folder.appendingPathComponent("log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    var result = ""
    let end = Date().addingTimeInterval(30)
    while result.isEmpty, Date() < end, process.isRunning {
      usleep(200_000)
      let text = String(decoding: (try? Data(contentsOf: log)) ?? Data(), as: UTF8.self)
      if let mark = text.range(of: "scenec-play: ") {
        result = String(text[mark.upperBound...].prefix { $0 != "\"" })
      }
    }
    process.terminate()
    process.waitUntilExit()
    print("Chromium: \(result)")
    guard result.hasPrefix("played") else { throw Failure(description: "it does not play") }
  }
}
