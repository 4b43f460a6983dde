// SPDX-License-Identifier: MIT
package import SceneWeb

/// A picture that waits.
package protocol QueuedPicture: Sendable {
  var tab: WebClient { get }
  var frame: Int { get }
  /// Whether it is one of many that follow each other.
  var isPlayed: Bool { get }
}

/// What waits to be drawn or answered, and in which order it is: what a page rests at or scrubs to, the
/// newest first; what it plays, by frame; whole pictures at last.
///
/// `Task` is what else is done: it may be anything.
package struct WorkQueue<Picture: QueuedPicture, Task: Sendable>: Sendable {
  /// What a worker takes.
  package enum Work: Sendable {
    case picture(Picture)
    case task(Task)
  }

  /// How many pictures may wait in all.
  private static var greatestCount: Int { 32 }
  private static var greatestPlayed: Int { 3 }

  package init() {}

  private var pictures: [Picture] = []
  /// Questions go before pictures, other tasks after them.
  private var questions: [Task] = []
  private var tasks: [Task] = []
  private var underWay: [WebClient: (shown: Int, played: Int)] = [:]

  /// Whether a wish is taken, and which one it takes the place of.
  package enum Reception {
    case taken(passed: Picture?)
    case busy
  }

  package mutating func add(_ wish: Picture) -> Reception {
    let own = pictures.indices.filter {
      pictures[$0].tab == wish.tab && pictures[$0].isPlayed == wish.isPlayed
    }
    let isFull = own.count >= (wish.isPlayed ? Self.greatestPlayed : 1)
    if isFull, let oldest = own.first {
      let passed = pictures.remove(at: oldest)
      pictures.append(wish)
      return .taken(passed: passed)
    }
    guard pictures.count < Self.greatestCount else { return .busy }
    pictures.append(wish)
    return .taken(passed: nil)
  }

  package mutating func ask(_ question: Task) { questions.append(question) }

  package mutating func add(_ task: Task) { tasks.append(task) }

  /// Lets go of what a tab waits for.
  package mutating func forget(_ tab: WebClient) {
    pictures.removeAll { $0.tab == tab }
    underWay[tab] = nil
  }

  /// What is to be done next. No picture is begun for a tab that still reads another one.
  package mutating func next(isBusy: (WebClient) -> Bool) -> Work? {
    if !questions.isEmpty { return .task(questions.removeFirst()) }
    if let place = place(isBusy) {
      let wish = pictures.remove(at: place)
      count(wish, 1)
      return .picture(wish)
    }
    return tasks.isEmpty ? nil : .task(tasks.removeFirst())
  }

  package mutating func finished(_ wish: Picture) { count(wish, -1) }

  private func place(_ isBusy: (WebClient) -> Bool) -> Int? {
    let free = pictures.indices.filter { index in
      let wish = pictures[index]
      let own = underWay[wish.tab] ?? (0, 0)
      let isFree = wish.isPlayed ? own.played < Self.greatestPlayed : own.shown < 1
      return isFree && !isBusy(wish.tab)
    }
    if let newest = free.last(where: { !pictures[$0].isPlayed }) { return newest }
    return free.min { pictures[$0].frame < pictures[$1].frame }
  }

  private mutating func count(_ wish: Picture, _ step: Int) {
    if wish.isPlayed {
      underWay[wish.tab, default: (0, 0)].played += step
    } else {
      underWay[wish.tab, default: (0, 0)].shown += step
    }
  }
}
