// SPDX-License-Identifier: MIT
import CLinux
import SceneRaster

/// Where a file is to be written, checked before the work begins.
struct OutputPlace {
  /// With links followed.
  let path: String
  let directory: String
  /// Folders that were missing, the outermost first.
  private let made: [String]

  /// `inputs` are files that must not be overwritten. Folders that are missing are made.
  init(_ wanted: String, inputs: [String]) throws(OutputFault) {
    self = try OutputPlace(wanted, keeping: FileIdentity.set(of: inputs))
  }

  init(_ wanted: String, keeping inputs: Set<FileIdentity>) throws(OutputFault) {
    guard !wanted.isEmpty, !wanted.hasSuffix("/") else {
      throw OutputFault("'\(wanted)' does not name a file")
    }
    let resolved = AssetFolder.resolved(wanted)
    if resolved == nil, scene_errno() == ELOOP {
      throw OutputFault("'\(wanted)' is a link that leads back to itself")
    }
    path = resolved ?? wanted
    var info = stat()
    if unsafe stat(path, &info) == 0 {
      if unsafe scene_is_directory(&info) != 0 {
        throw OutputFault("'\(wanted)' is a folder", help: "name a file in it")
      }
      if unsafe scene_is_regular(&info) == 0 {
        throw OutputFault("'\(wanted)' is not a regular file", help: "use -o - for a pipe")
      }
      if inputs.contains(FileIdentity(info)) {
        throw OutputFault("'\(wanted)' is read by the scene and cannot be overwritten")
      }
    }
    directory = OutputPlace.split(path).directory
    made = try OutputPlace.makeFolder(directory)
  }

  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = String(path[..<slash])
    return (directory.isEmpty ? "/" : directory, String(path[path.index(after: slash)...]))
  }

  /// Makes a folder and those around it; those that were missing.
  private static func makeFolder(_ directory: String) throws(OutputFault) -> [String] {
    var info = stat()
    if unsafe stat(directory, &info) == 0 {
      guard unsafe scene_is_directory(&info) != 0 else {
        throw OutputFault("'\(directory)' is a file, not a folder")
      }
      return []
    }
    let outer = directory.contains("/") ? try makeFolder(split(directory).directory) : []
    guard unsafe mkdir(directory, 0o777) == 0 || scene_errno() == EEXIST else {
      let reason = unsafe String(cString: strerror(scene_errno()))
      for folder in outer.reversed() { unsafe rmdir(folder) }
      throw OutputFault(
        "cannot make the folder '\(directory)': \(reason)", help: "choose another place with -o")
    }
    return outer + [directory]
  }

  /// After a build that failed: its folders go, if they are still empty.
  func removeMadeFolders() {
    for folder in made.reversed() { unsafe rmdir(folder) }
  }

  static func refusal(_ directory: String) -> OutputFault {
    OutputFault(
      "cannot write in '\(directory)': \(unsafe String(cString: strerror(scene_errno())))",
      help: "choose another place with -o")
  }

  /// Makes the names in a folder durable.
  static func sync(_ directory: String) {
    let folder = unsafe scene_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }
}

/// What tells two files apart, whatever they are called.
struct FileIdentity: Hashable {
  private let device: UInt
  private let inode: UInt

  init(_ info: stat) { (device, inode) = (UInt(info.st_dev), UInt(info.st_ino)) }

  static func set(of paths: [String]) -> Set<FileIdentity> {
    Set(
      paths.compactMap { path in
        var info = stat()
        return unsafe stat(path, &info) == 0 ? FileIdentity(info) : nil
      })
  }
}
