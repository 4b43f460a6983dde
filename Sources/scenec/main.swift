// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI

let program = MainProgram()
exit(program.run())
