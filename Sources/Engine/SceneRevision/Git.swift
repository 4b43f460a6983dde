// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import SceneFiles
import SceneSystem

/// Runs git in the repository of a folder. git reads objects only: it runs no filters, no text
/// conversions and no hooks, and does not use the network.
struct Git {
  private static let largestAnswer = 256 << 20

  let folder: String

  /// The result of a call of git.
  struct Answer {
    let status: Int32
    let output: [UInt8]
    let errors: String

    var text: String {
      var text = String(decoding: output, as: UTF8.self)
      if text.hasSuffix("\n") { text.removeLast() }
      return text
    }
  }

  /// Runs git and returns its exit status, output and error messages.
  func callAsFunction(_ words: String...) throws(FileError) -> Answer {
    let file = scene_memory_file("git")
    guard file >= 0 else { throw FileError("cannot run git: \(Files.reason())") }
    defer { close(file) }
    let (status, errors) = try run(words, writingTo: file)
    return Answer(
      status: status, output: Files.head(of: file, count: Git.largestAnswer), errors: errors)
  }

  /// Writes the content of an object to a file.
  func write(object: String, to file: Int32) throws(FileError) {
    let (status, errors) = try run(["cat-file", "blob", object], writingTo: file)
    guard status == 0 else { throw Git.failure(errors) }
  }

  static func failure(_ errors: String) -> FileError {
    let line = errors.split(separator: "\n").first.map(String.init) ?? "unknown reason"
    let reason = line.hasPrefix("fatal: ") ? String(line.dropFirst(7)) : line
    return FileError("git failed: \(reason)")
  }

  private func run(_ words: [String], writingTo file: Int32) throws(FileError) -> (
    status: Int32, errors: String
  ) {
    let all =
      [
        "git", "--no-pager", "--literal-pathspecs", "-c", "core.fsmonitor=false", "-c",
        "protocol.allow=never", "-C", folder,
      ] + words
    let bytes = all.flatMap { word in
      word.utf8.filter { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }
    let errors = scene_memory_file("git")
    guard errors >= 0 else { throw FileError("cannot run git: \(Files.reason())") }
    defer { close(errors) }
    // Safe: the new process copies the arguments before this call returns.
    let process = unsafe scene_start_writing(bytes, Int32(all.count), file, errors)
    guard process > 0 else {
      let code = Files.errno
      throw code == ENOENT
        ? FileError("git is not installed", help: "install git, or compare two files")
        : FileError("cannot run git: \(Files.reason(code))")
    }
    let status = scene_wait_status(process)
    return (status, String(decoding: Files.head(of: errors, count: 1 << 16), as: UTF8.self))
  }
}
