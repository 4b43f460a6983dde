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
      <!doctype html><title>waiting</title><video id=v muted src="\(source)"></video><p id=out>waiting</p>
      <script>
      const say = (text) => { document.getElementById("out").textContent = text; };
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
      "--timeout=10000", "--virtual-time-budget=8000", "--dump-dom", file.absoluteString,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let dom = String(decoding: data, as: UTF8.self)
    guard let start = dom.range(of: "<p id=\"out\">"), let end = dom.range(of: "</p>"),
      start.upperBound <= end.lowerBound
    else { throw Failure(description: "Chromium showed no page") }
    let result = String(dom[start.upperBound..<end.lowerBound])
    print("Chromium: \(result)")
    guard result.hasPrefix("played") else { throw Failure(description: "it does not play") }
  }
}
