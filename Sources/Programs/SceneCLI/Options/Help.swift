// SPDX-License-Identifier: MIT

/// The texts of `--help`.
package enum Help {
  package static var overview: String {
    var text = "scenec compiles scene files into video.\n\nUsage: scenec COMMAND …\n\n"
    for command in CommandSpec.all {
      text += "  " + padded("\(command.name) \(command.operands)", 16) + command.summary + "\n"
    }
    text += "\n  scenec new intro           create a scene\n"
    text += "  scenec build intro.scene   render intro.mp4\n"
    text += "  scenec help build          show the options of a command\n"
    text += "\nExit status:\n"
    for code in ExitCode.allCases { text += "  \(padded("\(code.rawValue)", 19))\(code.meaning)\n" }
    text += "\nEnvironment:\n"
    for (name, meaning) in environment { text += "  \(padded(name, 19))\(meaning)\n" }
    return text
  }

  /// The environment variables that the program reads.
  package static let environment = [
    ("SCENEC_CACHE", "the cache folder; an empty value disables the cache"),
    ("SCENEC_CACHE_SIZE", "the maximum size of the cache"),
    ("SCENEC_EDITOR", "the command of 'scenec watch --editor'"),
    ("NO_COLOR", "if set, disables colors in messages"),
  ]

  package static func page(_ command: CommandSpec) -> String {
    let options = command.shownOptions.isEmpty ? "" : " [OPTION…]"
    var text = "scenec \(command.name): \(command.summary)\n\n"
    text += "Usage: scenec \(command.name) \(command.operands)\(options)\n"
    if !command.shownOptions.isEmpty { text += "\n" }
    for name in command.shownOptions {
      guard let spec = command.option(name) else { continue }
      let head =
        (name == "output" ? "-o, " : "") + "--\(name)" + (spec.value.map { " \($0)" } ?? "")
        + (spec.detail.map { "[=\($0)]" } ?? "")
      text += "  " + padded(head, 32) + spec.help + "\n"
    }
    if !command.examples.isEmpty { text += "\nExamples:\n" }
    for example in command.examples {
      text += "  scenec \(example.call)\n      \(example.meaning)\n"
    }
    return text
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
