// SPDX-License-Identifier: MIT
import SceneClips
import SceneFiles
import ScenePixels
import SceneRaster
import SceneStore
import SceneSystem
import Synchronization

/// What all films and clips of a process have in common: fonts, what decodes files, pictures in memory.
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
    // Safe: there is always a folder of that name.
    return ImageStore(folder!)
  }()

  private static let numbers = Atomic<UInt64>(0)

  /// Another one each time.
  static func number() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

  /// One of the programs that read what others made: beside this one, or where scenec is installed.
  private static func program(_ name: String) -> String? {
    let folders = OwnProcess.environment("PATH")?.split(separator: ":") ?? []
    let places = folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
    let own = OwnProcess.neighbour(name)
    return ((own.map { [$0] } ?? []) + places).first { Files.exists($0) } ?? own
  }
}
