// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneModel
import SceneSession
import SceneSystem
import SceneWeb
import Synchronization

/// The result of one successful check of a view. It is immutable.
final class Revision: Sendable {
  let view: String
  /// The view that a trial is based on, or the view itself.
  let base: String
  let number: Int
  let scene: LoadedScene
  let model: SceneModel
  /// The derived paths of the latest frames, which hit tests on these frames need again.
  let paths = RecentPaths()
  private let found = Monitor<[Problem]?>(nil)
  private let shownRows = Mutex<[SceneAnswer.Row]?>(nil)

  init(
    _ view: String, base: String, number: Int, scene: LoadedScene, model: SceneModel
  ) {
    self.base = base
    self.view = view
    self.number = number
    self.scene = scene
    self.model = model
  }

  /// Returns the cached rows or creates them.
  func rows(_ make: () -> [SceneAnswer.Row]) -> [SceneAnswer.Row] {
    shownRows.withLock { known in
      let rows = known ?? make()
      known = rows
      return rows
    }
  }

  /// The warnings of the revision; `nil` until computed.
  var problems: [Problem]? {
    get { found.update { $0 } }
    set { found.update { $0 = newValue } }
  }
}

/// The options of a view.
struct ViewOptions: Sendable, Hashable {
  var scene: String?
  var params: [String: String] = [:]
  var size: PixelSize?
  var rate: FrameRate?
  /// The row of the table, counting from 1; `nil` for that of the command line.
  var row: Int?

  /// Returns the command line's options overridden by those of the view. Parameters of the command
  /// line apply to every row.
  func check(_ call: CheckOptions, _ table: RowTable?) -> CheckOptions {
    var check = call
    if let table { check.parameters = table.parameters(of: row) + check.parameters }
    if let scene { check.sceneName = scene }
    if let size { check.size = size }
    if let rate { check.frameRate = rate }
    check.parameters += params.sorted { $0.key < $1.key }.map { GivenParameter($0.key, $0.value) }
    return check
  }
}

/// All views with their last revisions, shared by all threads.
final class ViewRegistry: Sendable {
  static let first = "main"
  private static let greatestCount = 8

  /// A view of the scene.
  struct View: Sendable {
    var options: ViewOptions
    /// The last two valid revisions.
    fileprivate(set) var revisions: [Revision] = []
    fileprivate(set) var lastNumber = 0
    /// The errors of the current text.
    fileprivate(set) var errors: [Problem]?
    fileprivate var lastUse = 0
    /// The owning tab and the base view of a trial.
    var trial: (owner: WebClient, base: String)?

    var owner: WebClient? { trial?.owner }

    var newest: Revision? { revisions.last }
  }

  private struct State {
    var views = [ViewRegistry.first: View(options: ViewOptions())]
    var clock = 0
    var lastName = 0
  }

  private let state = Monitor(State())

  var views: [String: View] { state.update(\.views) }

  subscript(_ name: String) -> View? {
    state.update { state in
      state.clock += 1
      state.views[name]?.lastUse = state.clock
      return state.views[name]
    }
  }

  /// Returns a revision; `nil` if it no longer exists.
  func revision(_ view: String, _ number: Int?) -> Revision? {
    let found = self[view]?.revisions
    guard let number else { return found?.last }
    return found?.last { $0.number == number }
  }

  /// Returns the view with some options. A new view may replace the least recently used one.
  func view(_ options: ViewOptions, trial: (owner: WebClient, base: String)? = nil) -> (
    name: String, isNew: Bool
  ) {
    state.update { state in
      if trial == nil,
        let known = state.views.first(where: {
          $0.value.options == options && $0.value.owner == nil
        })
      {
        return (known.key, false)
      }
      if state.views.count >= ViewRegistry.greatestCount,
        let oldest = state.views.filter({ $0.key != ViewRegistry.first })
          .min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.views[oldest.key] = nil
      }
      state.lastName += 1
      state.clock += 1
      let name = "v\(state.lastName)"
      state.views[name] = View(options: options, lastUse: state.clock, trial: trial)
      return (name, true)
    }
  }

  func drop(_ view: String) { state.update { $0.views[view] = nil } }

  /// Publishes a successful check as the newest revision; returns `nil` if the view no longer
  /// exists.
  func publish(_ view: String, scene: LoadedScene, model: SceneModel) -> Revision? {
    state.update { state in
      guard var it = state.views[view] else { return nil }
      it.lastNumber += 1
      it.errors = nil
      let revision = Revision(
        view, base: it.trial?.base ?? view, number: it.lastNumber, scene: scene, model: model)
      it.revisions = it.revisions.suffix(1) + [revision]
      state.views[view] = it
      return revision
    }
  }

  /// Publishes the errors of an invalid text. Existing revisions remain.
  func publish(_ view: String, errors: [Problem]) {
    state.update { $0.views[view]?.errors = errors }
  }
}
