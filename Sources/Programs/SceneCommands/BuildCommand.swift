// SPDX-License-Identifier: MIT
import CLinux
import SceneBuild
package import SceneCLI
import SceneCheck
import SceneEncoding
package import SceneOutput
import SceneSession
import SceneStore

/// Configures the memory allocator of a process that encodes video. Must be called before
/// `MainProgram.init`, which starts a thread.
package func prepareToRender() {
  scene_use_huge_pages()
  // Each segment has an encoder of its own. Without this call, their freed blocks would accumulate.
  scene_return_large_blocks()
}

/// Returns a command that requires the encoders, by its name; `nil` if there is none.
package func renderCommand(_ name: String, interruption: Interruption) -> ProgramCommand? {
  switch name {
  case "build": { build($0, console: $1, interruption: interruption) }
  case "codecs": { _, _ in codecs() }
  case "test": { try TestCommand(call: $0, console: $1, interruption: interruption).run() }
  case "timeline": { timeline($0, console: $1, interruption: interruption) }
  case "watch": { WatchCommand($0, console: $1, interruption: interruption).run() }
  default: nil
  }
}

private func build(_ call: Invocation, console: Console, interruption: Interruption)
  -> ExitCode
{
  guard !call.operands.isEmpty else {
    console.error(
      "expected a file, such as 'scenec build intro.scene'",
      help: "see 'scenec help build'")
    return .callWrong
  }
  var reader = OptionReader(call)
  let load = LoadOptions(&reader)
  let options = BuildOptions(&reader)
  if call.operands.count > 1, call.has("output") || load.data != nil {
    let name = load.data != nil ? "--data" : "-o"
    reader.report("'\(name)' requires a single scene file, found \(call.operands.count)")
  }
  if options.shard != nil, load.store.path == nil {
    reader.report("'--shard' requires a folder that all machines share: add --cache DIR")
  }
  if options.depfile != nil,
    call.operands.count > 1 || load.data != nil || options.shard != nil
      || options.outputs.contains(where: { $0.path.contains("{scene}") })
  {
    reader.report("'--depfile' requires a single scene, without '--data', '--shard' and {scene}")
  }
  do { try console.accept(reader, load: load, paths: call.operands) } catch { return error.code }
  if options.shard != nil, let problem = PacketStore(load.store).problem {
    console.error(problem)
    return .worldRefused
  }
  let style = ProgressStyle(reader)
  func reporter(_ console: Console) -> BuildConsole {
    BuildConsole(console, style, isStrict: options.isStrict)
  }
  if load.data != nil || options.outputs.contains(where: { $0.path.contains("{scene}") }) {
    return BatchBuilder(
      load: load, options: options, reporter: reporter(console.remembering()),
      interruption: interruption
    )
    .build(call.operands[0])
  }
  var worst = BuildOutcome.done
  let session = Session(load)
  let own = reporter(console)
  let store = PacketStore.open(load.store, own)
  for path in call.operands {
    if load.check.sceneName == nil {
      console.noteOtherScenes(of: path) {
        "use --scene \($0) to build it, or -o \"{scene}.mp4\" to build all"
      }
    }
    let outcome = Builder(options, reporter: own, interruption: interruption, store: store)
      .build(path, in: session, check: load.check)
    if let counts = store?.takeCounts(), outcome == .done { own.note(counts) }
    if interruption.caught != 0 { return .interrupted }
    worst = max(worst, outcome)
  }
  return ExitCode(worst)
}

private func codecs() -> ExitCode {
  for encoder in availableEncoders() {
    let state = encoder.isThere ? "" : " (not available in this libavcodec)"
    Console.print("\(encoder.name): \(encoder.description)\(state)\n")
  }
  Console.print("stills: PNG and JPEG for patterns such as %04d.png and %04d.jpg\n")
  return .done
}
