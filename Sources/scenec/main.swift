// SPDX-License-Identifier: MIT
import Glibc
import SceneCLI

exit(run(Array(CommandLine.arguments.dropFirst()), program: "scenec").rawValue)
