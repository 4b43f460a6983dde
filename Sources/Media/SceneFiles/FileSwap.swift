// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// Replaces the text of a file only if the current text is known, without ever losing a concurrent
/// save of another program.
package enum FileSwap {
  /// The result of a replacement.
  package enum Outcome: Equatable {
    case done
    /// The file has different content.
    case changed
    /// The system denied the operation for this reason.
    case refused(String)
  }

  /// Replaces `known` with `new`. The new text is written to a temporary file, and the two names
  /// are exchanged. If the exchanged content is not the known text, the names are exchanged back.
  package static func replace(_ path: String, _ known: [UInt8], by new: [UInt8]) -> Outcome {
    guard let place = Files.resolved(path), let status = FileStatus(path: place) else {
      return .changed
    }
    guard status.isRegular, Files.exists(place, W_OK) else {
      return .refused("'\(path)' cannot be written")
    }
    guard (try? SceneFile.read(place)) == known else { return .changed }
    let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let folder = SceneFile.folder(of: place)
    let other = "\(folder)/.\(place.split(separator: "/").last ?? "scene").\(suffix)"
    guard write(new, to: other, permissions: status.permissions) else {
      Files.remove(other)
      return .refused("'\(folder)' cannot be written: \(Files.reason())")
    }
    guard Files.exchange(place, other) else {
      return replaceWithoutExchange(place, by: other, old: status)
    }
    return settle(place, other, put: new, known: known)
  }

  /// Verifies an exchange. If the content that is now at `other` is not the known text, it is moved
  /// back, unless the file was saved again; then that version is moved back, and so on.
  private static func settle(_ place: String, _ other: String, put new: [UInt8], known: [UInt8])
    -> Outcome
  {
    var out = try? SceneFile.read(other)
    if out == known {
      Files.remove(other)
      return .done
    }
    var put = new
    while let last = out, Files.exchange(place, other) {
      out = try? SceneFile.read(other)
      if out == put {
        Files.remove(other)
        return .changed
      }
      put = last
    }
    // Content that cannot be moved back stays beside the file.
    return .changed
  }

  /// Replaces a file on a file system that cannot exchange names. Checks it again immediately
  /// before renaming.
  private static func replaceWithoutExchange(_ place: String, by other: String, old: FileStatus)
    -> Outcome
  {
    guard let now = FileStatus(path: place), now.identity == old.identity, now.size == old.size,
      now.written == old.written
    else {
      Files.remove(other)
      return .changed
    }
    guard Files.rename(other, place) else {
      let reason = Files.reason()
      Files.remove(other)
      return .refused("'\(place)' cannot be written: \(reason)")
    }
    return .done
  }

  private static func write(_ bytes: [UInt8], to path: String, permissions: UInt32) -> Bool {
    let file = Files.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
    guard file >= 0 else { return false }
    defer { close(file) }
    fchmod(file, permissions)
    return Files.write(file, bytes) == 0 && fsync(file) == 0
  }
}
