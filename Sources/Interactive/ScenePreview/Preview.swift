// SPDX-License-Identifier: MIT
package import SceneBuild
package import SceneOutput
package import SceneCheck
import SceneJSON
package import SceneSession
package import SceneSystem
package import SceneWeb
import Synchronization

/// The preview of one scene: the web server, the thread that loads the scene, and the rendering
/// threads.
package final class Preview: Sendable {
  package let url: String
  private let network: any WebNetwork
  private let clock: any TimeSource
  private let pool: RenderPool
  private let tasks: ReaderTasks
  private let outlet: Outlet
  private let desk: SoundDesk
  private let exports: Exports
  private let reader: WorkerThread?
  private let lastShown: Mutex<ContinuousClock.Instant>

  /// The parameters of a preview.
  package struct Call: Sendable {
    package let path: String
    package let load: LoadOptions
    package let check: CheckOptions
    package let build: BuildOptions
    package let interruption: Interruption
    package var isReadOnly = false
    package var editor: [String]?
    package var otherHosts: [String] = []
    /// The editor that started the preview.
    package var link: EditorLink?
    package var report = Report()
    package var clock: any TimeSource = SystemClock()

    package init(
      path: String, load: LoadOptions, check: CheckOptions, build: BuildOptions,
      _ interruption: Interruption
    ) {
      self.path = path
      self.load = load
      self.check = check
      self.build = build
      self.interruption = interruption
    }
  }

  /// Callbacks for terminal output.
  package struct Report: Sendable {
    /// Called with a loaded scene and the time that loading took.
    package var read: @Sendable (LoadedScene, Duration) -> Void = { _, _ in }
    /// Called with a message about a file changed by a page.
    package var line: @Sendable (String) -> Void = { _ in }

    package init() {}
  }

  /// The build identifier of the served page.
  package static var build: String { PreviewSite.build }

  /// Serves the preview on a port of 127.0.0.1; returns `nil` if the port is in use.
  package convenience init?(_ call: Call, port: Int, token: String) {
    self.init(call, port: port, token: token) {
      WebServer(port: port, subprotocol: PreviewSite.subprotocol, site: $0, clock: call.clock)
    }
  }

  /// Serves the preview through the network that `connect` creates; returns `nil` if `connect`
  /// does.
  package init?(
    _ call: Call, port: Int, token: String, connect: (any WebSite) -> (any WebNetwork)?
  ) {
    let outlet = Outlet()
    let pool = RenderPool(outlet, clock: call.clock)
    let tasks = ReaderTasks(clock: call.clock)
    let registry = ViewRegistry()
    let (desk, exports) = (SoundDesk(), Exports(call, outlet))
    let facts = PreviewFacts(
      path: call.path, isReadOnly: call.isReadOnly, editor: call.editor, link: call.link,
      table: RowTable(call.load, for: call.path))
    let site = PreviewSite(
      gate: Gate(
        port: port, token: token, subprotocol: PreviewSite.subprotocol, others: call.otherHosts),
      facts: facts, registry: registry, pool: pool, tasks: tasks, outlet: outlet, desk: desk,
      exports: exports, clock: call.clock)
    guard let network = connect(site) else { return nil }
    (self.network, self.pool, self.tasks, self.outlet) = (network, pool, tasks, outlet)
    clock = call.clock
    lastShown = Mutex(call.clock.now - .seconds(1))
    (self.desk, self.exports) = (desk, exports)
    url = "http://127.0.0.1:\(port)/p/\(token)/"
    outlet.connect(network)
    pool.start()
    pool.add { _ in _ = PreviewSite.packed }
    desk.start()
    reader = WorkerThread {
      let reader = SceneReader(
        call.path, load: call.load, check: call.check, tasks: tasks, registry: registry, pool: pool,
        outlet: outlet, report: call.report,
        clock: call.clock)
      reader.link = call.link
      reader.table = facts.table
      reader.run()
    }
    network.start()
    call.link?.listen(tasks, outlet)
    call.link?.say("live/ready", ["url": .string(url)])
  }

  /// Blocks until no page has sent a request recently, or until `isEnding` returns `true`.
  package func waitForQuiet(isEnding: () -> Bool) {
    while !pool.isQuiet, !isEnding() { clock.sleep(for: .milliseconds(20)) }
  }

  /// Sends the progress of the scene's video to pages, at most ten times per second.
  package func show(_ film: FilmWatch.Report) {
    if let file = film.file { exports.filmIsMade(file) }
    let isDue = lastShown.withLock { last in
      guard film.state != .building || clock.now - last > .milliseconds(100) else {
        return false
      }
      last = clock.now
      return true
    }
    guard isDue else { return }
    outlet.event(
      "film",
      [
        "state": .string(film.state.rawValue), "frame": .int(film.frame), "of": .int(film.count),
        "path": film.file.map { .string($0.path) } ?? .null,
        "tracks": film.file?.tracksJSON ?? [],
        "left": film.left.map { .double($0) } ?? .null,
      ], replaces: true)
  }

  /// Notifies all pages and ends within half a second.
  package func end() {
    tasks.end()
    network.end(WebMessage(JSON.object(["event": "bye"]).bytes))
    outlet.connect(nil)
    exports.end()
    desk.end()
    pool.end()
    reader?.join()
  }
}
