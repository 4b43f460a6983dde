// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel

/// When the clips of a film are there, and which of their pictures its frames show: as far as the
/// model says, without a frame that is lowered.
struct ClipLives {
  /// A clip and its life, in ticks.
  struct Life {
    let clip: ClipModel
    let time: Range<Int64>
  }

  private let model: SceneModel
  let lives: [Life]

  init(_ model: SceneModel) {
    self.model = model
    var lives: [Life] = []
    ClipLives.collect(model.elements, within: 0..<max(0, model.duration.rawValue), &lives)
    self.lives = lives
  }

  private static func collect(
    _ elements: [ElementModel], within around: Range<Int64>, _ lives: inout [Life]
  ) {
    for element in elements {
      let life = around.clamped(
        to: element.start.rawValue..<max(element.start.rawValue, element.end.rawValue))
      if life.isEmpty || element.visible == .zero || element.opacity == .zero { continue }
      if case .clip(let clip, _, _) = element.drawing { lives.append(Life(clip: clip, time: life)) }
      collect(element.children, within: life, &lives)
      if let mask = element.style.mask { collect(mask.elements, within: life, &lives) }
    }
  }

  /// The clips that are there in a frame, each with its picture.
  func shown(in frame: Int) -> [(clip: ClipModel, picture: Int)] {
    let time = model.frameRate.time(ofFrame: frame)
    return lives.compactMap { life in
      guard life.time.contains(time.rawValue) else { return nil }
      return (life.clip, model.picture(of: life.clip, at: time)?.frame ?? 0)
    }
  }

  /// How many clips are there in a frame.
  func count(in frame: Int) -> Int {
    let time = model.frameRate.time(ofFrame: frame).rawValue
    return lives.count { $0.time.contains(time) }
  }

  /// The frames that are the first to show a key picture of the only clip that is there: there a
  /// decoder can begin without a detour.
  func keyFrames(count: Int) -> Set<Int> {
    guard !lives.isEmpty else { return [] }
    var found: Set<Int> = []
    var last: (clip: ClipModel, picture: Int)?
    for frame in 0..<count {
      let shown = shown(in: frame)
      guard shown.count == 1 else {
        last = nil
        continue
      }
      let (clip, picture) = shown[0]
      if let last, last.clip == clip, picture > last.picture,
        clip.pictures.key(before: picture) > last.picture
      {
        found.insert(frame)
      }
      last = shown[0]
    }
    return found
  }
}

extension ClipPictures {
  /// The last key picture that is not after a picture.
  func key(before picture: Int) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] <= picture { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? keys[low - 1] : 0
  }
}

extension SceneModel {
  /// The picture of a clip that a frame at a time shows; `nil` when texts or paths say which.
  func picture(of clip: ClipModel, at time: Ticks) -> ImageReference? {
    let quarter = frameRate.frameTicks / 4
    guard let now = program.value(of: clip.time, at: Double(time.rawValue)),
      let later = program.value(of: clip.time, at: Double(time.rawValue) + quarter.rounded(.down))
    else { return nil }
    return clip.image(at: now, later: later)
  }
}
