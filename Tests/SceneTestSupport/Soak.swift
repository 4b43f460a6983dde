// SPDX-License-Identifier: MIT
import Foundation

/// `make soak`, in which some tests run many more cases.
package enum Soak {
  package static let isRunning = ProcessInfo.processInfo.environment["SCENEC_SOAK"] != nil
}

extension Collection {
  /// Returns every `step`-th element, beginning with the first, or all elements in a soak.
  package func share(every step: Int) -> [Element] {
    let step = Soak.isRunning ? 1 : step
    return enumerated().compactMap { $0.offset.isMultiple(of: step) ? $0.element : nil }
  }
}
