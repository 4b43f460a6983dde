// SPDX-License-Identifier: MIT
import SceneSystem

/// Where things are kept from one run to the next, and how many bytes of packets.
package struct StorePlace: Hashable, Sendable {
  /// `nil` where nothing is kept.
  package var path: String?
  package var limit = 4 << 30

  package init(_ path: String?) { self.path = path }

  /// `SCENEC_CACHE`, which says by nothing that nothing is to be kept; else below `XDG_CACHE_HOME`, by
  /// default `~/.cache`. There is none without a home.
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

  /// Encoded pictures and sounds.
  package var packets: StoreFolder? { folder("packets") }

  /// What made them, by what was wanted.
  package var makers: StoreFolder? { folder("makers") }

  /// What clips are, and what is measured of their sound.
  package var clips: StoreFolder? { folder("clips") }

  /// What images are.
  package var images: StoreFolder? { folder("images") }
}
