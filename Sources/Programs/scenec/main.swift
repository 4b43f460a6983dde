// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI
import SceneLSP

let program = MainProgram()
exit(program.run(commands: ["lsp": { try ServerCommand(call: $0, console: $1).run() }]))
