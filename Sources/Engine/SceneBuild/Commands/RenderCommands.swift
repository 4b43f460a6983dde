// SPDX-License-Identifier: MIT
import CLinux
package import SceneCLI
import SceneCheck
import SceneSession
import SceneStore
import SceneVideo

/// Returns the commands that require the encoders, by name, except `watch`.
package func renderCommands(_ interruption: Interruption) -> [String: ProgramCommand] {
  // Each segment has an encoder of its own. Without this call, their freed blocks would accumulate.
  scene_return_large_blocks()
  return [
    "build": { build($0, $1, interruption) },
    "codecs": { _, _ in codecs() },
    "timeline": { timeline($0, $1, interruption) },
  ]
}

private func build(_ call: Invocation, _ console: Console, _ interruption: Interruption)
  -> ExitCode
{
  guard !call.operands.isEmpty else {
    console.error("missing file: scenec build intro.scene", help: "see 'scenec help build'")
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
    reader.report("'--shard' requires a folder shared by all machines: --cache DIR")
  }
  if options.depfile != nil,
    call.operands.count > 1 || load.data != nil || options.shard != nil
      || options.outputs.contains(where: { $0.path.contains("{scene}") })
  {
    reader.report("'--depfile' requires a single scene, without '--data', '--shard' and {scene}")
  }
  do { try console.accept(reader, load, call.operands) } catch { return error.code }
  if options.shard != nil, let problem = PacketStore(load.store).problem {
    console.error(problem)
    return .worldRefused
  }
  if load.data != nil || options.outputs.contains(where: { $0.path.contains("{scene}") }) {
    return BatchBuilder(load, options, console, interruption).build(call.operands[0])
  }
  var worst = ExitCode.done
  let session = Session(load)
  let store = PacketStore.open(load.store, console)
  for path in call.operands {
    if load.check.sceneName == nil {
      console.noteOtherScenes(of: path) {
        "use --scene \($0) to build it, or -o \"{scene}.mp4\" to build all"
      }
    }
    let code = Builder(options, console, interruption, store: store)
      .build(path, session, load.check)
    if let counts = store?.takeCounts(), code == .done { console.note(counts) }
    if interruption.caught != 0 { return .interrupted }
    if code.rawValue > worst.rawValue { worst = code }
  }
  return worst
}

extension PacketStore {
  /// Opens the store of a command unless caching is off. Reports why a store cannot be used.
  static func open(_ place: StorePlace, _ console: Console) -> PacketStore? {
    guard place.path != nil else { return nil }
    let store = PacketStore(place)
    if let problem = store.problem { console.note(problem) }
    return store
  }
}

extension Console {
  /// Reports the number of rendered segments if some came from the cache.
  func note(_ counts: PacketStore.Counts) {
    for other in counts.others { note(other) }
    if let text = counts.text { note(text) }
  }
}

private func codecs() -> ExitCode {
  for encoder in availableEncoders() {
    let state = encoder.isThere ? "" : " (not available in this libavcodec)"
    Console.print("\(encoder.name): \(encoder.description)\(state)\n")
  }
  Console.print("stills: PNG and JPEG for patterns such as %04d.png and %04d.jpg\n")
  return .done
}
