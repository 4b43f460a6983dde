// SPDX-License-Identifier: MIT
import CLinux
import SceneSystem

/// Puts a new text in the place of one that is known, so that nothing that another program saves at the
/// same time is ever lost.
package enum FileSwap {
  /// How it ended.
  package enum Outcome: Equatable {
    case done
    /// The file holds something else by now.
    case changed
    /// The system refuses, for this reason.
    case refused(String)
  }

  /// The new text is written beside the file and the two names are exchanged; if what came out is not
  /// what was known, they are exchanged back.
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
    guard write(new, other, status.permissions) else {
      Files.remove(other)
      return .refused("'\(folder)' cannot be written: \(Files.reason())")
    }
    guard Files.exchange(place, other) else {
      return replaceWithoutExchange(place, other, status)
    }
    return settle(place, other, put: new, known: known)
  }

  /// After an exchange: what came out is at the other name. If it is not what was known, it goes back,
  /// unless somebody saved once more; then that goes back, and so on.
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
    // What cannot be put back is kept beside the file.
    return .changed
  }

  /// On file systems that cannot exchange names: looks once more right before.
  private static func replaceWithoutExchange(_ place: String, _ other: String, _ old: FileStatus)
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

  private static func write(_ bytes: [UInt8], _ path: String, _ permissions: UInt32) -> Bool {
    let file = Files.open(path, O_WRONLY | O_CREAT | O_EXCL, permissions: permissions)
    guard file >= 0 else { return false }
    defer { close(file) }
    fchmod(file, permissions)
    return Files.write(file, bytes) == 0 && fsync(file) == 0
  }
}
