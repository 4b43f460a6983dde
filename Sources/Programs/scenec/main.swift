// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI
import SceneLSP

let program = MainProgram()
exit(
  program.run { name in
    name == "lsp" ? { try ServerCommand(call: $0, console: $1).run() } : nil
  })
