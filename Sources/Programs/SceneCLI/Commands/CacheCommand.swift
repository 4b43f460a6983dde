// SPDX-License-Identifier: MIT
import SceneFiles
import SceneSession
import SceneStore

/// The `scenec cache` command: shows the cache; `scenec cache clean` empties it.
struct CacheCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    var reader = OptionReader(call)
    let place = StorePlace(&reader)
    let age = reader.read("older-than") { text throws(Invocation.Failure) in try Age.parse(text) }
    let isCleaning = call.operands == ["clean"]
    if !isCleaning, !call.operands.isEmpty {
      reader.report(
        "unknown argument '\(call.operands.joined(separator: " "))' of 'cache', expected 'clean'")
    }
    if reader.has("older-than"), !isCleaning {
      reader.report("'--older-than' requires 'scenec cache clean'")
    }
    try console.accept(reader, load: LoadOptions(), paths: [])
    guard let path = place.path, let packets = place.packets, let makers = place.makers,
      let clips = place.clips, let images = place.images
    else {
      console.result("the cache is disabled: no cache folder, or SCENEC_CACHE is empty")
      return .done
    }
    if let obstacle = packets.obstacle {
      throw FileError("the cache '\(packets.path)' \(obstacle)")
    }
    if isCleaning {
      _ = makers.clean(unusedFor: age ?? 0)
      if age == nil { UseCounts.remove(from: path) }
      let removed = [packets, clips, images].map { $0.clean(unusedFor: age ?? 0) }
      let (count, bytes) = removed.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.bytes) }
      console.result("removed \(count) \(count == 1 ? "file" : "files"), \(ByteCount.text(bytes))")
      return .done
    }
    console.result("\(path), limit \(ByteCount.text(place.limit))")
    let parts = [
      ("video and audio", packets), ("clip metadata", clips), ("image metadata", images),
    ]
    for (name, folder) in parts {
      let usage = folder.usage
      let age = usage.count == 0 ? "" : ", the oldest unused for \(Age.text(usage.age))"
      console.result(
        "  \(name): \(usage.count) \(usage.count == 1 ? "file" : "files"), \(ByteCount.text(usage.bytes))\(age)"
      )
    }
    let uses = UseCounts(of: path)
    if uses.builds > 0 {
      let sum = max(1, uses.taken + uses.made)
      console.result(
        "  \(uses.builds) \(uses.builds == 1 ? "build" : "builds"), \(uses.taken) of \(sum) segments from the cache (\(100 * uses.taken / sum) %)"
      )
    }
    return .done
  }
}
