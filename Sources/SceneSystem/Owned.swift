// SPDX-License-Identifier: MIT

/// Owner of something that C made, with the function that frees it.
///
/// A class: Swift 6.3 leaves out the `deinit` of such a structure where another module holds it.
package final class Owned<Pointer> {
  @safe package let pointer: Pointer
  private let free: (Pointer) -> Void

  /// `nil` when there is nothing, as C answers without memory.
  package init?(_ made: Pointer?, _ free: @escaping (Pointer) -> Void) {
    guard let made else { return nil }
    pointer = made
    self.free = free
  }

  /// Of what is always there: without memory the library ends the process or answers an error object.
  package init(always made: Pointer?, _ free: @escaping (Pointer) -> Void) {
    // Safe: see above.
    pointer = made!
    self.free = free
  }

  deinit { free(pointer) }
}
