// SPDX-License-Identifier: MIT
import SceneLibrary

/// The library files, which are embedded in the program.
package enum StandardFiles {
  package static let all: [(path: String, bytes: [UInt8])] = Library.paths.compactMap { path in
    Library.file(path).map { (path, $0) }
  }

  /// The paths of the prelude, whose names are visible without an import.
  static let prelude = Library.prelude.map { "std/" + $0 }
}
