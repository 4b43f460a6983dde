// SPDX-License-Identifier: MIT

/// An owned C object with the function that frees it.
///
/// It is a class, because Swift 6.3 omits the `deinit` of a noncopyable structure that is stored in
/// another module.
package final class Owned<Pointer> {
  @safe package let pointer: Pointer
  private let free: (Pointer) -> Void

  /// Takes over an object; returns `nil` for null, which C functions return if out of memory.
  package init?(_ made: Pointer?, _ free: @escaping (Pointer) -> Void) {
    guard let made else { return nil }
    pointer = made
    self.free = free
  }

  /// Takes over an object that is never null. If out of memory, its library aborts or returns an
  /// error object.
  package init(always made: Pointer?, _ free: @escaping (Pointer) -> Void) {
    // Safe: the library never returns null.
    pointer = made!
    self.free = free
  }

  deinit { free(pointer) }
}
