// SPDX-License-Identifier: MIT
import CAV

/// An error reported by libav.
package struct VideoError: Error, Hashable, Sendable {
  /// The attempted action, such as "open the encoder".
  package let action: String
  /// The message of libav.
  package let reason: String
  /// The corresponding errno, or 0.
  package let code: Int32

  package init(action: String, reason: String, code: Int32) {
    self.action = action
    self.reason = reason
    self.code = code
  }
}

extension VideoError {
  package init(_ action: String, _ status: Int32) {
    var text = [CChar](repeating: 0, count: 256)
    let known = unsafe av_strerror(status, &text, text.count)
    let reason =
      known == 0
      ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      : "error \(status)"
    self.init(action: action, reason: reason, code: status > -1000 ? -status : 0)
  }
}
