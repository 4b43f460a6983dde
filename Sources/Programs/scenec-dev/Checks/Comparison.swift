// SPDX-License-Identifier: MIT
import Foundation
import SceneLibrary
import Synchronization

/// Runs two builds of scenec on the same scenes and compares all output byte by byte: messages,
/// models, frame programs, stills, vector files and short videos.
struct Comparison {
  /// A file and the commands to run on it.
  private struct Case {
    let name: String
    let file: String
    let calls: [[String]]
  }

  private let programs: [String]
  private let folder = FileManager.default.currentDirectoryPath + "/build/compare"

  /// `old` and `new` are folders that contain `scenec` and its helper programs.
  init(old: String, new: String) throws {
    programs = try [old, new].map { folder in
      let program = URL(fileURLWithPath: folder).appendingPathComponent("scenec").path
      guard FileManager.default.isExecutableFile(atPath: program) else {
        throw Failure(description: "no program \(program)")
      }
      return program
    }
  }

  /// Returns the outputs that differ. They are stored in `build/compare`.
  func run() throws -> [String] {
    try? FileManager.default.removeItem(atPath: folder)
    let cases = try examples() + pages()
    let found = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: cases.count) { index in
      let lines: [String]
      do {
        lines = try differences(cases[index])
      } catch {
        lines = ["\(cases[index].name): \(error)"]
      }
      found.withLock { $0 += lines }
    }
    let outputs = cases.reduce(0) { $0 + $1.calls.count }
    print("\(outputs) outputs of \(cases.count) scenes compared")
    return found.withLock { $0.sorted() }
  }

  private func differences(_ item: Case) throws -> [String] {
    let home = "\(folder)/\(item.name)"
    var found: [String] = []
    for (index, call) in item.calls.enumerated() {
      let sides = ["old", "new"].map { "\(home)/\(index)-\($0)" }
      let runs = try zip(sides, programs).map { side, program in
        try FileManager.default.createDirectory(atPath: side, withIntermediateDirectories: true)
        return try Tool.run([program] + call, in: side)
      }
      let isSame = try runs[0] == runs[1] && files(sides[0]) == files(sides[1])
      if isSame {
        for side in sides { try FileManager.default.removeItem(atPath: side) }
      } else {
        for (run, side) in zip(runs, sides) {
          try "\(run.output)\n\(run.errors)\nexit \(run.status)\n".write(
            toFile: "\(side)/printed.txt", atomically: true, encoding: .utf8)
        }
        found.append("\(item.name): scenec \(call.joined(separator: " "))")
      }
    }
    if found.isEmpty { try FileManager.default.removeItem(atPath: home) }
    return found
  }

  private func files(_ folder: String) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let pairs = try names.map {
      ($0, try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  // MARK: Scenes

  /// Returns the examples, including those of the benchmark, in every supported format.
  private func examples() throws -> [Case] {
    let here = FileManager.default.currentDirectoryPath
    let found = try FileManager.default.subpathsOfDirectory(atPath: "Examples").sorted()
    let files = found.filter { $0.hasSuffix(".scene") }.map { "Examples/\($0)" }
    return (files + ["Grammar/pictures/easings.scene"]).map { path in
      let file = "\(here)/\(path)"
      return Case(
        name: path.replacingOccurrences(of: "/", with: "-"), file: file,
        calls: Comparison.texts(file) + [
          ["sheet", file, "--count", "12", "--width", "960", "-o", "sheet.png"],
          ["frame", file, "--frame", "20", "-o", "still.png"],
          ["frame", file, "--frame", "20", "-o", "still.svg"],
          ["frame", file, "--frame", "20", "-o", "still.pdf"],
          ["build", file, "--to", "0.5s", "--scale", "0.5", "--quiet", "-o", "short.mp4"],
        ])
    }
  }

  /// Returns the examples of the manual, from which its golden images are rendered.
  private func pages() throws -> [Case] {
    let home = "\(folder)/manual"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Gallery.assets, toPath: home)
    return try Gallery.pages.map { page, path in
      let name = path.split(separator: "/").suffix(2).joined(separator: "-")
      let file = "\(home)/\(name).scene"
      try Gallery.source(of: page).write(toFile: file, atomically: true, encoding: .utf8)
      return Case(
        name: name, file: file,
        calls: Comparison.texts(file) + [
          ["sheet", file, "--count", "4", "--width", "640", "-o", "sheet.png"]
        ])
    }
  }

  /// Returns the commands that print text about a file: messages, the model, and the frame program
  /// of a frame.
  private static func texts(_ file: String) -> [[String]] {
    [["check", file, "--format", "json"], ["ir", file], ["ir", file, "--frame", "20"]]
  }
}
