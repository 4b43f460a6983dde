// SPDX-License-Identifier: MIT
import CLinux
import SceneCheck
import SceneFiles
import SceneSyntax
import SceneSystem
import SceneText

/// The project of a scene: the nearest file `project.scene` in its folder or a folder above.
struct Project {
  /// The absolute path of the file.
  let path: String
  /// The absolute path of the folder that contains all files of the scenes.
  let root: String
  private let file: ProjectFile
  /// The limits with literal values, by name.
  private let limits: [String: Double]

  /// Finds the project of the scene `scene` in `folder`, or returns `nil` if there is none.
  ///
  /// A file without a `project` is not one, and neither is a file of another user. `open` contains
  /// the texts that replace files, by absolute path.
  init?(
    of scene: String, in folder: String, open: [String: [UInt8]] = [:]
  ) throws(FileError) {
    guard var place = Files.resolved(folder) else { return nil }
    let owners = [FileStatus(path: place)?.owner, geteuid(), 0]
    var up = ""
    while true {
      let path = (place == "/" ? "" : place) + "/" + ProjectFile.name
      if let status = FileStatus(path: path), status.isRegular, owners.contains(status.owner) {
        let bytes: [UInt8] = if let text = open[path] { text } else { try SceneFile.read(path) }
        if let syntax = ProjectSyntax(
          parse(SourceFile(id: FileID(0), name: path, bytes: bytes)).tree)
        {
          let isItself = up.isEmpty && scene.split(separator: "/").last == ProjectFile.name[...]
          self.path = path
          let root = Project.root(syntax, in: place)
          self.root = root ?? place
          file = ProjectFile(
            path: up + ProjectFile.name, bytes: isItself ? nil : bytes, lacksRoot: root == nil)
          limits = syntax.literalLimits
          return
        }
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
      up += "../"
    }
  }

  /// Returns the root folder; `nil` if it does not exist. A root that is not a literal or leaves the
  /// folder, which the check reports, is replaced by the folder.
  private static func root(_ syntax: ProjectSyntax, in folder: String) -> String? {
    guard let text = syntax.root?.literalText, !text.hasPrefix("/") else { return folder }
    guard let root = Files.resolved("\(folder)/\(text)") else { return nil }
    return ReadableRoot(folder)?.contains(root) == true ? root : folder
  }

  /// Applies the project to the options of a check.
  func apply(to options: inout CheckOptions, isTrusted: Bool) {
    options.project = file
    options.project?.refusedLimits = options.limits.apply(limits, isTrusted: isTrusted)
  }
}
