// SPDX-License-Identifier: MIT
import CLinux
package import SceneCairo
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneRaster
import SceneSyntax
import SceneSystem
import SceneText

/// The project of a scene: the nearest file `project.scene` in its folder or a folder above.
struct Project {
  /// The absolute path of the folder that contains all files of the scenes.
  let root: String
  private let file: ProjectFile
  /// The absolute path of the folder of the project file.
  private let folder: String
  /// The names of font files, or patterns for them.
  private let fonts: [String]
  /// The limits with literal values, by name.
  private var limits: [String: Double]

  /// The project of a scene, and the files that determine it.
  struct Search {
    var project: Project?
    /// The project file, and the paths in nearer folders at which another one could appear.
    var inputs = InputFiles()
  }

  /// Finds the project of the scene `scene` in `folder`.
  ///
  /// A file without a `project` declaration is skipped. `open` contains the texts that replace
  /// files, by absolute path.
  static func search(
    for scene: String, in folder: String, open: [String: [UInt8]] = [:]
  ) throws(FileError) -> Search {
    var search = Search()
    guard var place = Files.resolved(folder) else { return search }
    let start = place
    var missing: [String] = []
    var up = ""
    while true {
      let path = (place == "/" ? "" : place) + "/" + ProjectFile.name
      if Project.isTrustworthy(path, in: place, forScenesIn: start) {
        // The state of the file before it is read.
        search.inputs = search.inputs.adding(InputFiles([path]))
        let bytes: [UInt8] = if let text = open[path] { text } else { try SceneFile.read(path) }
        let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
        let parsed = parse(source)
        if let syntax = ProjectSyntax(parsed.tree) ?? Project.unreadable(parsed) {
          let isItself = up.isEmpty && scene.split(separator: "/").last == ProjectFile.name[...]
          search.project = Project(
            syntax, in: place, from: folder, up: up, bytes: isItself ? nil : bytes)
          // The limits of an incomplete project could be misleading.
          if parsed.diagnostics.hasErrors { search.project?.limits = [:] }
          break
        }
      } else {
        missing.append(path)
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { break }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
      up += "../"
    }
    // A project above the nearest folders appears rarely, and each watched folder has a cost.
    search.inputs.addMissing(search.project == nil ? Array(missing.prefix(2)) : missing)
    return search
  }

  private init(
    _ syntax: ProjectSyntax, in place: String, from folder: String, up: String, bytes: [UInt8]?
  ) {
    let root = Project.root(syntax, in: place)
    self.root = root ?? place
    self.folder = place
    fonts = syntax.fonts.compactMap(\.literalText)
    file = ProjectFile(
      path: up + ProjectFile.name, name: Project.name(in: place, from: folder, up: up),
      bytes: bytes, lacksRoot: root == nil)
    limits = syntax.literalLimits
  }

  /// Returns an empty project for a file whose declarations cannot be read, so that its errors are
  /// reported; `nil` for other files.
  private static func unreadable(_ parsed: Parsed) -> ProjectSyntax? {
    guard parsed.diagnostics.hasErrors, declarations(of: parsed.tree).isEmpty else { return nil }
    return ProjectSyntax(.empty)
  }

  /// Returns whether a file is regular, not a link, and belongs to the user or to root, or to the
  /// owner of both its folder and the folder of the scene, where no other user can write.
  private static func isTrustworthy(
    _ path: String, in folder: String, forScenesIn other: String
  ) -> Bool {
    guard let file = FileStatus(path: path), file.isRegular, Files.target(of: path) == nil else {
      return false
    }
    if [geteuid(), 0].contains(file.owner) { return true }
    guard let place = FileStatus(path: folder) else { return false }
    return place.permissions & 0o022 == 0 && place.owner == file.owner
      && FileStatus(path: other)?.owner == file.owner
  }

  /// Returns the name of the project in messages: relative like the name of the scene, if a
  /// relative name denotes the same file.
  private static func name(in place: String, from folder: String, up: String) -> String {
    let path = (place == "/" ? "" : place) + "/" + ProjectFile.name
    var parts = folder.split(separator: "/")[...]
    var rest = up[...]
    while rest.hasPrefix("../"), let last = parts.last, last != "..", last != "." {
      parts.removeLast()
      rest = rest.dropFirst(3)
    }
    if parts.last == "." { parts.removeLast() }
    let start = folder.hasPrefix("/") ? "/" : ""
    let name = start + (parts + [rest + ProjectFile.name[...]]).joined(separator: "/")
    return Files.resolved(name) == path ? name : path
  }

  /// Returns the root folder; `nil` if it does not exist or a link leads out of the folder. A root
  /// that is not a literal or leaves the folder as written, which the check reports, is replaced by
  /// the folder.
  private static func root(_ syntax: ProjectSyntax, in folder: String) -> String? {
    guard let text = syntax.root?.literalText, !text.hasPrefix("/") else { return folder }
    guard let root = Files.resolved("\(folder)/\(text)") else { return nil }
    guard ReadableRoot(folder)?.contains(root) == true else {
      return text.split(separator: "/").contains("..") ? folder : nil
    }
    return FileStatus(path: root)?.isFolder == true ? root : nil
  }

  /// Adds the fonts of the project to a library. Files that are not fonts are ignored.
  fileprivate func addFonts(to library: FontLibrary) {
    guard let assets = AssetFolder(root: root, folder: folder, fonts: library) else { return }
    for name in fonts {
      for path in name.contains("*") ? assets.files(matching: name) : [name] {
        _ = try? assets.font(path)
      }
    }
  }

  /// Applies the project to the options of a check.
  func apply(to options: inout CheckOptions, isTrusted: Bool) {
    options.project = file
    options.project?.refusedLimits = options.limits.apply(limits, isTrusted: isTrusted)
  }
}

extension FontLibrary {
  /// Adds the fonts of the project that applies to the scenes in a folder, if there is one.
  package func addProjectFonts(forScenesIn folder: String) {
    try? Project.search(for: "", in: folder).project?.addFonts(to: self)
  }
}
