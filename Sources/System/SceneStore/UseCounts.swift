// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// The cache hits and misses of builds in a folder. One line is appended per build, so that any
/// number of processes can write concurrently.
package struct UseCounts: Hashable, Sendable {
  package private(set) var builds = 0
  /// The numbers of cached and of newly encoded segments.
  package private(set) var taken = 0
  package private(set) var made = 0

  private static let name = "uses"
  /// The file size in bytes from which the lines are merged into one.
  private static let largest = 1 << 16

  /// Reads the totals of a folder; zero if the file does not exist.
  package init(of folder: String) {
    let file = Files.open(UseCounts.path(folder), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    guard let status = FileStatus(file: file), status.isRegular else { return }
    let bytes = Files.head(of: file, count: min(status.size, 2 * UseCounts.largest))
    for line in bytes.split(separator: 10) {
      let numbers = String(decoding: line, as: UTF8.self).split(separator: " ").map {
        Int($0).flatMap { (0...1 << 50).contains($0) ? $0 : nil }
      }
      guard numbers.count == 3, let count = numbers[0], let taken = numbers[1],
        let made = numbers[2]
      else { continue }
      builds += count
      self.taken += taken
      self.made += made
    }
  }

  /// Records a build. Failures are ignored, since nothing depends on the counts.
  package static func add(taken: Int, made: Int, to folder: String) {
    let line = Array("1 \(taken) \(made)\n".utf8)
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
    let file = Files.open(path(folder), flags, permissions: 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    guard let status = FileStatus(file: file), status.isRegular else { return }
    _ = Files.write(file, line)
    guard status.size > largest else { return }
    let sum = UseCounts(of: folder)
    let own = path(folder) + "." + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let new = Files.open(own, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
    guard new >= 0 else { return }
    let text = Array("\(sum.builds) \(sum.taken) \(sum.made)\n".utf8)
    let isWritten = Files.write(new, text) == 0
    close(new)
    if !isWritten || !Files.rename(own, path(folder)) { Files.remove(own) }
  }

  /// Resets the counts.
  package static func remove(from folder: String) { Files.remove(path(folder)) }

  private static func path(_ folder: String) -> String {
    folder.last == "/" ? folder + name : folder + "/" + name
  }
}
