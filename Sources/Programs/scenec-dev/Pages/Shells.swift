// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI

/// Generates the shell completions and the man page from the declarations of the commands.
enum Shells {
  static func run(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in [
      ("scenec.bash", bash), ("_scenec", zsh), ("scenec.fish", fish), ("scenec.1", manual),
    ] {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
  }

  /// The kind of an option's value.
  private enum Choice {
    case words([Substring])
    case files, folders, anything

    init(_ value: String) {
      switch value {
      case "FILE", "OUT": self = .files
      case "DIR": self = .folders
      case _ where value.contains("|"): self = .words(value.split(separator: "|"))
      default: self = .anything
      }
    }
  }

  private static let commands = CommandSpec.all
  private static let names = commands.map(\.name).joined(separator: " ")

  /// All options with a value, ordered by name.
  private static let valued = CommandSpec.options.sorted { $0.name < $1.name }
    .compactMap { spec in spec.value.map { (spec: spec, choice: Choice($0)) } }

  private static func options(_ command: CommandSpec) -> [OptionSpec] {
    command.shownOptions.compactMap { command.option($0) }
  }

  private static func takesScenes(_ command: CommandSpec) -> Bool {
    command.operands.hasPrefix("FILE")
  }

  /// Returns a text in single quotes.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  // MARK: bash

  private static var bash: String {
    var text = """
      # Completion of scenec for bash. Written by `scenec-dev shells`.
      _scenec() {
          local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=
          if ((COMP_CWORD == 1)); then
              mapfile -t COMPREPLY < <(compgen -W '\(names)' -- "$word")
              return
          fi
          case $before in

      """
    var free: [String] = []
    for (spec, choice) in valued {
      let kind: String
      switch choice {
      case .words(let words): kind = "-W '\(words.joined(separator: " "))'"
      case .files: kind = "-f"
      case .folders: kind = "-d"
      case .anything:
        free.append("--\(spec.name)")
        continue
      }
      let short = spec.name == "output" ? " | -o" : ""
      text +=
        "    --\(spec.name)\(short)) mapfile -t COMPREPLY < <(compgen \(kind) -- \"$word\"); return ;;\n"
    }
    text += "    \(free.joined(separator: " | "))) return ;;\n"
    text += "    esac\n    case ${COMP_WORDS[1]} in\n"
    for command in commands {
      let words = command.shownOptions.map { "--\($0)" } + (command.name == "help" ? [names] : [])
      text += "    \(command.name)) options='\(words.joined(separator: " "))' ;;\n"
    }
    return text + """
          esac
          if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
              mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
          else
              mapfile -t COMPREPLY < <(compgen -f -X '!*.scene' -- "$word"; compgen -d -- "$word")
          fi
      }
      complete -o filenames -F _scenec scenec

      """
  }

  // MARK: zsh

  private static var zsh: String {
    func plain(_ text: String) -> String {
      ["\\", "[", "]", ":"].reduce(text) { $0.replacingOccurrences(of: $1, with: "\\" + $1) }
    }
    func argument(_ spec: OptionSpec) -> [String] {
      let help = "[\(plain(spec.help))]"
      guard let value = spec.value else { return [quoted("--\(spec.name)\(help)")] }
      let action =
        switch Choice(value) {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        case .anything: " "
        }
      let rest = "\(help):\(plain(value.contains("|") ? spec.name : value)):\(action)"
      let star = spec.mayRepeat ? "*" : ""
      let short = spec.name == "output" ? [quoted("\(star)-o+\(rest)")] : []
      return short + [quoted("\(star)--\(spec.name)=\(rest)")]
    }
    var text = """
      #compdef scenec
      # Completion of scenec for zsh. Written by `scenec-dev shells`.
      local -a commands
      commands=(

      """
    for it in commands { text += "    \(quoted("\(it.name):\(plain(it.summary))"))\n" }
    text += """
      )
      if ((CURRENT == 2)); then
          _describe command commands
          return
      fi
      local command=$words[2]
      shift words
      ((CURRENT--))
      case $command in

      """
    for command in commands {
      var words = options(command).flatMap(argument)
      if takesScenes(command) { words.append("'*:scene:_files -g \"*.scene\"'") }
      if command.name == "help" { words.append("'1:command:(\(names))'") }
      guard !words.isEmpty else { continue }
      text +=
        "\(command.name)) _arguments \\\n    " + words.joined(separator: " \\\n    ") + " ;;\n"
    }
    return text + "esac\n"
  }

  // MARK: fish

  private static var fish: String {
    func quoted(_ text: String) -> String {
      "'"
        + text.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "'", with: "\\'") + "'"
    }
    var text = "# Completion of scenec for fish. Written by `scenec-dev shells`.\n"
    text += "complete -c scenec -f\n"
    for command in commands {
      text += "complete -c scenec -n __fish_use_subcommand -a \(command.name)"
      text += " -d \(quoted(command.summary))\n"
      let head = "complete -c scenec -n '__fish_seen_subcommand_from \(command.name)'"
      for spec in options(command) {
        let value =
          switch spec.value.map(Choice.init) {
          case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
          case .files: " -r -F"
          case .folders: " -x -a '(__fish_complete_directories)'"
          case .anything: " -x"
          case nil: ""
          }
        let short = spec.name == "output" ? " -s o" : ""
        text += "\(head) -l \(spec.name)\(short)\(value) -d \(quoted(spec.help))\n"
      }
      if takesScenes(command) { text += "\(head) -k -a '(__fish_complete_suffix .scene)'\n" }
      if command.name == "help" { text += "\(head) -a '\(names)'\n" }
    }
    return text
  }

  // MARK: man

  private static var manual: String {
    func plain(_ text: String) -> String {
      let safe = text.replacingOccurrences(of: "\\", with: "\\e")
        .replacingOccurrences(of: "-", with: "\\-").replacingOccurrences(of: "…", with: "...")
      return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }
    var text = """
      .\\" Written by `scenec-dev shells`.
      .TH SCENEC 1 "" "scenec \(version)"
      .SH NAME
      scenec \\- turns a scene file into a video
      .SH SYNOPSIS
      .B scenec
      .I COMMAND
      [\\fIOPTION\\fR...] [\\fIFILE\\fR...]
      .SH DESCRIPTION
      The language of scenes is explained by
      .BR "scenec docs" ,
      the errors that can be in one by
      .BR "scenec explain" .
      .SH COMMANDS

      """
    for command in commands {
      text += ".SS \"\(plain("scenec \(command.name) \(command.operands)"))\"\n"
      text += plain(command.summary.prefix(1).uppercased() + command.summary.dropFirst()) + ".\n"
      for spec in options(command) {
        let value = spec.value.map { " \\fI\(plain($0))\\fR" } ?? ""
        let short = spec.name == "output" ? "\\fB\\-o\\fR, " : ""
        text += ".TP\n\(short)\\fB\\-\\-\(plain(spec.name))\\fR\(value)\n\(plain(spec.help))\n"
      }
      for example in command.examples {
        text += ".PP\n.EX\n\(plain("scenec \(example.call)"))\n.EE\n.RS\n"
        text += "\(plain(example.meaning))\n.RE\n"
      }
    }
    func term(_ word: String, _ meaning: String) -> String {
      ".TP\n.B \(plain(word))\n\(plain(meaning.prefix(1).uppercased() + meaning.dropFirst())).\n"
    }
    text += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases { text += term("\(code.rawValue)", code.meaning) }
    text += ".SH ENVIRONMENT\n"
    for (name, meaning) in Help.environment { text += term(name, meaning) }
    return text
  }
}
