// SPDX-License-Identifier: MIT
import Glibc
import SceneBuild
import SceneCLI

// Before any thread: those that draw must not take the signals.
let commands = renderCommands()
let code = run(
  Array(CommandLine.arguments.dropFirst()), program: "scenec-render", renderCommands: commands)
exit(code.rawValue)
