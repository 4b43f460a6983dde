// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR
import SceneLanguage
package import SceneOutput

/// What is drawn for the files of a film: each picture once for each size, and made once into each form
/// that a file in that size needs.
package struct DrawingPlan: Sendable {
  /// A size, and how the picture of the scene takes its place in it.
  package struct View: Hashable, Sendable {
    package let size: PixelSize
    package let fit: FrameFit
  }

  package private(set) var views: [View] = []
  /// Each with the number of its view.
  package private(set) var forms: [(view: Int, form: PictureForm)] = []
  /// For each file its form.
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

  /// Whether all files of a view are opaque.
  package func isOpaque(_ view: Int) -> Bool {
    forms.allSatisfy { $0.view != view || $0.form.isOpaque }
  }

  /// Whether a view is wanted in the colors of palettes.
  package func isPaletted(_ view: Int) -> Bool {
    forms.contains { $0.view == view && $0.form == .video(.pal8) }
  }
}
