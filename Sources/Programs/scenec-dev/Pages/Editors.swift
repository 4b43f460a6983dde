// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneLanguage
import SceneSyntax

/// The words of the language, sorted.
private struct WordLists {
  let kinds = ElementKind.written.map(\.rawValue).sorted()
  let properties = Property.allCases.map(\.name).sorted()
  let functions = BuiltIn.all.keys.sorted()
  let reserved = TokenKind.reserved.keys.sorted()
}

/// Generates the word lists for editors from the tables of the checker.
enum Editors {
  static func run() throws {
    let lists = WordLists()
    func keywords(_ group: String, _ words: [String]) -> String {
      "syntax keyword \(group) " + words.joined(separator: " ") + "\n"
    }
    func matches(_ group: String, _ words: [String], before: String, after: String) -> String {
      let list = words.joined(separator: "\\|")
      return "syntax match \(group) /\(before)\\<\\(\(list)\\)\\>\(after)/\n"
    }
    var text = """
      " Vim syntax of scene files. Written by `scenec-dev editors`; do not edit by hand.
      if exists("b:current_syntax")
        finish
      endif
      syntax case match
      syntax sync minlines=200
      setlocal iskeyword+=-

      """
    text += keywords(
      "sceneReserved", lists.reserved.filter { !["true", "false", "none"].contains($0) })
    text += keywords("sceneConstant", ["true", "false", "none"])
    text += keywords(
      "sceneDeclaration",
      declarations)
    text += matches(
      "sceneElement", lists.kinds, before: "^\\s*",
      after: "\\ze\\(\\s*[{\"$]\\|\\s\\+\\k\\|\\s*$\\)")
    text += matches("sceneProperty", lists.properties, before: "", after: "\\ze\\s*:")
    text += matches("sceneFunction", lists.functions, before: "", after: "\\ze(")
    text += #"""
      syntax match sceneNumber /\<\d[0-9_]*\(\.\d\+\)\?\(e[+-]\?\d\+\)\?\(px\|%\|ms\|min\|s\|f\|beat\|deg\|rad\|turn\|dB\|Hz\|kHz\|kbps\|Mbps\)\?/
      syntax match sceneNumber /\<\d\+x\d\+\>/
      syntax match sceneColor /#\x\{3,8}\>/
      syntax match sceneOperator /->\|\.\.\|[?:=<>!]=\?/
      syntax region sceneString start=/"/ skip=/\\./ end=/"/ contains=sceneEscape,sceneValue
      syntax region sceneString start=/"""/ skip=/\\./ end=/"""/ contains=sceneEscape,sceneValue
      syntax region sceneString oneline start=/\$/ skip=/\\./ end=/\$/
      syntax region sceneString start=/\$\$/ skip=/\\./ end=/\$\$/
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
    try writeVim(text)
    try writeTextMate(lists)
    try writeEmacs(lists)
    try writeKate(lists)
  }

  private static let declarations = [
    "edition", "import", "param", "fn", "component", "style", "effect", "transition", "filter",
    "paint", "over",
    "after", "with",
    "as",
  ]
  private static let constants = ["true", "false", "none"]

