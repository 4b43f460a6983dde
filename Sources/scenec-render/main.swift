// SPDX-License-Identifier: MIT
import Glibc
import SceneBuild
import SceneCLI

let program = MainProgram()
exit(program.run(renderCommands: renderCommands(program.interruption)))
