// SPDX-License-Identifier: MIT
import ScenePreview
import SceneTestSupport
import SceneWeb
import Testing

/// The order in which frames are drawn, and which ones are dropped.
@Suite("Order of work", .cpuBudget(seconds: 1)) struct WorkQueueTests {
  private struct Picture: QueuedPicture, Equatable {
    let tab: WebClient
    let frame: Int
    let isPlayed: Bool

    init(_ tab: UInt64, _ frame: Int, isPlayed: Bool = false) {
      self.tab = WebClient(number: tab)
      self.frame = frame
      self.isPlayed = isPlayed
    }
  }

  private typealias Queue = WorkQueue<Picture, String>

  private func passed(_ reception: Queue.Reception) -> Picture? {
    if case .taken(let passed) = reception { passed } else { nil }
  }

  /// Starts as much work as possible while none is finished, and returns it.
  private func begun(_ queue: inout Queue, isBusy: (WebClient) -> Bool = { _ in false }) -> [String]
  {
    var found: [String] = []
    while let work = queue.next(isBusy: isBusy) {
      switch work {
      case .picture(let it): found.append("\(it.isPlayed ? "play" : "show") \(it.frame)")
      case .task(let name): found.append(name)
      }
    }
    return found
  }

  @Test func theNewestOfATabTakesThePlaceOfTheOneBefore() {
    var queue = Queue()
    #expect(passed(queue.add(Picture(1, 10))) == nil)
    #expect(passed(queue.add(Picture(1, 20))) == Picture(1, 10))
    #expect(passed(queue.add(Picture(2, 30))) == nil)
    #expect(begun(&queue) == ["show 30", "show 20"])
  }

  @Test func threePicturesArePlayedAheadInTheirOrder() {
    var queue = Queue()
    for frame in [3, 1, 2] { #expect(passed(queue.add(Picture(1, frame, isPlayed: true))) == nil) }
    #expect(passed(queue.add(Picture(1, 4, isPlayed: true))) == Picture(1, 3, isPlayed: true))
    _ = queue.add(Picture(1, 9))
    #expect(begun(&queue) == ["show 9", "play 1", "play 2", "play 4"])
    // Three are running, so the next one waits for one of them to finish.
    _ = queue.add(Picture(1, 5, isPlayed: true))
    #expect(begun(&queue) == [])
    queue.finished(Picture(1, 1, isPlayed: true))
    #expect(begun(&queue) == ["play 5"])
  }

  @Test func aTabWaitsForItsOwnPictureAlone() {
    var queue = Queue()
    _ = queue.add(Picture(1, 1))
    #expect(begun(&queue) == ["show 1"])
    _ = queue.add(Picture(1, 2))
    _ = queue.add(Picture(2, 3))
    #expect(begun(&queue) == ["show 3"])
    queue.finished(Picture(1, 1))
    #expect(begun(&queue) == ["show 2"])
  }

  @Test func nothingIsBegunForWhoStillReads() {
    var queue = Queue()
    _ = queue.add(Picture(1, 1))
    _ = queue.add(Picture(2, 2))
    let slow = WebClient(number: 1)
    #expect(begun(&queue) { $0 == slow } == ["show 2"])
    #expect(begun(&queue) == ["show 1"])
  }

  @Test func questionsComeFirstAndOtherTasksLast() {
    var queue = Queue()
    queue.add("still")
    _ = queue.add(Picture(1, 1))
    queue.ask("element")
    #expect(begun(&queue) == ["element", "show 1", "still"])
  }

  @Test func moreThanThirtyTwoAreTooMany() {
    var queue = Queue()
    for tab in 0..<32 { _ = queue.add(Picture(UInt64(tab), 0)) }
    guard case .busy = queue.add(Picture(99, 0)) else {
      Issue.record("it is taken")
      return
    }
    // A tab that is already waiting can change its request.
    #expect(passed(queue.add(Picture(5, 7))) == Picture(5, 0))
    queue.forget(WebClient(number: 5))
    #expect(passed(queue.add(Picture(99, 0))) == nil)
  }
}
