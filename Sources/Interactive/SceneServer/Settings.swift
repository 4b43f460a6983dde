// SPDX-License-Identifier: MIT
import SceneCheck
package import SceneEditing
import SceneJSON

/// The settings of a client (section `scenec`); omitted settings have their defaults.
package struct Settings: Hashable, Sendable {
  /// When texts are checked, and how far.
  package enum Checking: String, CaseIterable, Sendable {
    case all, syntax, onSave
  }

  /// The root folder for the files of scenes; by default that of the project, or the folder of the
  /// scene.
  package var root: String?
  /// Whether limits of projects that exceed the defaults apply.
  package var trustsProject = false
  /// The values of params, by name.
  package var set: [String: String] = [:]
  /// The limits of checks, by name.
  package var limits: [String: Double] = [:]
  package var hints = Set(InlayHint.Kind.allCases)
  package var checking = Checking.all
  /// Whether images may be shown in hovers.
  package var images = false

  package init() {}

  /// Applies settings, and returns messages about unknown, invalid or reduced ones.
  mutating func take(_ json: JSON) -> [String] {
    var unknown: [String] = []
    guard case .object(let members) = json else { return [] }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      switch name {
      case "root":
        if let text = value.string {
          root = text.isEmpty ? nil : text
        } else if value.isNull {
          root = nil
        } else {
          unknown.append("'root' must be the path of a folder")
        }
      case "trustProject":
        if let it = value.bool {
          trustsProject = it
        } else {
          unknown.append("'trustProject' must be true or false")
        }
      case "set":
        guard case .object(let values) = value else {
          unknown.append("'set' must map params to values: {\"name\": \"value\"}")
          continue
        }
        set = values.compactMapValues(Settings.text)
      case "limits":
        unknown += takeLimits(value)
      case "inlayHints":
        guard case .object(let switches) = value else {
          unknown.append("'inlayHints' must be an object with lives, lengths, parameters and types")
          continue
        }
        for (kind, isOn) in switches {
          guard let kind = InlayHint.Kind(rawValue: kind), let isOn = isOn.bool else {
            unknown.append("unknown setting 'inlayHints.\(kind)'")
            continue
          }
          if isOn { hints.insert(kind) } else { hints.remove(kind) }
        }
      case "checkWhileTyping":
        if let it = value.string.flatMap(Checking.init) {
          checking = it
        } else {
          unknown.append("'checkWhileTyping' must be 'all', 'syntax' or 'onSave'")
        }
      case "images":
        if let it = value.bool {
          images = it
        } else {
          unknown.append("'images' must be true or false")
        }
      // Settings of the extension for VS Code itself.
      case "path", "trace": continue
      default: unknown.append("unknown setting '\(name)'")
      }
    }
    return unknown
  }

  /// Sets the limits of checks. Values above a maximum are reduced to it. Returns messages about
  /// reduced and invalid values.
  private mutating func takeLimits(_ json: JSON) -> [String] {
    guard case .object(let values) = json else {
      return ["'limits' must map limits to numbers: {\"steps\": 10000000}"]
    }
    limits = [:]
    var messages: [String] = []
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      guard let most = Limits.most(name), let number = value.number, number >= 0 else {
        let names = Limits.names.joined(separator: ", ")
        messages.append(
          "unknown limit '\(name)' in 'limits', expected one of \(names) with a number")
        continue
      }
      if number > most {
        messages.append("'limits.\(name)' can be at most \(Int(most)); using \(Int(most))")
      }
      limits[name] = min(number, most)
    }
    return messages
  }

  /// Replaces command-line options in a message with the corresponding settings.
  static func inPlaceOfOptions(_ message: String) -> String {
    message.replacing(#/--limit ([a-z]+)=([0-9]+|…)/#) {
      "the setting scenec.limits: {\"\($0.output.1)\": \($0.output.2)}"
    }
    .replacing(#/--set ([A-Za-z0-9_-]+)=…/#) {
      "the setting scenec.set: {\"\($0.output.1)\": \"…\"}"
    }
    .replacing("--root DIR", with: "the setting scenec.root")
    .replacing("pass --trust-project", with: "turn on the setting scenec.trustProject")
  }

  private static func text(_ value: JSON) -> String? {
    switch value {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let truth): "\(truth)"
    default: nil
    }
  }
}
