// SPDX-License-Identifier: MIT

/// The work of a built-in function in proportion to the sizes of its arguments. `Site` counts it
/// for each evaluated argument, before the body of the function visits the argument.
package enum BuiltInCost {
  /// Lists and texts are not visited.
  case constant
  /// All items or characters are visited.
  case linear
  /// The items are sorted.
  case sorting
  /// All items or characters are visited, and the body counts further steps, for example for
  /// paths, sounds or nested evaluations.
  case counted

  /// Returns the steps for an argument with a number of items or bytes.
  func steps(_ size: Int) -> Int {
    switch self {
    case .constant: 0
    case .linear, .counted: size / 16
    case .sorting: size * (Int.bitWidth - size.leadingZeroBitCount) / 8
    }
  }
}
