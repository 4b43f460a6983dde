// SPDX-License-Identifier: MIT
import CLinux
package import SceneCLI
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
  if call.operands.count > 1, call.has("output") {
    console.error("'-o' names one file, and there are \(call.operands.count) scenes")
    return .callWrong
  }
  if let data = call.value("data") {
    return RowBuilder(call, console, interruption).build(call.operands[0], rows: data)
  }
  var worst = ExitCode.done
  for path in call.operands {
    let code = Builder(call, console, interruption).build(path).code
    if interruption.caught != 0 { return .interrupted }
    if code.rawValue > worst.rawValue { worst = code }
  }
  return worst
}

private func codecs() -> ExitCode {
  for encoder in availableEncoders() {
    let state = encoder.isThere ? "" : " (not in this libavcodec)"
    Console.print("\(encoder.name): \(encoder.description)\(state)\n")
  }
  Console.print("png: stills for a pattern such as %04d.png\n")
  return .done
}
