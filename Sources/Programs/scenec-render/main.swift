// SPDX-License-Identifier: MIT
import Glibc
import SceneBuild
import SceneCLI
import ScenePreview

let program = MainProgram()
var commands = renderCommands(program.interruption)
commands["watch"] = { WatchCommand($0, $1, program.interruption).run() }
exit(program.run(commands: commands))
