// SPDX-License-Identifier: MIT
import Foundation

/// The long run of the tests, `make soak`, which sets SCENEC_SOAK.
package enum Soak {
  package static let isRunning = ProcessInfo.processInfo.environment["SCENEC_SOAK"] != nil
}

extension Collection {
  /// Returns every `step`-th element, or all elements in a soak. The offset of the first one is
  /// `first` modulo `step`.
  package func share(every step: Int, from first: Int = 0) -> [Element] {
    let step = Soak.isRunning ? 1 : step
    return enumerated().filter { $0.offset % step == first % step }.map(\.element)
  }
}
