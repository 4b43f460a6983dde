// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI
import SceneCommands

let program = MainProgram()
exit(program.run(commands: renderCommands(program.interruption)))
