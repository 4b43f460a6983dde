// SPDX-License-Identifier: MIT
package import SceneCheck
package import SceneDiagnostics
package import SceneText

/// The services that the server depends on: checking scenes and accessing files.
package protocol ServerWorld: AnyObject {
  /// Applies the settings of a client.
  func use(_ settings: Settings)
  /// Checks a scene; returns `nil` if the check was canceled or the file does not exist. `open`
  /// holds the texts of an editor by absolute path, which replace the contents of the files.
  func check(
    _ path: String, _ bytes: [UInt8], open: [String: [UInt8]],
    isCancelled: @escaping @Sendable () -> Bool
  ) -> CheckedScene?
  /// Releases the data of a scene that is no longer open.
  func forget(_ path: String)
  /// Returns the bytes of a file if it may be read as a scene, that is, if it is in `folders` after
  /// resolving links.
  func read(_ path: String, within folders: [String]) -> [UInt8]?
  /// Returns a value that changes with the content of a file; `nil` if the file does not exist in
  /// `folders`.
  func stamp(of path: String, within folders: [String]) -> Int?
  /// Returns the path under which an editor can open a library file; `nil` if the file cannot be
  /// written.
  func libraryFile(_ name: String, _ bytes: [UInt8]) -> String?
  /// Returns the library name of a file written by `libraryFile`; `nil` for other paths.
  func libraryName(of path: String) -> String?
  /// Returns the file of the page that explains a code.
  func page(of code: Code) -> String?
  /// Returns the paths of the files below a folder, relative to it, without hidden files.
  func files(in folder: String) -> [String]
  /// Returns a description of a file that a scene shows, such as its size.
  func description(of path: String, besides scene: String) -> String?
  /// The installed font families, and those of font files that scenes use.
  var fontFamilies: [String] { get }
  /// The file descriptors that become readable when an input file of a scene changes.
  var changes: [Int32] { get }
  /// Returns the scenes with changed input files.
  func outdated() -> [String]
}

/// The result of a check.
package struct CheckedScene {
  package let diagnostics: [Diagnostic]
  /// The sources, indexed by file id; imported sources are named by absolute path.
  package let sources: [SourceFile]
  package let record: SceneRecord?
  /// The session that provides values, while it is kept.
  package var session: CheckSession?

  package init(
    diagnostics: [Diagnostic], sources: [SourceFile], record: SceneRecord?,
    session: CheckSession? = nil
  ) {
    self.diagnostics = diagnostics
    self.sources = sources
    self.record = record
    self.session = session
  }
}
