// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneFiles
import SceneOutput
import SceneSession
import SceneSyntax
import SceneText

/// The `scenec fmt` command.
struct FormatCommand {
  let call: Invocation
  let console: Console

  func run() throws -> ExitCode {
    guard !call.operands.isEmpty else {
      throw Invocation.Failure(
        message: "expected a file, such as 'scenec fmt intro.scene', or - for standard input")
    }
    var worst = ExitCode.done
    for path in call.operands {
      let code = try format(path)
      if code.rawValue > worst.rawValue { worst = code }
    }
    return worst
  }

  /// Formats a file. Files with syntax errors are not changed.
  private func format(_ path: String) throws -> ExitCode {
    let bytes = try SceneFile.read(path)
    let source = SourceFile(id: FileID(0), name: path, bytes: bytes)
    let parsed = parse(source)
    guard let text = SceneSyntax.format(parsed) else {
      console.show(parsed.diagnostics.sortedByPlace(), [source])
      return .sceneWrong
    }
    let isSame = Array(text.utf8) == bytes
    if call.has("check") {
      if !isSame { console.result(path) }
      return isSame ? .done : .sceneWrong
    }
    if path == "-" {
      Console.print(text)
    } else if !isSame {
      let file = try OutputFile(path, inputs: [])
      try file.write(Array(text.utf8))
      try file.commit()
      console.result(path)
    }
    return .done
  }
}
