// SPDX-License-Identifier: MIT
package import CAV
import SceneSystem

/// An owned `SwsContext` that converts frames to another format and size, preferring accuracy over
/// speed.
@safe package final class Scaler {
  /// The format and size of frames, with the number of the format in libav.
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

    fileprivate var form: scene_frame_form {
      scene_frame_form(format: format, width: width, height: height)
    }
  }

  /// The format and size of the input.
  package let source: Form
  private let target: Form
  @safe private let context: Owned<OpaquePointer>

  /// Creates a converter; returns `nil` for an unknown format. `matrix` is the number of the color
  /// matrix in libswscale.
  package init?(_ source: Form, to target: Form, matrix: Int32, isFullRange: Bool) {
    let owned = unsafe Owned(
      scene_scaler(source.form, target.form, matrix, isFullRange ? 1 : 0), sws_freeContext)
    guard let owned = unsafe owned else { return nil }
    (self.source, self.target, context) = unsafe (source, target, owned)
  }

  /// Converts a frame; returns whether the conversion succeeded.
  package func convert(_ frame: Frame, into other: Frame) -> Bool {
    sws_scale_frame(context.pointer, other.pointer, frame.pointer) >= 0
  }

  /// Converts a frame into planes with room for the target; returns whether the conversion
  /// succeeded.
  package func convert(
    _ frame: Frame, into planes: [UnsafeMutablePointer<UInt8>?], strides: [Int32]
  ) -> Bool {
    unsafe scene_scale(context.pointer, frame.pointer, planes, strides) == target.height
  }
}
