// SPDX-License-Identifier: MIT
package import CAV
import SceneSystem

/// Owner of one `SwsContext`, which brings pictures of one format and size into another: exactly rather
/// than fast.
@safe package final class Scaler {
  /// What pictures are: libav's number of a format, and a size in pixels.
  package struct Form: Equatable, Sendable {
    package let format: Int32
    package let width: Int32
    package let height: Int32

    package init(_ format: AVPixelFormat, width: Int, height: Int) {
      (self.format, self.width, self.height) = (format.rawValue, Int32(width), Int32(height))
    }

    package init(of frame: Frame) {
      (format, width, height) = (frame.format, frame.width, frame.height)
    }
  }

  /// What it takes.
  package let source: Form
  private let target: Form
  @safe private let context: Owned<OpaquePointer>

  /// `nil` for a format that is not known; `matrix` is swscale's number of how Y'CbCr is made.
  package init?(_ source: Form, to target: Form, matrix: Int32, isFullRange: Bool) {
    let made = unsafe scene_scaler(
      source.format, source.width, source.height, target.format, target.width, target.height,
      matrix, isFullRange ? 1 : 0)
    guard let owned = unsafe Owned(made, sws_freeContext) else { return nil }
    (self.source, self.target, context) = unsafe (source, target, owned)
  }

  /// Whether it could.
  package func convert(_ frame: Frame, into other: Frame) -> Bool {
    sws_scale_frame(context.pointer, other.pointer, frame.pointer) >= 0
  }

  /// Writes planes that have room for the target; whether it could.
  package func convert(
    _ frame: Frame, into planes: [UnsafeMutablePointer<UInt8>?], strides: [Int32]
  ) -> Bool {
    unsafe scene_scale(context.pointer, frame.pointer, planes, strides) == target.height
  }
}
