// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneModel
import SceneSession
import SceneSystem
import SceneWeb
import Synchronization

/// One right check of a view. It never changes.
final class Revision: Sendable {
  let view: String
  /// The view that it tries something in, or its own.
  let base: String
  let number: Int
  let scene: LoadedScene
  let model: SceneModel
  private let found = Monitor<[Problem]?>(nil)
  private let shownRows = Mutex<[SceneAnswer.Row]?>(nil)

  init(
    _ view: String, base: String, _ number: Int, _ scene: LoadedScene, _ model: SceneModel
  ) {
    self.base = base
    self.view = view
    self.number = number
    self.scene = scene
    self.model = model
  }

  /// What all that ask about its elements share.
  func rows(_ make: () -> [SceneAnswer.Row]) -> [SceneAnswer.Row] {
    shownRows.withLock { known in
      let rows = known ?? make()
      known = rows
      return rows
    }
  }

  /// What is suspicious in it; `nil` until that was looked for.
  var problems: [Problem]? {
    get { found.update { $0 } }
    set { found.update { $0 = newValue } }
  }
}

/// What a page asks a scene to be shown as.
struct ViewOptions: Sendable, Hashable {
  var scene: String?
  var params: [String: String] = [:]
  var size: PixelSize?
  var rate: FrameRate?

  /// The options of the call, with those of the view in front.
  func check(_ call: CheckOptions) -> CheckOptions {
    var check = call
    if let scene { check.sceneName = scene }
    if let size { check.size = size }
    if let rate { check.frameRate = rate }
    check.parameters += params.sorted { $0.key < $1.key }.map { GivenParameter($0.key, $0.value) }
    return check
  }
}

/// The views with their last revisions: what all threads know.
final class Board: Sendable {
  static let first = "main"
  private static let greatestCount = 8

  /// One way to look at the scene.
  struct View: Sendable {
    var options: ViewOptions
    /// The last two that were right.
    fileprivate(set) var revisions: [Revision] = []
    fileprivate(set) var lastNumber = 0
    /// What is wrong with the text as it is now.
    fileprivate(set) var faults: [Problem]?
    fileprivate var lastUse = 0
    /// The tab that alone knows it, and the view that it tries something in.
    var trial: (owner: WebClient, base: String)?

    var owner: WebClient? { trial?.owner }

    var newest: Revision? { revisions.last }
  }

  private struct State {
    var views = [Board.first: View(options: ViewOptions())]
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

  /// `nil` where it is not there any more.
  func revision(_ view: String, _ number: Int?) -> Revision? {
    let found = self[view]?.revisions
    guard let number else { return found?.last }
    return found?.last { $0.number == number }
  }

  /// The view with these options; a new one may take the place of the one that was not used for longest.
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
      if state.views.count >= Board.greatestCount,
        let oldest = state.views.filter({ $0.key != Board.first })
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

  /// Makes a right check the newest revision; `nil` where the view has gone.
  func publish(_ view: String, _ scene: LoadedScene, _ model: SceneModel) -> Revision? {
    state.update { state in
      guard var it = state.views[view] else { return nil }
      it.lastNumber += 1
      it.faults = nil
      let revision = Revision(view, base: it.trial?.base ?? view, it.lastNumber, scene, model)
      it.revisions = it.revisions.suffix(1) + [revision]
      state.views[view] = it
      return revision
    }
  }

  /// The text is wrong; what was right stays.
  func publish(_ view: String, faults: [Problem]) {
    state.update { $0.views[view]?.faults = faults }
  }
}