  /// Writes the TextMate grammar of the VS Code extension.
  private static func writeTextMate(_ lists: WordLists) throws {
    func words(_ list: [String], before: String = "", after: String = "") -> String {
      "\(before)(?<![\\w-])(?:\(list.joined(separator: "|")))(?![\\w-])\(after)"
    }
    func rule(_ name: String, _ match: String) -> [String: Any] {
      ["name": "\(name).scene", "match": match]
    }
    let unit = "(?:px|%|ms|min|s|f|beat|deg|rad|turn|dB|Hz|kHz|kbps|Mbps)?"
    let code: [[String: Any]] = [
      ["name": "comment.line.documentation.scene", "match": "///.*$"],
      ["name": "comment.line.double-slash.scene", "match": "//.*$"],
      [
        "name": "comment.block.scene", "begin": "/\\*", "end": "\\*/",
        "patterns": [["include": "#block"]],
      ],
      ["include": "#string"],
      rule("constant.other.color", "#[0-9A-Fa-f]{3,8}\\b"),
      rule("constant.numeric.size", "\\b\\d+x\\d+\\b"),
      rule("constant.numeric", "\\b\\d[\\d_]*(?:\\.\\d+)?(?:e[+-]?\\d+)?\(unit)"),
      rule("constant.language", words(constants)),
      rule("keyword.control", words(lists.reserved.filter { !constants.contains($0) })),
      rule("support.type.property-name", words(lists.properties, before: "", after: "(?=\\s*:)")),
      rule("support.function", words(lists.functions, before: "", after: "(?=\\()")),
      rule("keyword.declaration", words(declarations)),
      rule(
        "entity.name.type",
        words(lists.kinds, before: "(?:^|[{;])\\s*", after: "(?=\\s*(?:[{\"$]|[A-Za-z_]|$))")),
      rule("keyword.operator", "->|\\.\\.|[?:=<>!]=?|[-+*/]"),
    ]
    let block: [String: Any] = [
      "begin": "/\\*", "end": "\\*/", "patterns": [["include": "#block"]],
    ]
    func string(_ quotes: String) -> [String: Any] {
      [
        "name": "string.quoted.double.scene", "begin": quotes, "end": quotes,
        "patterns": [
          ["name": "constant.character.escape.scene", "match": "\\\\(?:u\\{[0-9A-Fa-f]+\\}|.)"],
          [
            "name": "meta.interpolation.scene", "begin": "\\{", "end": "\\}",
            "patterns": [["include": "#code"]],
          ],
        ],
      ]
    }
    func formula(_ sign: String, _ end: String) -> [String: Any] {
      [
        "name": "string.other.math.scene", "begin": sign, "end": end,
        "patterns": [["name": "constant.character.escape.scene", "match": "\\\\(?:[A-Za-z]+|.)"]],
      ]
    }
    let grammar: [String: Any] = [
      "scopeName": "source.scene", "name": "Scene", "fileTypes": ["scene"],
      "patterns": [["include": "#code"]],
      "repository": [
        "code": ["patterns": code], "block": block,
        "string": [
          "patterns": [
            string("\"\"\""), string("\""), formula("\\$\\$", "\\$\\$"), formula("\\$", "\\$|$"),
          ]
        ],
      ],
    ]
    let folder = "Editors/vscode/syntaxes"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let data = try JSONSerialization.data(
      withJSONObject: grammar, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    try (data + Data("\n".utf8)).write(
      to: URL(fileURLWithPath: "\(folder)/scene.tmLanguage.json"))
  }

  /// Writes the words that the Emacs mode highlights.
  private static func writeEmacs(_ lists: WordLists) throws {
    let groups = [
      ("kinds", lists.kinds), ("properties", lists.properties), ("functions", lists.functions),
      ("keywords", lists.reserved + declarations),
    ]
    let text =
      """
      ;;; scene-words.el --- The words of scene files  -*- lexical-binding: t; -*-
      ;; SPDX-License-Identifier: MIT
      ;; Written by `scenec-dev editors'; do not edit by hand.

      ;;; Code:


      """
      + groups.map { name, words in
        let list = words.map { "\"\($0)\"" }.joined(separator: " ")
        return "(defconst scene-mode-\(name)\n  '(\(list)))\n"
      }.joined() + """

        (provide 'scene-words)
        ;;; scene-words.el ends here

        """
    try text.write(toFile: "Editors/emacs/scene-words.el", atomically: true, encoding: .utf8)
  }

  /// Writes the syntax definition for Kate, Pandoc and other users of KDE's syntax highlighter.
  private static func writeKate(_ lists: WordLists) throws {
    let groups = [
      ("kinds", lists.kinds), ("functions", lists.functions), ("constants", constants),
      ("keywords", lists.reserved.filter { !constants.contains($0) } + declarations),
    ]
    let words = groups.map { name, words in
      "      <list name=\"\(name)\">\n"
        + words.map { "        <item>\($0)</item>\n" }.joined() + "      </list>\n"
    }.joined()
    let names = lists.properties.joined(separator: "|")
    let text =
      kateLanguage.replacingOccurrences(of: "LISTS", with: words)
      .replacingOccurrences(of: "PROPERTIES", with: names)
    try FileManager.default.createDirectory(
      atPath: "Editors/kate", withIntermediateDirectories: true)
    try text.write(toFile: "Editors/kate/scene.xml", atomically: true, encoding: .utf8)
  }

  private static let kateLanguage = #"""
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE language>
    <!-- Written by `scenec-dev editors`; do not edit by hand. -->
    <language name="Scene" section="Sources" version="1" kateversion="5.62" extensions="*.scene" license="MIT">
      <highlighting>
    LISTS      <contexts>
          <context name="Code" attribute="Text" lineEndContext="#stay">
            <DetectSpaces/>
            <StringDetect String="///" attribute="Documentation" context="Documentation"/>
            <Detect2Chars char="/" char1="/" attribute="Comment" context="Comment"/>
            <Detect2Chars char="/" char1="*" attribute="Comment" context="Comments" beginRegion="comment"/>
            <StringDetect String="&quot;&quot;&quot;" attribute="String" context="Texts"/>
            <DetectChar char="&quot;" attribute="String" context="String"/>
            <Detect2Chars char="$" char1="$" attribute="String" context="Formulas"/>
            <DetectChar char="$" attribute="String" context="Formula"/>
            <RegExpr String="#[0-9A-Fa-f]{3,8}\b" attribute="Color"/>
            <RegExpr String="\b[0-9]+x[0-9]+\b|\b[0-9][0-9_]*(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?(?:[A-Za-z]+|%)?" attribute="Number"/>
            <RegExpr String="(?&lt;![\w-])(?:PROPERTIES)(?=\s*:)" attribute="Property"/>
            <keyword String="constants" attribute="Constant"/>
            <keyword String="functions" attribute="Function"/>
            <keyword String="kinds" attribute="Element"/>
            <keyword String="keywords" attribute="Keyword"/>
            <RegExpr String="[A-Za-z_][\w-]*" attribute="Text"/>
            <DetectChar char="{" attribute="Operator" context="Body" beginRegion="body"/>
            <AnyChar String="-+*/&lt;=&gt;?:.," attribute="Operator"/>
          </context>
          <context name="Body" attribute="Text" lineEndContext="#stay">
            <DetectChar char="}" attribute="Operator" context="#pop" endRegion="body"/>
            <IncludeRules context="Code"/>
          </context>
          <context name="Value" attribute="Text" lineEndContext="#stay">
            <DetectChar char="}" attribute="Operator" context="#pop"/>
            <IncludeRules context="Code"/>
          </context>
          <context name="String" attribute="String" lineEndContext="#pop">
            <IncludeRules context="Inside"/>
            <DetectChar char="&quot;" attribute="String" context="#pop"/>
          </context>
          <context name="Texts" attribute="String" lineEndContext="#stay">
            <IncludeRules context="Inside"/>
            <StringDetect String="&quot;&quot;&quot;" attribute="String" context="#pop"/>
          </context>
          <context name="Formula" attribute="String" lineEndContext="#pop">
            <RegExpr String="\\(?:[A-Za-z]+|.)" attribute="Escape"/>
            <DetectChar char="$" attribute="String" context="#pop"/>
          </context>
          <context name="Formulas" attribute="String" lineEndContext="#stay">
            <RegExpr String="\\(?:[A-Za-z]+|.)" attribute="Escape"/>
            <Detect2Chars char="$" char1="$" attribute="String" context="#pop"/>
          </context>
          <context name="Inside" attribute="String" lineEndContext="#stay">
            <RegExpr String="\\(?:u\{[0-9A-Fa-f]+\}|.)" attribute="Escape"/>
            <DetectChar char="{" attribute="Operator" context="Value"/>
          </context>
          <context name="Documentation" attribute="Documentation" lineEndContext="#pop"/>
          <context name="Comment" attribute="Comment" lineEndContext="#pop"/>
          <context name="Comments" attribute="Comment" lineEndContext="#stay">
            <Detect2Chars char="/" char1="*" attribute="Comment" context="Comments" beginRegion="comment"/>
            <Detect2Chars char="*" char1="/" attribute="Comment" context="#pop" endRegion="comment"/>
          </context>
        </contexts>
        <itemDatas>
          <itemData name="Text" defStyleNum="dsNormal"/>
          <itemData name="Keyword" defStyleNum="dsKeyword"/>
          <itemData name="Element" defStyleNum="dsDataType"/>
          <itemData name="Property" defStyleNum="dsAttribute"/>
          <itemData name="Function" defStyleNum="dsFunction"/>
          <itemData name="Constant" defStyleNum="dsConstant"/>
          <itemData name="Number" defStyleNum="dsDecVal"/>
          <itemData name="Color" defStyleNum="dsConstant"/>
          <itemData name="Operator" defStyleNum="dsOperator"/>
          <itemData name="String" defStyleNum="dsString"/>
          <itemData name="Escape" defStyleNum="dsSpecialChar"/>
          <itemData name="Comment" defStyleNum="dsComment"/>
          <itemData name="Documentation" defStyleNum="dsDocumentation"/>
        </itemDatas>
      </highlighting>
      <general>
        <comments>
          <comment name="singleLine" start="//"/>
          <comment name="multiLine" start="/*" end="*/" region="comment"/>
        </comments>
        <keywords casesensitive="1" weakDeliminator="-"/>
      </general>
    </language>

    """#

  private static func writeVim(_ text: String) throws {
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
