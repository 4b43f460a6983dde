// SPDX-License-Identifier: MIT
package import CResources

// Safe: the pointers refer to constants.
extension scene_resources {
  /// The names of the files.
  package var names: [String] {
    (0..<count).map { unsafe String(cString: files[$0].name) }
  }

  /// The bytes of the file with a name; `nil` if there is none.
  package subscript(name: String) -> [UInt8]? {
    (0..<count).first { unsafe String(cString: files[$0].name) == name }.map { place in
      let file = unsafe files[place]
      return unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
  }
}
