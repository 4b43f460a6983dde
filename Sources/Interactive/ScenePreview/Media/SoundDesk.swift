// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneLower
import SceneModel
import SceneRaster
import SceneSession
import SceneSound
import SceneSystem
import SceneText
import Synchronization

/// The thread that mixes audio for playback and measures it for display. Playback takes priority.
final class SoundDesk: Sendable {
  /// A task with access to the mixers, which belong to the thread.
  typealias Task = @Sendable (Mixers) -> Void

  private struct State {
    var heard: [Task] = []
    var shown: [Task] = []
    var isEnded = false
  }

  private static let greatestCount = 64

  private let state = Monitor(State())
  private let thread = Mutex<WorkerThread?>(nil)

  func start() {
    let worker = WorkerThread { [self] in
      let mixers = Mixers { [self] in state.update(\.isEnded) }
      while let task = next() { task(mixers) }
    }
    thread.withLock { $0 = worker }
  }

  func end() {
    state.update { $0.isEnded = true }
    thread.withLock { $0 }?.join()
  }

  /// Queues a task for playback; returns `false` if the queue is full.
  func hear(_ task: @escaping Task) -> Bool { add(task, \.heard) }

  /// Queues a task for display; returns `false` if the queue is full.
  func show(_ task: @escaping Task) -> Bool { add(task, \.shown) }

  private func add(_ task: @escaping Task, _ list: any WritableKeyPath<State, [Task]> & Sendable)
    -> Bool
  {
    state.update { state in
      guard state[keyPath: list].count < SoundDesk.greatestCount else { return false }
      state[keyPath: list].append(task)
      return true
    }
  }

  private func next() -> Task? {
    state.wait { state -> Task?? in
      if state.isEnded { return .some(nil) }
      if !state.heard.isEmpty { return state.heard.removeFirst() }
      return state.shown.isEmpty ? nil : .some(state.shown.removeFirst())
    }
  }

  /// The mixers of the last two revisions in use. Used by one thread.
  final class Mixers {
    private var known: [(revision: Revision, mixer: Mixer)] = []
    private let isEnded: () -> Bool

    init(isEnded: @escaping () -> Bool) { self.isEnded = isEnded }

    /// Returns interleaved stereo samples of the mix.
    func samples(of revision: Revision, _ samples: Range<Int>) throws -> [Float] {
      if !known.contains(where: { $0.revision === revision }) {
        known = known.suffix(1) + [(revision, Mixers.mixer(revision, revision.model.sound))]
      }
      let place = known.firstIndex { $0.revision === revision } ?? 0
      return try known[place].mixer.mix(from: samples.lowerBound, count: samples.count)
    }

    /// Returns the minimum and maximum sample of an element's audio in equal parts of an interval;
    /// `nil` if the desk is closed in the meantime.
    func peaks(
      of revision: Revision, in element: SourceSpan, _ samples: Range<Int>, parts: Int
    ) throws -> [(low: Float, high: Float)]? {
      let sound = revision.model.sound
      let voices = sound.voices.filter {
        $0.span.file == element.file && element.start <= $0.span.start
          && $0.span.end <= element.end
      }
      var found = [(low: Float, high: Float)](repeating: (0, 0), count: parts)
      guard !voices.isEmpty else { return found }
      var mixer = Mixers.mixer(revision, SoundModel(voices: voices, program: sound.program))
      for from in stride(from: samples.lowerBound, to: samples.upperBound, by: SoundModel.rate) {
        if isEnded() { return nil }
        let count = min(SoundModel.rate, samples.upperBound - from)
        for (index, sample) in try mixer.mix(from: from, count: count).enumerated() {
          let part = (from + index / 2 - samples.lowerBound) * parts / samples.count
          found[part].low = min(found[part].low, sample)
          found[part].high = max(found[part].high, sample)
        }
      }
      return found
    }

    private static func mixer(_ revision: Revision, _ sound: SoundModel) -> Mixer {
      Mixer(
        sound, duration: revision.model.duration,
        source: revision.scene.resources.images.clips, metrics: revision.scene.metrics)
    }
  }
}
