// SPDX-License-Identifier: MIT
import Foundation

/// `make soak`, in which some tests run many more cases.
package enum Soak {
  package static let isRunning = ProcessInfo.processInfo.environment["SCENEC_SOAK"] != nil
}
