// SPDX-License-Identifier: MIT
import SceneCLI
import SceneFiles
import SceneOutput
import SceneSystem

/// The stored images of one scene and layout: PNG files, and an index with their hashes.
///
/// Stored images are replaced by `accept` only. A frame that differs is written beside its image.
/// Links below the folder of the scene file are refused, since they could lead to any file of the
/// user.
struct GoldenFolder {
  let path: String
  private var index = GoldenIndex()

  /// Opens the folder of a scene at a relative path below the folder of its file; it need not
  /// exist.
  init(_ path: String, below base: String) throws(FileError) {
    self.path = base + path
    var part = base
    for name in path.split(separator: "/") {
      part += (part.isEmpty || part.hasSuffix("/") ? "" : "/") + name
      try GoldenFolder.refuseLink(part)
    }
    let file = self.path + "/goldens.json"
    try GoldenFolder.refuseLink(file)
    guard Files.exists(file) else { return }
    let bytes = try SceneFile.readUnlinked(file)
    guard let index = GoldenIndex(bytes) else {
      throw FileError(
        "'\(file)' is not an index of golden frames",
        help: "restore it, or delete it and run 'scenec test --accept'")
    }
    self.index = index
  }

  private static func refuseLink(_ path: String) throws(FileError) {
    guard Files.target(of: path) != nil else { return }
    throw FileError(
      "'\(path)' is a link", help: "golden frames and their folders must not be links")
  }

  /// Throws if an image or the frame beside it is a link.
  func refuseLinks(of name: String) throws(FileError) {
    for file in [file(of: name), newFile(of: name)] { try GoldenFolder.refuseLink(file) }
  }

  /// Returns the stored facts about an image; `nil` if it is not stored.
  func entry(_ name: String) -> GoldenIndex.Entry? { index.frames[name] }

  func file(of name: String) -> String { "\(path)/\(name).png" }

  func newFile(of name: String) -> String { "\(path)/\(name).new.png" }

  func exists(_ name: String) -> Bool { Files.exists(file(of: name)) }

  /// Writes a frame beside its stored image.
  func writeNew(_ name: String, _ png: [UInt8]) throws(FileError) {
    try makeFolders()
    try write(png, to: newFile(of: name))
  }

  func removeNew(_ name: String) { Files.remove(newFile(of: name)) }

  /// Replaces the stored image with the new frame, and writes the index.
  mutating func accept(_ name: String, _ entry: GoldenIndex.Entry) throws(FileError) {
    guard Files.rename(newFile(of: name), file(of: name)) else {
      throw FileError("cannot write '\(file(of: name))': \(Files.reason())")
    }
    index.frames[name] = entry
    try save()
  }

  /// Returns the names of stored images that are not in `names`.
  func stale(besides names: Set<String>) -> [String] {
    let files = Files.names(in: path) { $0.hasSuffix(".png") && !$0.hasSuffix(".new.png") }
      .map { String($0.dropLast(4)) }
    return Set(files).union(index.frames.keys).subtracting(names).sorted()
  }

  mutating func remove(_ name: String) {
    Files.remove(file(of: name))
    index.frames[name] = nil
  }

  /// The number of images in the index.
  var count: Int { index.frames.count }

  /// Whether the folder has an index, which only scenec writes.
  var hasIndex: Bool { Files.exists(path + "/goldens.json") }

  /// Deletes the images of the index, the frames beside them and the index. Other files remain.
  func removeAll() {
    for name in index.frames.keys {
      Files.remove(file(of: name))
      removeNew(name)
    }
    Files.remove(path + "/goldens.json")
    Files.removeFolder(path)
  }

  /// Writes the index.
  func save() throws(FileError) {
    guard let text = try? index.jsonText() else {
      throw FileError("cannot write '\(path)/goldens.json'")
    }
    try write(Array(text.utf8), to: path + "/goldens.json")
  }

  private func makeFolders() throws(FileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
      guard !Files.exists(made) else { continue }
      guard Files.makeFolder(made, permissions: 0o777) else {
        throw FileError("cannot create the folder '\(made)': \(Files.reason())")
      }
    }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OutputFile(path, inputs: [])
    try file.write(bytes)
    try file.commit()
  }
}
