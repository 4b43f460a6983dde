// SPDX-License-Identifier: MIT
import SceneClips
import SceneFiles
import ScenePixels
import SceneRaster
import SceneStore
import SceneSystem
import Synchronization

/// The state that all writers and readers of a process share: fonts, decoders and cached images.
enum Shared {
  static let decoder = Decoder(program: program("scenec-decode"))
  static let clips = ClipStore(
    program: program("scenec-clip"), cache: StorePlace.ofUser.clips.map(ClipIndexCache.init),
    workers: OwnProcess.processorCount)
  static let metrics = PangoMetrics(fonts)
  static let resources = DrawingResources(fonts: fonts, images: images)
  private static let fonts = FontLibrary()

  static let images: ImageStore = {
    let folder = AssetFolder(root: "/", folder: "/", fonts: fonts, decoder: decoder, clips: clips)
    // Safe: the root folder always exists.
    return ImageStore(folder!)
  }()

  private static let numbers = Atomic<UInt64>(0)

  /// Returns a unique number.
  static func number() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

  /// Returns the path of a decoder executable: beside this program or in an absolute folder of
  /// `PATH`.
  private static func program(_ name: String) -> String? {
    let folders = OwnProcess.environment("PATH")?.split(separator: ":") ?? []
    let places = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    let own = OwnProcess.neighbour(name)
    return ((own.map { [$0] } ?? []) + places).first { Files.exists($0) } ?? own
  }
}
