// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneCommands
import SceneOutput
import SceneSystem

/// `watch` builds a video while an editor saves its source files at random times and by random
/// methods.
///
/// When no work is left, the video is byte-identical to the output of `build` for the last text. At
/// any time, the video is either missing or complete.
struct FilmScenario {
  let run: Run
  let films: Films

  func play() {
    let (path, part) = ("\(run.folder)/film.scene", "\(run.folder)/part.scene")
    let output = "\(run.folder)/film.mp4"
    var (text, color) = (Films.text(&run.random), run.random.pick(Films.colors))
    run.write(path, Array(text.scene.utf8))
    run.write(part, Array(Films.part(color).utf8))
    let interruption = Interruption.manual()
    let said = ConsoleText()
    let console = Console(color: "never", isQuiet: true).writing(to: said)
    let film = FilmWatch(
      path, load: Films.load(),
      options: Films.options(
        "watch", path, "-o", output, "--progress", "none", "--jobs", "\(run.random.int(1...2))"),
      reporter: BuildConsole(console, .none, clock: run.scheduler), interruption: interruption,
      clock: run.scheduler)
    let states = States()
    let watch = run.thread("watch") { [run] in
      _ = film.run(show: { states.add($0, run) })
    }
    let witness = run.thread("witness") { [run, films] in
      for _ in 0..<run.random.int(2...6) {
        run.rest(upTo: 300)
        if let bytes = run.read(output) {
          run.expect(films.contains(bytes), "the file is a part of a film")
        }
      }
    }
    for number in 0..<run.random.int(1...5) {
      run.rest(upTo: number == 0 ? 100 : 700)
      if run.random.chance(0.4) {
        // The save comes in the middle of a build.
        _ = run.scheduler.wait(atMost: .milliseconds(500)) { states.last == .building }
        run.rest(upTo: 20)
      }
      switch run.random.int(0...9) {
      case 0, 4: putAside(path)
      case 1:
        run.note("disk full")
        run.scheduler.isDiskFull = true
        run.rest(upTo: 300)
        run.scheduler.isDiskFull = false
        run.note("disk free again")
        // Only a save makes `watch` try again.
        text = Films.text(&run.random)
        run.save(path, text.scene, as: style())
      case 2, 3:
        color = run.random.pick(Films.colors)
        run.save(part, Films.part(color), as: style())
      default:
        text = Films.text(&run.random)
        run.save(path, text.scene, as: style())
      }
    }
    run.settle()
    check(text, color, output, states, said)
    // The last text is valid, so the video must appear regardless of earlier events.
    if text.isWrong {
      text.isWrong = false
      run.save(path, text.scene, as: style())
      run.settle()
      check(text, color, output, states, said)
    }
    interruption.interrupt()
    watch.join()
    witness.join()
  }

  private func style() -> Run.SaveStyle { run.random.pick(Run.SaveStyle.allCases) }

  /// Moves a file away and back again, so that nothing has changed, not even its time.
  private func putAside(_ path: String) {
    run.note("moves the film away")
    Files.rename(path, path + ".aside")
    run.rest(upTo: run.random.pick([4, 20, 100]))
    run.note("moves it back")
    Files.rename(path + ".aside", path)
  }

  private func check(
    _ text: Films.Text, _ color: String, _ output: String, _ states: States, _ said: ConsoleText
  ) {
    run.expect(
      states.last == (text.isWrong ? .failed : .done),
      "the last state is \(states.last.map(\.rawValue) ?? "missing"), for \(text.scene)\n\(said.text)"
    )
    guard !text.isWrong else { return }
    let wanted = films.file(text, part: color)
    run.expect(wanted != nil, "no reference for \(text.scene)")
    run.expect(
      run.read(output) == wanted, "the film is not the one of the last text\n\(said.text)")
  }

  /// The states that `watch` reported.
  // Safe: only the thread that holds the baton accesses it.
  private final class States: @unchecked Sendable {
    private(set) var last: FilmWatch.State?

    func add(_ report: FilmWatch.Report, _ run: Run) {
      if report.state != last { run.note("film: \(report.state)") }
      last = report.state
    }
  }
}
