// SPDX-License-Identifier: MIT
package import SceneAV
import SceneClips
package import SceneEncoding
package import SceneFlash
package import SceneIR
import SceneLanguage
import SceneModel
import SceneOutput
import ScenePixels
package import SceneRaster

/// One frame in all forms that the files need.
///
/// A drawing worker fills the set and passes it to the encoders, which only read it.
// Safe: ownership passes under the lock of the pipeline.
package final class PictureSet: @unchecked Sendable {
  /// The frames for the encoders; `nil` for forms that are image files.
  package let frames: [VideoFrame?]
  /// Encoded image files, or the RGBA pixels of a frame whose palette is not yet known; empty for
  /// other forms.
  package fileprivate(set) var files: [[UInt8]]
  /// The flash-detection grid of the first view; `nil` if flashes are not judged.
  package fileprivate(set) var grid: FlashGrid?

  package init(_ plan: DrawingPlan) throws(VideoError) {
    var frames: [VideoFrame?] = []
    for (view, form) in plan.forms {
      guard case .video(let format) = form else {
        frames.append(nil)
        continue
      }
      frames.append(try VideoFrame(plan.views[view].size, format))
    }
    self.frames = frames
    files = plan.forms.map { _ in [] }
  }
}

/// Renders the frames of a video in all sizes. Each worker has its own drawer.
package final class FrameDrawer {
  private let plan: DrawingPlan
  private let palette: (_ view: Int, _ frame: Int) -> Palette?
  private let canvases: [Canvas]
  private let resources: DrawingResources
  private let isUnwanted: () -> Bool
  /// Reduces the frames of the first view; `nil` if they are not judged for flashes.
  private let reducer: FlashReducer?

  /// `palette` returns the palette for a frame of a paletted view, if already known. `isUnwanted`
  /// is polled during rendering, which aborts once it returns `true`. If `hasGrids`, each frame is
  /// also reduced to a `FlashGrid`.
  package init(
    _ plan: DrawingPlan, _ resources: DrawingResources, hasGrids: Bool = false,
    isUnwanted: @escaping () -> Bool = { false },
    palette: @escaping (_ view: Int, _ frame: Int) -> Palette? = { _, _ in nil }
  ) throws(DrawingError) {
    self.plan = plan
    self.isUnwanted = isUnwanted
    self.palette = palette
    self.resources = resources
    var canvases: [Canvas] = []
    for (number, view) in plan.views.enumerated() {
      canvases.append(
        try Canvas(view.size, isOpaque: plan.isOpaque(number), resources: resources))
    }
    self.canvases = canvases
    reducer = hasGrids ? plan.views.first.map { FlashReducer($0.size) } : nil
  }

  /// Renders a frame program of the scene's own size and converts the result to every form.
  package func draw(_ program: FrameProgram, frame: Int, into set: PictureSet) throws {
    var passed: [ClipPicture?] = []
    set.grid = nil
    for (number, view) in plan.views.enumerated() {
      let placed = program.placed(in: view.size, view.fit)
      let picture = try resources.passed(placed)
      passed.append(picture)
      let isPassed = plan.forms.allSatisfy {
        $0.view != number || picture?.format.isWritten(as: $0.form) == true
      }
      let judged = number == 0 ? reducer : nil
      // The canvas would show the same pixels.
      let grid = isPassed ? judged.flatMap { picture?.flashGrid($0) } : nil
      if !isPassed || judged != nil && grid == nil {
        try canvases[number].draw(placed, isUnwanted: isUnwanted)
      }
      if let judged { set.grid = grid ?? canvases[number].flashGrid(judged) }
    }
    try make(set, frame: frame, passed: passed)
  }

  /// Converts the content that `body` draws on each canvas to every form.
  package func draw(
    frame: Int, into set: PictureSet, _ body: (Canvas) throws -> Void
  ) throws {
    for canvas in canvases { try body(canvas) }
    try make(set, frame: frame, passed: plan.views.map { _ in nil })
  }

  private func make(_ set: PictureSet, frame: Int, passed: [ClipPicture?]) throws {
    for (number, (view, form)) in plan.forms.enumerated() {
      if let picture = passed[view], picture.format.isWritten(as: form) {
        try set.frames[number]?.take(picture)
        continue
      }
      let canvas = canvases[view]
      switch form {
      case .png(let isOpaque): set.files[number] = try canvas.png(leavesAlphaOut: isOpaque)
      case .jpeg(let quality): set.files[number] = try canvas.jpeg(quality: quality)
      case .video(.pal8):
        let colors = canvas.rgba()
        if let palette = palette(view, frame) {
          try set.frames[number]?.take(colors, palette)
        } else {
          set.files[number] = colors
        }
      case .video: try set.frames[number]?.take(canvas)
      }
    }
  }
}

extension ClipPicture {
  /// Returns the cells of an upright opaque frame that are judged for flashes; `nil` for other
  /// frames.
  fileprivate func flashGrid(_ reducer: FlashReducer) -> FlashGrid? {
    guard format.isUsual, orientation == ClipOrientation() else { return nil }
    return draw().withRows { $0.reduced(by: reducer) }
  }
}

extension PictureFormat {
  /// Returns whether an encoder can use samples of this format without conversion.
  fileprivate func isWritten(as form: PictureForm) -> Bool {
    guard case .video(let format) = form, isUsual, format.depth == depth else { return false }
    switch (layout, format) {
    case (.yuv420, .yuv420p), (.yuv420, .yuv420p10), (.yuv422, .yuv422p), (.yuv422, .yuv422p10):
      return siting == .left
    case (.yuv444, .yuv444p), (.yuv444, .yuv444p10): return true
    default: return false
    }
  }
}

extension VideoFrame {
  /// Copies the planes of a clip's frame in the same format.
  fileprivate func take(_ picture: ClipPicture) throws(VideoError) {
    try beginCopy()
    for number in 0..<3 {
      picture.withPlane(number) { samples, plane in
        copy(plane.rows, of: samples, stride: plane.stride, width: plane.width, to: number)
      }
    }
  }

  /// Converts the content of a canvas.
  fileprivate func take(_ canvas: Canvas) throws(VideoError) {
    guard isWrittenDirectly else { return try take(canvas.rgba()) }
    try withPlanes { y, u, v, strides in
      canvas.writeYUV(y: &y, u: &u, v: &v, strides: strides, isSubsampled: format == .yuv420p)
    }
  }
}
