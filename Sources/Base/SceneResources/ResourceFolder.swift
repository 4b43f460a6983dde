// SPDX-License-Identifier: MIT
package import CResources

// Safe: the pointers refer to constants.
extension scene_resources {
  /// The bytes of each file by name.
  package var contents: [String: [UInt8]] {
    var contents: [String: [UInt8]] = [:]
    for place in 0..<count {
      let file = unsafe files[place]
      let bytes = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
      unsafe contents[String(cString: file.name)] = Array(bytes)
    }
    return contents
  }
}
