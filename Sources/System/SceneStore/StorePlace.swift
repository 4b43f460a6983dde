// SPDX-License-Identifier: MIT
import SceneSystem

/// The location of the cache, and the maximum number of bytes of packets.
package struct StorePlace: Hashable, Sendable {
  /// The path of the folder; `nil` to disable the cache.
  package var path: String?
  package var limit = 4 << 30

  package init(_ path: String?) { self.path = path }

  /// The location from `SCENEC_CACHE`, where an empty value disables the cache. Otherwise a folder
  /// below `XDG_CACHE_HOME`, by default `~/.cache`. Disabled without a home folder.
  package static var ofUser: StorePlace {
    if let given = OwnProcess.environment("SCENEC_CACHE") {
      return StorePlace(given.isEmpty ? nil : given)
    }
    let own = OwnProcess.environment("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = OwnProcess.environment("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    return StorePlace((own ?? home).map { $0 + "/scenec" })
  }

  private func folder(_ name: String) -> StoreFolder? {
    path.map { StoreFolder($0.last == "/" ? $0 + name : $0 + "/" + name) }
  }

  /// The folder of encoded video and audio packets; `nil` if caching is off.
  package var packets: StoreFolder? { folder("packets") }

  /// The folder of the encoders that produced the packets, by requested settings.
  package var makers: StoreFolder? { folder("makers") }

  /// The folder of clip properties, and of measurements of their audio.
  package var clips: StoreFolder? { folder("clips") }

  /// The folder of image properties.
  package var images: StoreFolder? { folder("images") }
}
