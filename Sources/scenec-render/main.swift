// SPDX-License-Identifier: MIT
import Glibc
import SceneBuild
import SceneCLI

let renderer = Renderer()
let code = run(
  Array(CommandLine.arguments.dropFirst()), program: "scenec-render",
  renderCommands: renderer.commands)
exit(renderer.exitStatus(code))
