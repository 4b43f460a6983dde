// SPDX-License-Identifier: MIT
import SceneLibrary

/// The files of the library, whose text is in the program.
package enum StandardFiles {
  package static let all: [(path: String, bytes: [UInt8])] = Library.paths.compactMap { path in
    Library.file(path).map { (path, $0) }
  }

  /// The paths of those whose names are known without an import.
  static let prelude = Library.prelude.map { "std/" + $0 }
}
