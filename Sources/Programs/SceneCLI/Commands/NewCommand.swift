// SPDX-License-Identifier: MIT
import SceneFiles
import SceneLibrary
import SceneOutput
import SceneSession
import SceneSystem
import SceneText

/// The `scenec new NAME` command: writes a complete scene with the files that it uses.
struct NewCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    let template = try self.template()
    guard !call.operands.isEmpty else {
      if let template, call.has("from") {
        throw Invocation.Failure(
          message: "missing name: scenec new my-\(template.name) --from \(template.name)")
      }
      Console.print(NewCommand.list)
      return .done
    }
    guard call.operands.count == 1, let name = call.operands.first else {
      throw Invocation.Failure(message: "expected a single name: scenec new intro")
    }
    let path = name.hasSuffix(".scene") ? name : name + ".scene"
    guard !name.hasSuffix("/"), !path.hasSuffix("/.scene"), path != ".scene" else {
      throw Invocation.Failure(message: "'\(name)' is not a valid name: scenec new intro")
    }
    if let template { try write(template, to: path) }
    return .done
  }

  /// Returns the requested template, by default the first one.
  private func template() throws -> Templates.Template? {
    guard let name = call.value("from") else { return Templates.all.first }
    let word = name.hasSuffix(".scene") ? String(name.dropLast(6)) : name
    if let template = Templates.named(word) { return template }
    let names = Templates.all.map(\.name)
    var message = "unknown template '\(name)'"
    if let near = nearest(word.lowercased(), in: names + Templates.all.flatMap(\.otherNames)) {
      message += "; did you mean '\(near)'?"
    } else {
      message += "; the templates are \(names.joined(separator: ", "))"
    }
    throw Invocation.Failure(message: message)
  }

  /// Writes a scene and its files. Writes nothing if one of them conflicts with an existing file.
  private func write(_ template: Templates.Template, to path: String) throws {
    guard !Files.exists(path) else {
      throw FileError("'\(path)' already exists", help: "choose a different name")
    }
    let folder = SceneFile.folder(of: path)
    var missing: [(path: String, bytes: [UInt8])] = []
    for file in template.files {
      let place = folder == "." ? file.name : "\(folder)/\(file.name)"
      guard Files.exists(place) else {
        missing.append((place, file.bytes))
        continue
      }
      // Scenes from the same template share their files.
      guard try SceneFile.read(place) == file.bytes else {
        throw FileError(
          "'\(place)' already exists and differs from the file of the template '\(template.name)'",
          help: "create a new folder: mkdir \(template.name) && cd \(template.name)")
      }
    }
    for file in missing + [(path, template.scene)] {
      let output = try OutputFile(file.path, inputs: [])
      try output.write(file.bytes)
      try output.commit()
      console.result(file.path)
    }
    console.note("next: scenec watch \(path), or scenec build \(path)")
  }

  /// The output of `scenec new` without operands: each template with a sentence.
  static var list: String {
    let width = (Templates.all.map(\.name.count).max() ?? 0) + 2
    var text = "scenec new NAME --from TEMPLATE creates NAME.scene and the files that it uses.\n\n"
    for template in Templates.all {
      let gap = String(repeating: " ", count: width - template.name.count)
      text += "  \(template.name)\(gap)\(template.sentence)\n"
    }
    return text + "\nThe default template is '\(Templates.all[0].name)'.\n"
  }
}
