// SPDX-License-Identifier: MIT
import CLinux
import SceneFiles
import SceneSystem

/// The location of an output file, validated before the work starts.
package struct OutputPlace {
  /// The path with links followed.
  let path: String
  let directory: String
  /// The folder, if it was missing and has been created.
  let madeFolder: String?

  /// Validates the location. Files in `inputs` are never overwritten. A missing folder is created
  /// if its parent exists. `nameHelp` is the help of the error if the name cannot be used.
  init(_ wanted: String, inputs: [String], nameHelp: String? = nil) throws(FileError) {
    self = try OutputPlace(wanted, keeping: FileIdentity.set(of: inputs), nameHelp: nameHelp)
  }

  init(
    _ wanted: String, keeping inputs: Set<FileIdentity>, nameHelp: String? = nil
  ) throws(FileError) {
    guard !wanted.isEmpty, !wanted.hasSuffix("/") else {
      throw FileError("'\(wanted)' does not name a file")
    }
    let resolved = Files.resolved(wanted)
    if resolved == nil, Files.errno == ELOOP {
      throw FileError("'\(wanted)' is a link to itself", help: nameHelp)
    }
    path = resolved ?? OutputPlace.followed(wanted)
    if let status = FileStatus(path: path) {
      if status.isFolder {
        throw FileError("'\(wanted)' is a folder", help: nameHelp ?? "add a file name")
      }
      if !status.isRegular {
        throw FileError(
          "'\(wanted)' is not a regular file", help: nameHelp ?? "use -o - for a pipe")
      }
      if inputs.contains(status.identity) {
        throw FileError(
          "'\(wanted)' is an input of the scene and cannot be overwritten", help: nameHelp)
      }
    }
    directory = OutputPlace.split(path).directory
    madeFolder = try OutputPlace.makeFolder(directory) ? directory : nil
  }

  /// Returns the target of a dangling link. The file is created there, and the link stays.
  private static func followed(_ link: String) -> String {
    guard let target = Files.target(of: link) else { return link }
    let whole = target.hasPrefix("/") ? target : "\(split(link).directory)/\(target)"
    return Files.resolved(whole) ?? followed(whole)
  }

  /// Returns a path that is equal for all names of a location, with links in its folders followed.
  package static func name(of path: String) -> String {
    if let resolved = Files.resolved(path) { return resolved }
    // A circular link has no target.
    let (directory, name) = split(Files.errno == ELOOP ? path : followed(path))
    return (Files.resolved(directory) ?? directory) + "/" + name
  }

  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }

  /// Creates a folder whose parent exists, since a path with several missing folders is probably
  /// mistyped. Returns whether the folder was missing.
  private static func makeFolder(_ directory: String) throws(FileError) -> Bool {
    if let status = FileStatus(path: directory) {
      guard status.isFolder else {
        throw FileError("'\(directory)' is a file, not a folder")
      }
      return false
    }
    if Files.makeFolder(directory, permissions: 0o777) { return true }
    if Files.errno == EEXIST { return false }
    if Files.errno == ENOENT, FileStatus(path: split(directory).directory) == nil {
      throw FileError(
        "folder '\(split(directory).directory)' not found",
        help: "create it with mkdir -p, or choose another folder with -o")
    }
    throw FileError(
      "cannot create folder '\(directory)': \(Files.reason())",
      help: "choose another folder with -o")
  }

  /// Removes the created folder after a failed build if it is still empty.
  func removeMadeFolder() {
    if let madeFolder { Files.removeFolder(madeFolder) }
  }

  static func refusal(_ directory: String) -> FileError {
    FileError(
      "cannot write to folder '\(directory)': \(Files.reason())",
      help: "choose another folder with -o")
  }

  /// Syncs the names in a folder.
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
