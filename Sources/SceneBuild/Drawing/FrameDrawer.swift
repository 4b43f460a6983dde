// SPDX-License-Identifier: MIT
import SceneAV
import SceneIR
import SceneLanguage
import SceneRaster
import SceneVideo

/// One picture in all forms that files need.
///
/// Handed from the worker that draws it to those that encode it, who only read.
// Safe: ownership passes under the lock of the pipeline.
final class PictureSet: @unchecked Sendable {
  /// What encoders read; `nil` for forms that are files.
  let frames: [VideoFrame?]
  /// Image files; empty for other forms.
  fileprivate(set) var files: [[UInt8]]

  init(_ plan: DrawingPlan) throws(BuildFault) {
    do throws(VideoFault) {
      var frames: [VideoFrame?] = []
      for (view, form) in plan.forms {
        guard case .video(let format) = form else {
          frames.append(nil)
          continue
        }
        frames.append(try VideoFrame(plan.views[view].size, format))
      }
      self.frames = frames
    } catch {
      throw .video(error)
    }
    files = plan.forms.map { _ in [] }
  }
}

/// Draws the frames of a film in all its sizes; each worker has one.
final class FrameDrawer {
  private let plan: DrawingPlan
  /// By the number of the view.
  private let palettes: [Int: PalettePass]
  private let canvases: [Canvas]

  init(_ plan: DrawingPlan, _ palettes: [Int: PalettePass], _ resources: DrawingResources)
    throws(DrawingFault)
  {
    self.plan = plan
    self.palettes = palettes
    var canvases: [Canvas] = []
    for (number, view) in plan.views.enumerated() {
      canvases.append(
        try Canvas(view.size, isOpaque: plan.isOpaque(number), resources: resources))
    }
    self.canvases = canvases
  }

  /// Draws a program of the scene's own size, and makes the picture into every form.
  func draw(_ program: FrameProgram, frame: Int, into set: PictureSet) throws {
    for (view, canvas) in zip(plan.views, canvases) {
      try canvas.draw(program.placed(in: view.size, view.fit))
    }
    for (number, (view, form)) in plan.forms.enumerated() {
      let canvas = canvases[view]
      switch form {
      case .png(let isOpaque): set.files[number] = try canvas.png(leavesAlphaOut: isOpaque)
      case .jpeg(let quality): set.files[number] = try canvas.jpeg(quality: quality)
      case .video(.pal8):
        if let palette = palettes[view]?.palette(of: frame) {
          try set.frames[number]?.take(canvas.rgba(), palette)
        }
      case .video: try set.frames[number]?.take(canvas)
      }
    }
  }
}

extension VideoFrame {
  /// Becomes what a canvas shows.
  fileprivate func take(_ canvas: Canvas) throws(VideoFault) {
    guard isWrittenDirectly else { return try take(canvas.rgba()) }
    try withPlanes { y, u, v, strides in
      canvas.writeYUV(&y, &u, &v, strides: strides, isSubsampled: format == .yuv420p)
    }
  }
}
