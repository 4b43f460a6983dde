// SPDX-License-Identifier: MIT
import SceneCLI
import SceneGraphics
import SceneIR
import SceneLanguage

/// What is drawn for the files of a film: each picture once for each size, and made once into each form
/// that a file in that size needs.
struct DrawingPlan: Sendable {
  /// A size, and how the picture of the scene takes its place in it.
  struct View: Hashable, Sendable {
    let size: PixelSize
    let fit: FrameFit
  }

  /// What files are given.
  enum Form: Hashable, Sendable {
    case video(PixelFormat)
    case png(isOpaque: Bool)
    case jpeg(quality: Int)

    init(_ plan: OutputPlan) {
      let settings = plan.settings
      switch (settings.file, settings.rate) {
      case (.pngStills, _): self = .png(isOpaque: !settings.pixelFormat.hasAlpha)
      case (.jpegStills, .quality(let quality)): self = .jpeg(quality: Int(quality.rounded()))
      default: self = .video(settings.pixelFormat)
      }
    }

    /// Whether nothing of it is clear.
    var isOpaque: Bool {
      switch self {
      case .video(let format): !format.hasAlpha && format != .pal8
      case .png(let isOpaque): isOpaque
      case .jpeg: true
      }
    }
  }

  private(set) var views: [View] = []
  /// Each with the number of its view.
  private(set) var forms: [(view: Int, form: Form)] = []
  /// For each file its form.
  private(set) var formOfFile: [Int] = []

  init(_ plans: [OutputPlan]) {
    for plan in plans {
      let view = View(size: plan.settings.size, fit: plan.fit)
      let index = views.firstIndex(of: view) ?? views.count
      if index == views.count { views.append(view) }
      let form = Form(plan)
      let number = forms.firstIndex { $0.view == index && $0.form == form } ?? forms.count
      if number == forms.count { forms.append((index, form)) }
      formOfFile.append(number)
    }
  }

  /// Whether all files of a view are opaque.
  func isOpaque(_ view: Int) -> Bool {
    forms.allSatisfy { $0.view != view || $0.form.isOpaque }
  }

  /// Whether a view is wanted in the colours of palettes.
  func isPaletted(_ view: Int) -> Bool {
    forms.contains { $0.view == view && $0.form == .video(.pal8) }
  }
}
