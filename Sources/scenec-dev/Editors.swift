// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneSyntax

/// Writes the word lists of the editors from the tables of the checker.
enum Editors {
  static func run() throws {
    let kinds = ElementKind.allCases.map(\.rawValue).sorted()
    let properties = PropertyTable.all.keys.sorted()
    let functions = Functions.names.sorted()
    let reserved = TokenKind.reserved.keys.sorted()
    func keywords(_ group: String, _ words: [String]) -> String {
      "syntax keyword \(group) " + words.joined(separator: " ") + "\n"
    }
    func matches(_ group: String, _ words: [String], _ before: String, _ after: String) -> String {
      let list = words.joined(separator: "\\|")
      return "syntax match \(group) /\(before)\\<\\(\(list)\\)\\>\(after)/\n"
    }
    var text = """
      " Vim syntax of scene files. Written by `scenec-dev editors`; do not edit by hand.
      if exists("b:current_syntax")
        finish
      endif
      syntax case match
      setlocal iskeyword+=-
      setlocal commentstring=//\\ %s

      """
    text += keywords("sceneReserved", reserved.filter { !["true", "false", "none"].contains($0) })
    text += keywords("sceneConstant", ["true", "false", "none"])
    text += keywords(
      "sceneDeclaration",
      [
        "import", "param", "fn", "component", "style", "effect", "transition", "over", "after",
        "with", "as",
      ])
    text += matches("sceneElement", kinds, "^\\s*", "\\ze\\(\\s*[{\"]\\|\\s\\+\\k\\|\\s*$\\)")
    text += matches("sceneProperty", properties, "", "\\ze\\s*:")
    text += matches("sceneFunction", functions, "", "\\ze(")
    text += #"""
      syntax match sceneNumber /\<\d[0-9_]*\(\.\d\+\)\?\(e[+-]\?\d\+\)\?\(px\|%\|ms\|min\|s\|f\|beat\|deg\|rad\|turn\|dB\|Hz\|kHz\|kbps\|Mbps\)\?/
      syntax match sceneNumber /\<\d\+x\d\+\>/
      syntax match sceneColor /#\x\{3,8}\>/
      syntax match sceneOperator /->\|\.\.\|[?:=<>!]=\?/
      syntax region sceneString start=/"/ skip=/\\./ end=/"/ contains=sceneEscape,sceneValue
      syntax region sceneString start=/"""/ skip=/\\./ end=/"""/ contains=sceneEscape,sceneValue
      syntax match sceneEscape /\\\(u{\x\+}\|.\)/ contained
      syntax region sceneValue start=/{/ end=/}/ contained contains=TOP
      syntax match sceneComment +//.*$+
      syntax match sceneDoc +///.*$+
      syntax region sceneComment start=+/\*+ end=+\*/+ contains=sceneComment

      highlight default link sceneReserved Statement
      highlight default link sceneDeclaration Keyword
      highlight default link sceneConstant Constant
      highlight default link sceneElement Type
      highlight default link sceneProperty Identifier
      highlight default link sceneFunction Function
      highlight default link sceneNumber Number
      highlight default link sceneColor Constant
      highlight default link sceneOperator Operator
      highlight default link sceneString String
      highlight default link sceneEscape SpecialChar
      highlight default link sceneValue Special
      highlight default link sceneComment Comment
      highlight default link sceneDoc SpecialComment

      let b:current_syntax = "scene"

      """#
    let folder = "Editors/vim"
    for name in ["syntax", "ftdetect"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try text.write(toFile: "\(folder)/syntax/scene.vim", atomically: true, encoding: .utf8)
    try "autocmd BufRead,BufNewFile *.scene setfiletype scene\n".write(
      toFile: "\(folder)/ftdetect/scene.vim", atomically: true, encoding: .utf8)
  }
}
