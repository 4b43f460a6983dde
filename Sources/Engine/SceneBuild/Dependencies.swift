// SPDX-License-Identifier: MIT
import SceneFiles
import SceneOutput

/// The content of the `--depfile` file: a Make rule that lists every input file of a video.
///
/// Each input also has an empty rule, as with `gcc -MP`, so that Make does not fail after one of
/// them is deleted.
struct Dependencies {
  let targets: [String]
  let inputs: [String]

  var text: String {
    let names = inputs.map(Dependencies.escaped)
    let rule = "\(targets.map(Dependencies.escaped).joined(separator: " ")):"
    return ([rule] + names).joined(separator: " \\\n  ") + "\n"
      + names.map { "\n\($0):\n" }.joined()
  }

  /// Returns a name with the characters escaped that Make treats specially.
  private static func escaped(_ name: String) -> String {
    var text = ""
    for character in name {
      switch character {
      case " ", "#", "%", ":": text += "\\\(character)"
      case "$": text += "$$"
      default: text.append(character)
      }
    }
    return text
  }
}

extension Builder {
  /// Opens the file that `--depfile` names; returns `nil` without one. Throws if the build itself
  /// reads or writes the file.
  func dependencies(_ inputs: InputFiles, _ plans: [OutputPlan]) throws -> SideFile? {
    guard let path = options.depfile else { return nil }
    let targets = plans.map(\.path).filter { $0 != "-" }
    if targets.isEmpty { throw FileError("'--depfile' requires an output file, not a pipe") }
    let rule = Dependencies(targets: targets, inputs: inputs.paths)
    if (rule.inputs + rule.targets).contains(where: { $0.contains(where: \.isNewline) }) {
      throw FileError("a file name contains a line break, which '--depfile' cannot represent")
    }
    return try sideFile(path, "its dependencies", inputs: inputs, plans: plans) { rule.text }
  }
}
