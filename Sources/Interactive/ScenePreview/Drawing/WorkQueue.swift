// SPDX-License-Identifier: MIT
package import SceneWeb

/// A queued frame.
package protocol QueuedPicture: Sendable {
  var tab: WebClient { get }
  var frame: Int { get }
  /// Whether the frame is one of a playback sequence.
  var isPlayed: Bool { get }
}

/// A priority queue of frames and tasks. Frames at rest and while scrubbing come first, newest
/// first, followed by playback frames in order. Other tasks come last.
///
/// `Task` is an arbitrary type of work.
package struct WorkQueue<Picture: QueuedPicture, Task: Sendable>: Sendable {
  /// The next piece of work for a worker.
  package enum Work: Sendable {
    case picture(Picture)
    case task(Task)
  }

  /// The maximum number of queued frames.
  private static var greatestCount: Int { 32 }
  private static var greatestPlayed: Int { 3 }

  package init() {}

  private var pictures: [Picture] = []
  /// Requests for data, which take priority over frames. Frames take priority over other tasks.
  private var questions: [Task] = []
  private var tasks: [Task] = []
  private var underWay: [WebClient: (shown: Int, played: Int)] = [:]

  /// Whether a frame was queued, and which queued frame it replaced.
  package enum Reception {
    case taken(passed: Picture?)
    case busy
  }

  package mutating func add(_ request: Picture) -> Reception {
    let own = pictures.indices.filter {
      pictures[$0].tab == request.tab && pictures[$0].isPlayed == request.isPlayed
    }
    let isFull = own.count >= (request.isPlayed ? Self.greatestPlayed : 1)
    if isFull, let oldest = own.first {
      let passed = pictures.remove(at: oldest)
      pictures.append(request)
      return .taken(passed: passed)
    }
    guard pictures.count < Self.greatestCount else { return .busy }
    pictures.append(request)
    return .taken(passed: nil)
  }

  package mutating func ask(_ question: Task) { questions.append(question) }

  package mutating func add(_ task: Task) { tasks.append(task) }

  /// Removes all frames of a tab.
  package mutating func forget(_ tab: WebClient) {
    pictures.removeAll { $0.tab == tab }
    underWay[tab] = nil
  }

  /// Returns the next piece of work. No frame starts for a tab that is still receiving a previous
  /// one.
  package mutating func next(isBusy: (WebClient) -> Bool) -> Work? {
    if !questions.isEmpty { return .task(questions.removeFirst()) }
    if let place = place(isBusy) {
      let request = pictures.remove(at: place)
      count(request, 1)
      return .picture(request)
    }
    return tasks.isEmpty ? nil : .task(tasks.removeFirst())
  }

  package mutating func finished(_ request: Picture) { count(request, -1) }

  private func place(_ isBusy: (WebClient) -> Bool) -> Int? {
    let free = pictures.indices.filter { index in
      let request = pictures[index]
      let own = underWay[request.tab] ?? (0, 0)
      let isFree = request.isPlayed ? own.played < Self.greatestPlayed : own.shown < 1
      return isFree && !isBusy(request.tab)
    }
    if let newest = free.last(where: { !pictures[$0].isPlayed }) { return newest }
    return free.min { pictures[$0].frame < pictures[$1].frame }
  }

  private mutating func count(_ request: Picture, _ step: Int) {
    if request.isPlayed {
      underWay[request.tab, default: (0, 0)].played += step
    } else {
      underWay[request.tab, default: (0, 0)].shown += step
    }
  }
}
