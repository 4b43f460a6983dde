// SPDX-License-Identifier: MIT
package import SceneSession
import SceneText

/// A parsed command line.
package struct Invocation: Sendable {
  package let command: CommandSpec
  package let operands: [String]
  private let values: [String: [String]]

  package func has(_ option: String) -> Bool { values[option] != nil }

  package func value(_ option: String) -> String? { values[option]?.last }

  package func all(_ option: String) -> [String] { values[option] ?? [] }

  package typealias Failure = CallError

  /// Parses `arguments`, which exclude the name of the program and start with the command.
  package init(_ arguments: [String]) throws(Failure) {
    guard let name = arguments.first else { throw Failure(message: "missing command") }
    guard let command = CommandSpec.all.first(where: { $0.name == name }) else {
      var message = "unknown command '\(name)'"
      if name.hasSuffix(".scene") {
        message += "; did you mean 'scenec build \(name)'?"
      } else if let near = CommandSpec.meant(by: name) {
        message += "; did you mean '\(near)'?"
      }
      throw Failure(message: message)
    }
    self.command = command
    var operands: [String] = []
    var values: [String: [String]] = [:]
    var rest = arguments.dropFirst()
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        break
      }
      // '-' is a pipe and '->' an operator of the language.
      guard argument.hasPrefix("-"), let second = argument.dropFirst().first,
        second == "-" || second.isLetter
      else {
        operands.append(argument)
        continue
      }
      let (spec, inline) = try Invocation.option(argument, of: command)
      guard spec.value != nil else {
        if inline != nil, spec.detail == nil {
          throw Failure(message: "'--\(spec.name)' does not accept a value")
        }
        values[spec.name] = inline.map { [$0] } ?? []
        continue
      }
      guard let value = inline ?? rest.popFirst() else {
        throw Failure(
          message: "'--\(spec.name)' requires a value: --\(spec.name) \(spec.value ?? "")")
      }
      if values[spec.name] != nil, !spec.mayRepeat {
        throw Failure(message: "duplicate option '--\(spec.name)'")
      }
      if let choices = spec.value, choices.contains("|"),
        !choices.split(separator: "|").contains(Substring(value))
      {
        throw Failure(message: "'--\(spec.name)' must be one of \(choices), found '\(value)'")
      }
      values[spec.name, default: []].append(value)
    }
    self.operands = operands
    self.values = values
  }

  private static func option(_ argument: String, of command: CommandSpec) throws(Failure)
    -> (OptionSpec, String?)
  {
    var name = argument
    var inline: String?
    if argument.hasPrefix("-o"), !argument.hasPrefix("--") {
      inline =
        argument.count > 2 ? String(argument.dropFirst(argument.hasPrefix("-o=") ? 3 : 2)) : nil
      name = "--output"
    } else if let equal = argument.firstIndex(of: "=") {
      name = String(argument[..<equal])
      inline = String(argument[argument.index(after: equal)...])
    }
    let key = String(name.drop { $0 == "-" })
    guard name.hasPrefix("--"), command.options.contains(key), let spec = command.option(key)
    else {
      var message = "unknown option '\(name)' of '\(command.name)'"
      if let near = nearest(key, in: command.shownOptions) {
        message += "; did you mean '--\(near)'?"
      } else if CommandSpec.options.contains(where: { $0.name == key }) {
        message += "; other commands support it"
      } else if let other = CommandSpec.sameOptions[key], command.options.contains(other) {
        message += "; use '--\(other)'"
      } else if command.name == "new", ["list", "templates"].contains(key) {
        message += "; 'scenec new' lists the templates"
      }
      throw Failure(message: message)
    }
    return (spec, inline)
  }
}
