// SPDX-License-Identifier: MIT

/// The syntactic category of a piece of code.
package enum CodeKind: String, Hashable, Sendable, CaseIterable {
  case plain, keyword, type, function, string, number, comment, symbol, variable, meta
}

/// A piece of code of a single kind.
package struct CodePiece: Hashable, Sendable {
  package let text: String
  package let kind: CodeKind

  package init(_ text: String, _ kind: CodeKind) {
    self.text = text
    self.kind = kind
  }
}

/// A programming language and its highlighting rules.
package struct CodeLanguage: Hashable, Sendable {
  package let name: String
  /// The aliases of the language.
  package let otherNames: [String]
  /// The definition file in GNU Source-highlight; empty if there is none.
  package let file: String
  /// Rules that take precedence over the definition file.
  package let rules: [Rule]

  /// A highlighting rule: a list of words, or a Perl-style regular expression within a line.
  package enum Rule: Hashable, Sendable {
    case words(CodeKind, String)
    case pattern(CodeKind, String)
    /// The text between two regular expressions, over any number of lines. With `hasEscapes`, a
    /// backslash escapes the end.
    case block(CodeKind, String, String, hasEscapes: Bool = false, isNested: Bool = false)
  }

  private init(
    _ name: String, also otherNames: [String] = [], file: String = "", _ rules: [Rule] = []
  ) {
    self.name = name
    self.otherNames = otherNames
    self.file = file.isEmpty ? "" : file + ".lang"
    self.rules = rules
  }

  /// Returns the language with the given name or alias, ignoring case; `nil` if there is none.
  package static func named(_ name: String) -> CodeLanguage? { byName[name.lowercased()] }

  private static let byName = Dictionary(
    all.flatMap { it in ([it.name] + it.otherNames).map { ($0, it) } },
    uniquingKeysWith: { a, _ in a })

  /// The primary names, sorted.
  package static let names = all.map(\.name).sorted()

  /// The languages of Source-highlight, with words that its definitions lack, and additional
  /// languages.
  private static let all: [CodeLanguage] = [
    CodeLanguage("plain", also: ["text", "txt", ""]),
    CodeLanguage("ada", file: "ada"),
    CodeLanguage("awk", file: "awk"),
    CodeLanguage(
      "c", file: "c",
      [.words(.type, "size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")]),
    CodeLanguage(
      "cpp", also: ["c++", "cc", "hpp", "cxx"], file: "cpp",
      [
        .words(.keyword, "concept requires co_await co_return co_yield consteval nullptr alignas"),
        .words(.type, "size_t string string_view vector map optional unique_ptr shared_ptr"),
      ]),
    CodeLanguage(
      "csharp", also: ["c#", "cs"], file: "csharp",
      [.words(.keyword, "async await var record init when nameof"), .words(.type, "string bool")]),
    CodeLanguage("css", also: ["scss"], file: "css"),
    CodeLanguage("d", file: "d"),
    CodeLanguage(
      "dart",
      braced(
        """
        abstract as assert async await break case catch class const continue default do else enum \
        export extends extension external factory false final finally for get if implements import \
        in is late library mixin new null on operator part required rethrow return sealed set static \
        super switch sync this throw true try typedef var while with yield
        """, types: "void int double num bool dynamic")),
    CodeLanguage("diff", also: ["patch"], file: "diff"),
    CodeLanguage("erlang", also: ["erl"], file: "erlang"),
    CodeLanguage("fortran", also: ["f90"], file: "fortran"),
    CodeLanguage("glsl", file: "glsl"),
    CodeLanguage(
      "go", also: ["golang"], file: "go",
      [.words(.number, "nil true false iota"), .words(.type, "error any")]),
    CodeLanguage("groovy", file: "groovy"),
    CodeLanguage("haskell", also: ["hs"], file: "haskell"),
    CodeLanguage("html", also: ["htm"], file: "html"),
    CodeLanguage("ini", also: ["conf"], file: "desktop"),
    CodeLanguage(
      "java", file: "java",
      [
        .words(.keyword, "var record sealed permits yield enum"),
        .pattern(.meta, #"@[[:alpha:]]\w*"#), type,
      ]),
    CodeLanguage("javascript", also: ["js", "jsx"], file: "javascript", modernScript),
    CodeLanguage("json", file: "json"),
    CodeLanguage(
      "kotlin", also: ["kt"],
      braced(
        """
        abstract as break by catch class companion const constructor continue data do else enum false \
        finally for fun get if import in init inline interface internal is lateinit null object open \
        operator out override package private protected public return sealed set super suspend this \
        throw true try typealias val var when where while
        """)),
    CodeLanguage("latex", also: ["tex"], file: "latex"),
    CodeLanguage("lisp", also: ["elisp", "el"], file: "lisp"),
    CodeLanguage("lua", file: "lua"),
    CodeLanguage("makefile", also: ["make"], file: "makefile"),
    CodeLanguage("ocaml", also: ["caml", "ml"], file: "caml"),
    CodeLanguage("pascal", file: "pascal"),
    CodeLanguage("perl", also: ["pl"], file: "perl"),
    CodeLanguage("php", file: "php"),
    CodeLanguage("prolog", file: "prolog"),
    CodeLanguage("proto", also: ["protobuf"], file: "proto"),
    CodeLanguage(
      "python", also: ["py"], file: "python",
      [
        .words(.keyword, "as from import with yield nonlocal match case lambda"),
        .words(.number, "None True False"), .words(.variable, "self cls"),
        .words(.type, "int float str bool list dict set tuple bytes object"),
        .pattern(.meta, #"@[[:alpha:]_][\w.]*"#),
      ]),
    CodeLanguage("r", file: "r"),
    CodeLanguage(
      "ruby", also: ["rb"], file: "ruby",
      [
        .words(.keyword, "require require_relative attr_accessor attr_reader private lambda proc"),
        type,
      ]),
    CodeLanguage(
      "rust", also: ["rs"], file: "rust",
      [.words(.keyword, "async await dyn"), .pattern(.meta, #"\<[[:alpha:]_]\w*!"#), type]),
    CodeLanguage("scala", file: "scala", [type]),
    CodeLanguage(
      "scene",
      braced(
        "scene component effect style transition param let fn import for in if else slot at over "
          + "after with as and or not true false keyframes",
        more: [
          .pattern(.number, #"#[[:xdigit:]]{3,8}\>"#),
          .pattern(.number, #"\<[[:digit:]][[:digit:].]*(ms|s|px|deg|Hz|%|f|dB)?"#),
          .pattern(.variable, #"\<[[:lower:]][[:word:]-]*(?=:)"#),
        ])),
    CodeLanguage("scheme", also: ["scm"], file: "scheme"),
    CodeLanguage("sh", also: ["bash", "shell", "zsh", "console"], file: "sh"),
    CodeLanguage("sql", file: "sql"),
    CodeLanguage(
      "swift",
      braced(
        """
        actor any as associatedtype async await borrowing break case catch class consuming continue \
        convenience default defer deinit do else enum extension fallthrough false fileprivate final \
        for func get guard if import in indirect infix init inout internal is lazy let mutating nil \
        nonisolated open operator override package postfix prefix private protocol public repeat \
        rethrows return self Self sending set some static struct subscript super switch throw throws \
        true try typealias unowned var weak where while willSet didSet
        """, more: [.pattern(.meta, #"#[[:alpha:]]\w*"#)])),
    CodeLanguage("tcl", file: "tcl"),
    CodeLanguage("toml", keyed("=")),
    CodeLanguage(
      "typescript", also: ["ts", "tsx"], file: "javascript",
      modernScript + [
        .words(
          .keyword,
          "as asserts declare enum infer is keyof namespace readonly satisfies type unique override"
        ),
        .words(.type, "any bigint boolean never number object string symbol unknown void"),
      ]),
    CodeLanguage("vala", file: "vala"),
    CodeLanguage("xml", also: ["svg"], file: "xml"),
    CodeLanguage("yaml", also: ["yml"], keyed(":")),
  ]

  /// Capitalized words are types, by a convention of many languages.
  private static let type = Rule.pattern(.type, #"\<[A-Z]\w*[a-z]\w*\>"#)

  /// A string in double quotes, at most to the end of the line.
  private static let quoted = Rule.pattern(.string, #""([^"\\]|\\.)*"?"#)

  /// Newer JavaScript syntax, which the definition file lacks.
  private static let modernScript: [Rule] = [
    .words(.keyword, "async await from get let of set static undefined yield"),
    .block(.string, "`", "`", hasEscapes: true), .pattern(.symbol, "=>"), type,
  ]

  /// Returns the rules of a language with C-like braces, comments and strings.
  private static func braced(_ words: String, types: String = "", more: [Rule] = []) -> [Rule] {
    var rules: [Rule] = [
      .pattern(.comment, "//.*"), .block(.comment, #"/\*"#, #"\*/"#, isNested: true),
      .block(.string, #""{3}"#, #""{3}"#), quoted,
    ]
    rules += more
    rules += [
      .pattern(.meta, #"@[[:alpha:]]\w*"#),
      .pattern(
        .number,
        #"\<(0[xob][[:xdigit:]_]+|[[:digit:]][[:digit:]_]*(\.[[:digit:]]+)?([eE][+-]?[[:digit:]]+)?)\>"#
      ),
      .words(.keyword, words),
    ]
    if !types.isEmpty { rules.append(.words(.type, types)) }
    return rules + [
      type, .pattern(.function, #"\<[[:alpha:]_]\w*(?=\()"#),
      .pattern(.symbol, #"[-~!%^*()+=\[\]\\:;,./?&<>|{}]"#),
    ]
  }

  /// Returns the rules of a language of key-value lines.
  private static func keyed(_ sign: String) -> [Rule] {
    [
      .pattern(.comment, "#.*"), quoted, .pattern(.string, "'[^']*'"),
      .pattern(.meta, #"^\[.*\]"#),
      .pattern(.variable, #"\<[[:word:].-]+(?=[[:blank:]]*\#(sign))"#),
      .words(.keyword, "true false null yes no on off"),
      .pattern(.number, #"\<[[:digit:]][[:digit:]_.:T-]*\>"#), .pattern(.symbol, #"[-=:,{}\[\]]"#),
    ]
  }
}
