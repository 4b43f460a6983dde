// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
import SceneLanguage
package import SceneOutput

/// The rendering work for the files of a video: each frame is rendered once per size and converted
/// once per form that a file of that size needs.
package struct DrawingPlan: Sendable {
  /// An output size and the fit of the scene's frame in it.
  package struct View: Hashable, Sendable {
    package let size: PixelSize
    package let fit: FrameFit
  }

  package private(set) var views: [View] = []
  /// The forms, each with the index of its view.
  package private(set) var forms: [(view: Int, form: PictureForm)] = []
  /// The index of the form of each file.
  package private(set) var formOfFile: [Int] = []

  package init(_ plans: [OutputPlan]) {
    for plan in plans {
      let view = View(size: plan.settings.size, fit: plan.fit)
      let index = views.firstIndex(of: view) ?? views.count
      if index == views.count { views.append(view) }
      let form = PictureForm(plan.settings)
      let number = forms.firstIndex { $0.view == index && $0.form == form } ?? forms.count
      if number == forms.count { forms.append((index, form)) }
      formOfFile.append(number)
    }
  }

  /// Returns whether all files of a view are opaque.
  package func isOpaque(_ view: Int) -> Bool {
    forms.allSatisfy { $0.view != view || $0.form.isOpaque }
  }

  /// Returns whether a view has a form with palette colors.
  package func isPaletted(_ view: Int) -> Bool {
    forms.contains { $0.view == view && $0.form == .video(.pal8) }
  }
}
