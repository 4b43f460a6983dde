// SPDX-License-Identifier: MIT
import SceneFiles
import SceneModel
import SceneSystem

/// The golden frames of a scene file that no longer exists.
struct AbandonedGoldens {
  /// The folder, such as `films/goldens/intro`.
  let path: String
  /// The path of the missing scene file, such as `films/intro.scene`.
  let scene: String
  /// The folders of its scenes and layouts, each with an index.
  private let folders: [GoldenFolder]

  /// Returns the abandoned golden frames in a folder `goldens`. Folders without an index of golden
  /// frames are ignored, since other programs can use the same name.
  static func all(in goldens: String) -> [AbandonedGoldens] {
    let around = String(goldens.dropLast("goldens".count))
    return subfolders(of: goldens).compactMap { stem in
      // A scene behind a dangling link or on an unavailable disk still needs its images.
      guard Files.isMissing("\(around)\(stem).scene"), Files.isMissing(around + stem) else {
        return nil
      }
      let folders = subfolders(of: "\(goldens)/\(stem)").compactMap { own -> GoldenFolder? in
        let folder = try? GoldenFolder("goldens/\(stem)/\(own)", below: around)
        return folder?.hasIndex == true ? folder : nil
      }
      guard !folders.isEmpty else { return nil }
      return AbandonedGoldens(
        path: "\(goldens)/\(stem)", scene: "\(around)\(stem).scene", folders: folders)
    }
  }

  private static func subfolders(of path: String) -> [String] {
    Files.names(in: path) { !$0.hasPrefix(".") }.filter {
      let inner = "\(path)/\($0)"
      return Files.target(of: inner) == nil && FileStatus(path: inner)?.isFolder == true
    }.sorted()
  }

  private var imageCount: Int { folders.reduce(0) { $0 + $1.count } }

  /// The message about the missing scene file.
  var message: String {
    "the scene file '\(scene)' of \(NumberFormat.count(imageCount, of: "golden frame")) does not exist"
  }

  /// The advice on how to keep or delete the images.
  var help: String {
    "if the file was renamed, rename the folder '\(path)', too; 'scenec test --accept' deletes the images"
  }

  /// The path of the first index.
  var index: String { (folders.first?.path ?? path) + "/goldens.json" }

  /// Deletes the images that scenec wrote, and the folders that are empty afterward. Returns a note
  /// about the deleted images.
  func remove() -> String {
    for folder in folders { folder.removeAll() }
    Files.removeFolder(path)
    Files.removeFolder(String(path.dropLast(path.split(separator: "/").last?.count ?? 0)))
    return
      "deleted \(NumberFormat.count(imageCount, of: "golden frame")) of the missing file '\(scene)'"
  }
}
