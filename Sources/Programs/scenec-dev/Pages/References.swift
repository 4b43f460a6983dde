// SPDX-License-Identifier: MIT
import Foundation

/// Writes the character references of HTML, taken from Python, to the file that is embedded in the
/// program.
enum References {
  private static let path = "Sources/Film/SceneModel/references.txt"
  private static let script = """
    import html.entities
    for name, text in sorted(html.entities.html5.items()):
        print(name, *(f"{ord(c):X}" for c in text))
    """

  static func run() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let table = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, !table.isEmpty else {
      throw Failure(description: "python3 does not list the names")
    }
    try table.write(to: URL(fileURLWithPath: path))
  }
}
