// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneSystem
import SceneText

extension LanguageServer {
  /// The maximum size of a text in bytes. Larger texts are stored but not analyzed, since responses
  /// would take seconds.
  static let greatestText = 4 << 20

  /// The maximum number of bytes of closed files that are indexed.
  private static let greatestWorkspace = 64 << 20

  /// Checks the scenes with changed input files.
  func filesChanged() {
    let roots = Set(world.outdated())
    guard !roots.isEmpty else { return }
    known = nil
    for uri in documents.open.keys where roots.contains(LanguageServer.path(of: uri)) {
      wish(uri, after: .zero)
    }
  }

  /// Handles file changes reported by the client.
  func forgetFiles(_ changed: [String]) {
    // For an open text, changes of its file are irrelevant.
    let open = Set(documents.open.keys.compactMap(FileURI.path))
    guard changed.contains(where: { !open.contains($0) }) else { return }
    known = nil
    listings = [:]
    stamps = [:]
    for uri in documents.open.keys { wish(uri, after: .zero) }
  }

  /// Returns the path under which a text is checked; an unsaved text gets an artificial path.
  static func path(of uri: String) -> String {
    FileURI.path(uri) ?? "/" + uri.map { $0 == "/" || $0 == ":" ? "-" : String($0) }.joined()
  }

  /// Returns the workspace key of a file.
  static func key(_ path: String) -> String {
    path.hasPrefix("/") ? String(path.dropFirst()) : path
  }

  func key(of uri: String) -> String {
    guard let path = FileURI.path(uri) else { return uri }
    return world.libraryName(of: path).map { "std/" + $0 } ?? LanguageServer.key(path)
  }

  /// Returns whether a text is a library file, which is read-only.
  func isOfLibrary(_ uri: String) -> Bool {
    FileURI.path(uri).flatMap { world.libraryName(of: $0) } != nil
  }

  /// The open files, their imports, and the files in the editor's folders. Rebuilt after each
  /// change, regardless of size. Shifting the names of an older text by its edits would be a few
  /// milliseconds faster, but incorrect at the edit.
  var workspace: Workspace {
    if let known { return known }
    let made = Workspace(workspaceFiles())
    known = made
    return made
  }

  private func workspaceFiles() -> [String: FileFacts] {
    var files: [String: FileFacts] = [:]
    var waiting: [(String, [UInt8])] = documents.open.values.compactMap {
      isOfLibrary($0.uri) ? nil : (FileURI.path($0.uri) ?? $0.uri, $0.source.bytes)
    }
    let isOpen = Set(documents.open.keys.compactMap(FileURI.path))
    var room = LanguageServer.greatestWorkspace
    for folder in folders {
      for name in self.files(in: folder) where name.hasSuffix(".scene") && room > 0 {
        let path = "\(folder)/\(name)"
        guard !isOpen.contains(path), let bytes = bytes(of: path) else { continue }
        room -= bytes.count
        waiting.append((path, bytes))
      }
    }
    while let (path, bytes) = waiting.popLast() {
      let key = LanguageServer.key(path)
      guard files[key] == nil else { continue }
      let made: FileFacts
      if let old = facts[path], old.source.bytes == bytes {
        made = old
      } else {
        made = FileFacts(bytes.count > LanguageServer.greatestText ? [] : bytes, name: path)
        facts[path] = made
      }
      files[key] = made
      guard path.hasPrefix("/") else { continue }
      for other in made.index.imports where !other.path.hasPrefix("std/") {
        let place = FileURI.path(other.path, besides: path)
        if files[LanguageServer.key(place)] == nil, !isOpen.contains(place),
          let bytes = self.bytes(of: place)
        {
          waiting.append((place, bytes))
        }
      }
    }
    return files
  }

  /// Returns the names of the files below a folder, cached for five seconds.
  func files(in folder: String) -> [String] {
    let now = clock.now
    if let kept = listings[folder], now - kept.at < .seconds(5) { return kept.names }
    let names = world.files(in: folder)
    listings[folder] = (now, names)
    return names
  }

  /// Returns the content of a file that is not open; read again if its stamp changed.
  private func bytes(of path: String) -> [UInt8]? {
    let now = clock.now
    let folders = readableFolders
    if let kept = stamps[path], now - kept.at < .seconds(1), let known = facts[path] {
      return known.source.bytes
    }
    guard let stamp = world.stamp(of: path, within: folders) else { return nil }
    let old = stamps[path]?.stamp
    stamps[path] = (now, stamp)
    if old == stamp, let known = facts[path] { return known.source.bytes }
    return world.read(path, within: folders)
  }

  /// The folders of the editor and of the open files. `ServerWorld` adds the root.
  private var readableFolders: [String] {
    folders
      + Set(
        documents.open.keys.compactMap { uri in
          isOfLibrary(uri) ? nil : FileURI.path(uri).map { FileURI.folder(of: $0) }
        })
  }
}
