// SPDX-License-Identifier: MIT
import SceneIR
import SceneModel

/// The lifetimes of the clips of a video, and the clip frames that its frames show, as far as they
/// follow from the model without lowering a frame.
struct ClipLives {
  /// A clip and its lifetime in ticks.
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

  /// Returns the active clips of a frame, with the numbers of their clip frames.
  func shown(in frame: Int) -> [(clip: ClipModel, picture: Int)] {
    let time = model.frameRate.time(ofFrame: frame)
    return lives.compactMap { life in
      guard life.time.contains(time.rawValue) else { return nil }
      return (life.clip, model.picture(of: life.clip, at: time)?.frame ?? 0)
    }
  }

  /// Returns the number of active clips in a frame.
  func count(in frame: Int) -> Int {
    let time = model.frameRate.time(ofFrame: frame).rawValue
    return lives.count { $0.time.contains(time) }
  }

  /// Returns the frames that are the first to show a keyframe while only one clip is active. A
  /// decoder can start there without decoding earlier frames.
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
  /// Returns the last keyframe at or before a frame of the clip.
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
  /// Returns the frame of a clip that is shown at a time; `nil` if it depends on texts or paths.
  func picture(of clip: ClipModel, at time: Ticks) -> ImageReference? {
    let quarter = frameRate.frameTicks / 4
    guard let now = program.value(of: clip.time, at: Double(time.rawValue)),
      let later = program.value(of: clip.time, at: Double(time.rawValue) + quarter.rounded(.down))
    else { return nil }
    return clip.image(at: now, later: later)
  }
}
