// SPDX-License-Identifier: MIT
import CLinux
import SceneJSON
import SceneSystem

extension Keeper {
  func trace(_ from: String, _ message: JSON) {
    guard logFile >= 0 || isTraced else { return }
    let what =
      message["method"].string ?? (message["error"].isNull ? "a response" : "an error response")
    let line = "\(from): \(what) \(message["id"].isNull ? "" : Keeper.text(message["id"]))"
    note(line)
    if isTraced, message["method"] != "$/logTrace" {
      tell("$/logTrace", ["message": .string(line)])
    }
  }

  func note(_ line: String) {
    guard logFile >= 0 else { return }
    _ = Files.write(logFile, Array("\(SystemClock.timeOfDay) \(line)\n".utf8))
  }

  /// Logs the reason of a worker's exit, without any content of a scene. Returns the path of the
  /// log, or `nil` if nothing was written.
  func report(_ status: Int32) -> String? {
    guard let reports else { return nil }
    var folder = ""
    for part in reports.split(separator: "/") {
      folder += "/" + part
      if !Files.exists(folder) { _ = Files.makeFolder(folder, permissions: 0o700) }
    }
    let path = "\(reports)/lsp.log"
    let file = Files.open(path, O_WRONLY | O_CREAT | O_APPEND, permissions: 0o600)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let how = status < 0 ? "signal \(-status)" : "status \(status)"
    let line =
      "\(SystemClock.timeOfDay) scenec \(version): the worker exited with \(how); the last request was \(lastMethod)\n"
    return Files.write(file, Array(line.utf8)) == 0 ? path : nil
  }
}
