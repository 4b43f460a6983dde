// SPDX-License-Identifier: MIT

/// The files that a scene reaches by `std/…`, as they lie in the folder `std`.
package enum Library {
  /// The bytes of a file by its path below `std/`.
  package static func file(_ path: String) -> [UInt8]? { files[path] }

  package static var paths: [String] { files.keys.sorted() }

  private static let files: [String: [UInt8]] = [
    "effects.scene": PackageResources.effects_scene
  ]
}
