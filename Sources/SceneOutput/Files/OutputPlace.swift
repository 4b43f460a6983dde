// SPDX-License-Identifier: MIT
import CLinux
import SceneFiles
import SceneSystem

/// Where a file is to be written, checked before the work begins.
package struct OutputPlace {
  /// With links followed.
  let path: String
  let directory: String
  /// The folder, if it was missing and has been made.
  let madeFolder: String?

  /// `inputs` are files that must not be overwritten. A missing folder is made if the folder around it exists.
  init(_ wanted: String, inputs: [String]) throws(FileFault) {
    self = try OutputPlace(wanted, keeping: FileIdentity.set(of: inputs))
  }

  init(_ wanted: String, keeping inputs: Set<FileIdentity>) throws(FileFault) {
    guard !wanted.isEmpty, !wanted.hasSuffix("/") else {
      throw FileFault("'\(wanted)' does not name a file")
    }
    let resolved = Files.resolved(wanted)
    if resolved == nil, Files.errno == ELOOP {
      throw FileFault("'\(wanted)' is a link to itself")
    }
    path = resolved ?? OutputPlace.followed(wanted)
    if let status = FileStatus(path: path) {
      if status.isFolder {
        throw FileFault("'\(wanted)' is a folder", help: "add a file name")
      }
      if !status.isRegular {
        throw FileFault("'\(wanted)' is not a regular file", help: "use -o - for a pipe")
      }
      if inputs.contains(status.identity) {
        throw FileFault("'\(wanted)' is an input of the scene and cannot be overwritten")
      }
    }
    directory = OutputPlace.split(path).directory
    madeFolder = try OutputPlace.makeFolder(directory) ? directory : nil
  }

  /// Where a link leads though there is nothing yet: the file is made there, and the link stays.
  private static func followed(_ link: String) -> String {
    guard let target = Files.target(of: link) else { return link }
    let whole = target.hasPrefix("/") ? target : "\(split(link).directory)/\(target)"
    return Files.resolved(whole) ?? followed(whole)
  }

  /// A path that is the same for all names of a place: links and detours of its folders are followed.
  package static func name(of path: String) -> String {
    if let resolved = Files.resolved(path) { return resolved }
    // A ring of links leads nowhere.
    let (directory, name) = split(Files.errno == ELOOP ? path : followed(path))
    return (Files.resolved(directory) ?? directory) + "/" + name
  }

  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }

  /// Makes a folder in one that exists, since a path of several missing folders is more likely mistyped. Whether
  /// it was missing.
  private static func makeFolder(_ directory: String) throws(FileFault) -> Bool {
    if let status = FileStatus(path: directory) {
      guard status.isFolder else {
        throw FileFault("'\(directory)' is a file, not a folder")
      }
      return false
    }
    if Files.makeFolder(directory, permissions: 0o777) { return true }
    if Files.errno == EEXIST { return false }
    if Files.errno == ENOENT {
      throw FileFault(
        "folder '\(split(directory).directory)' not found",
        help: "create it with mkdir -p, or choose another folder with -o")
    }
    throw FileFault(
      "cannot create folder '\(directory)': \(Files.reason())",
      help: "choose another folder with -o")
  }

  /// After a build that failed: its folder goes, if it is still empty.
  func removeMadeFolder() {
    if let madeFolder { Files.removeFolder(madeFolder) }
  }

  static func refusal(_ directory: String) -> FileFault {
    FileFault(
      "cannot write to folder '\(directory)': \(Files.reason())",
      help: "choose another folder with -o")
  }

  /// Makes the names in a folder durable.
  static func sync(_ directory: String) {
    let folder = Files.open(directory, O_RDONLY | O_DIRECTORY)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

extension FileIdentity {
  static func set(of paths: [String]) -> Set<FileIdentity> {
    Set(paths.compactMap { FileStatus(path: $0)?.identity })
  }
}
