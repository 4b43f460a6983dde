// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI
import SceneCommands

prepareToRender()
let program = MainProgram()
exit(program.run { renderCommand($0, interruption: program.interruption) })
