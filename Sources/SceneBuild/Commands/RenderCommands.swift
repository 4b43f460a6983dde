// SPDX-License-Identifier: MIT
import CLinux
package import SceneCLI
import SceneCheck
import SceneSession
import SceneVideo

/// The commands that need the encoders, by name.
package func renderCommands(_ interruption: Interruption) -> [String: RenderCommand] {
  // Each segment has an encoder of its own; without this their remains add up.
  scene_return_large_blocks()
  return [
    "build": { build($0, $1, interruption) },
    "watch": { watch($0, $1, interruption) },
    "codecs": { _, _ in codecs() },
  ]
}

private func build(_ call: Invocation, _ console: Console, _ interruption: Interruption)
  -> ExitCode
{
  guard !call.operands.isEmpty else {
    console.error("name a file: scenec build intro.scene", help: "see 'scenec help build'")
    return .callWrong
  }
  var reader = OptionReader(call)
  let load = LoadOptions(&reader)
  let options = BuildOptions(&reader)
  if call.operands.count > 1, call.has("output") || load.data != nil {
    let name = load.data != nil ? "--data" : "-o"
    reader.report("'\(name)' works with one scene file, not with \(call.operands.count)")
  }
  do { try console.accept(reader, load, call.operands) } catch { return error.code }
  if load.data != nil || options.outputs.contains(where: { $0.path.contains("{scene}") }) {
    return BatchBuilder(load, options, console, interruption).build(call.operands[0])
  }
  var worst = ExitCode.done
  let session = Session(load)
  for path in call.operands {
    if load.check.sceneName == nil { console.noteOtherScenes(path) }
    let code = Builder(options, console, interruption).build(path, session, load.check)
    if interruption.caught != 0 { return .interrupted }
    if code.rawValue > worst.rawValue { worst = code }
  }
  return worst
}

extension Console {
  /// A file may hold more videos than the one that is made.
  fileprivate func noteOtherScenes(_ path: String) {
    guard path != "-", let outline = try? FileOutline(path) else { return }
    let others = outline.independentScenes.dropLast()
    guard let first = others.first else { return }
    let names = others.map { "'\($0)'" }.joined(separator: ", ")
    note(
      "\(path) also holds \(names): build it with --scene \(first), or all with -o \"{scene}.mp4\"")
  }
}

private func codecs() -> ExitCode {
  for encoder in availableEncoders() {
    let state = encoder.isThere ? "" : " (not in this libavcodec)"
    Console.print("\(encoder.name): \(encoder.description)\(state)\n")
  }
  Console.print("stills: PNG and JPEG for patterns such as %04d.png and %04d.jpg\n")
  return .done
}
