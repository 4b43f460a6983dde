// SPDX-License-Identifier: MIT
import Foundation
import SceneCheck
import SceneLanguage
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneTestSupport
import Testing

/// Repository rules that are easy to forget.
@Suite("Tidiness", .cpuBudget(seconds: 10)) struct TidyTests {
  private let sources = Repository.files(in: "Sources", ending: ".swift")

  /// Returns the layers, from the lowest to the highest: the headings of `Sources/README.md`.
  private static func floors() throws -> [String] {
    try Repository.text("Sources/README.md").matches(of: #/(?m)^## (\w+)$/#).map { String($0.1) }
  }

  /// The targets that may import each C library.
  private static let libraries: [String: Set<String>] = [
    "CCairo": ["SceneCairo"], "CStills": ["ScenePixels"],
    "CPixels": ["ScenePixels", "SceneClipWorker", "SceneFlash"],
    "CAV": ["SceneAV", "SceneClipWorker", "SceneEncoding"],
    "CNettle": ["SceneDigest"], "CJSON": ["SceneJSON"], "CWeb": ["SceneWeb"],
    "CSound": ["SceneSound"],
    "CClipper": ["SceneGraphics"], "CLoudness": ["SceneSound"], "CStretch": ["SceneSound"],
    "CProcess": [
      "ScenePixels", "SceneImageWorker", "SceneClips", "SceneClipWorker", "SceneServer", "SceneCLI",
      "SceneLSP", "SceneBuild", "SceneRevision",
    ],
    // Only this target may decode foreign files.
    "CImage": ["SceneImageWorker"], "CWebP": ["SceneImageWorker", "SceneClipWorker"],
    "CSVG": ["SceneImageWorker"],
    "CHighlight": ["SceneFiles"],
    "CResources": ["SceneResources", "SceneModel", "SceneLibrary", "ScenePage"],
  ]

  private func floor(_ file: String) -> String { String(file.split(separator: "/")[1]) }

  private func target(_ file: String) -> String { String(file.split(separator: "/")[2]) }

  private func imports(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let at = words.firstIndex(of: "import"), at <= 1, at + 1 < words.count else {
        return nil
      }
      return String(words[at + 1])
    }
  }

  @Test func importsPointDown() throws {
    let order = try Self.floors()
    let floors = Dictionary(sources.map { (target($0), floor($0)) }) { a, _ in a }
    for file in sources {
      let own = try #require(order.firstIndex(of: floor(file)), "\(file)")
      let isPureFloor = ["Base", "Film", "Language"].contains(floor(file))
      for name in imports(try Repository.text(file)) {
        if let other = floors[name].flatMap(order.firstIndex) {
          #expect(other <= own, "\(file) imports \(name)")
        }
        if isPureFloor {
          let isPure =
            name.hasPrefix("Scene") || name == "CResources"
            || (name == "Glibc" && file.hasSuffix("SceneGraphics/Math.swift"))
            || (name == "CClipper" && file.hasSuffix("Outlines/Clipper.swift"))
            || (name == "CPixels" && file.hasSuffix("SceneFlash/CellTracker.swift"))
          #expect(isPure, "\(file) imports \(name)")
        }
        if let owners = Self.libraries[name] {
          #expect(owners.contains(target(file)), "\(file) imports \(name)")
        }
        if name.hasPrefix("Foundation") {
          #expect(
            ["SceneSession", "SceneCLI", "scenec-dev"].contains(target(file)),
            "\(file) imports \(name)")
        }
      }
    }
  }

  @Test func filesAndFunctionsAreShort() throws {
    for file in sources {
      let lines = try Repository.lines(file)
      #expect(lines.first == "// SPDX-License-Identifier: MIT", "\(file)")
      #expect(lines.count <= 450, "\(file) has \(lines.count) lines")
      for (first, last) in Self.functions(lines) {
        let isSwitch = lines[first...last].count { $0.contains(" case ") } > 12
        #expect(isSwitch || last - first <= 70, "\(file):\(first + 1) has \(last - first) lines")
      }
    }
  }

  /// Returns the first and last lines of functions, including multi-line signatures.
  private static func functions(_ lines: [Substring]) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var start: (line: Int, indent: Int)?
    for (number, line) in lines.enumerated() {
      let indent = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indent)
      if let begin = start {
        if indent == begin.indent, text == "}" || text.hasPrefix(")") && text.hasSuffix("}") {
          found.append((begin.line, number))
          start = nil
        } else if !text.isEmpty, indent < begin.indent {
          // A protocol requirement has no body.
          start = nil
        }
      } else if !text.hasPrefix("//"), !text.hasSuffix("}"),
        text.split(separator: " ").contains(where: { $0 == "func" || $0.hasPrefix("init(") })
      {
        start = (number, indent)
      }
    }
    return found
  }

  /// The targets that own C allocations. Signatures of other targets contain no pointers, and the
  /// rasterizer contains no unsafe code.
  private static let owners: Set<String> = [
    "SceneSystem", "ScenePixels", "SceneCairo", "SceneImageWorker", "SceneAV", "SceneClipWorker",
    "SceneEncoding", "SceneSound", "SceneResources",
    "SceneDigest", "SceneJSON", "SceneWeb",
  ]

  @Test func pointersStayWithTheirOwners() throws {
    let pointers = ["OpaquePointer", "Pointer<", "RawPointer", "BufferPointer", "Unmanaged<"]
    for file in sources where !Self.owners.contains(target(file)) {
      // The entry points of libFuzzer.
      if file.hasSuffix("SceneFuzz/Fuzz.swift") { continue }
      let text = try Repository.text(file)
      for pointer in pointers { #expect(!text.contains(pointer), "\(file): \(pointer)") }
    }
    for file in sources where ["SceneRaster", "SceneFiles"].contains(target(file)) {
      #expect(!(try Repository.text(file).contains("unsafe")), "\(file)")
    }
  }

  /// Only the owners of C allocations and the files that start processes contain unsafe code.
  @Test func unsafeCodeIsInOwners() throws {
    let others = try sources.filter { file in
      guard !Self.owners.contains(target(file)), file.hasPrefix("Sources/") else { return false }
      return try Repository.text(file).contains("unsafe ")
    }
    #expect(
      Set(others) == [
        // The arguments of a new process, and its socket.
        "Sources/Interactive/SceneServer/Keeper/Child.swift",
        "Sources/Interactive/SceneServer/Keeper/KeeperWorld.swift",
        "Sources/Engine/SceneRevision/Git.swift",
        // A kernel that compares the cells of frames.
        "Sources/Film/SceneFlash/CellTracker.swift",
        // The entry points of libFuzzer, a hash of mapped memory, and the buffering of standard
        // output.
        "Sources/Programs/SceneFuzz/Fuzz.swift", "Sources/Media/SceneClips/Index/ContentHash.swift",
        "Sources/Programs/scenec-dev/main.swift",
      ])
  }

  /// Targets above the size limit, with the reason for each.
  private static let largeTargets = [
    // Elements, values, times and positions depend on each other mutually; the files are grouped
    // into folders by subject.
    "SceneCheck": "what a scene means is solved by asking, and all that can ask is in one target",
    "SceneEditing":
      "what editors ask is in files by subject, which all read the same names and values",
    "SceneGraphics":
      "points, paths and colors are one vocabulary, in files by operation",
    "SceneLower":
      "a frame program is made in one pass over the elements, in files by kind of drawing",
    "SceneModel":
      "the resolved scene is one vocabulary, which all that comes after the check reads",
    "ScenePreview":
      "the preview is one server, whose threads share views, revisions and requests",
    "SceneSyntax": "lexer, parser, tree and formatter are one grammar, read from both ends",
    "SceneTypes":
      "the typer has a rule for every construct of the language, and a message for each error",
    "scenec-dev":
      "tools of the project in folders by subject; they share the run of a program, and nothing else",
  ]

  @Test func foldersAndTargetsAreSmall() throws {
    let folders = Dictionary(grouping: sources) { $0[..<($0.lastIndex(of: "/") ?? $0.endIndex)] }
    for (folder, files) in folders {
      #expect(files.count <= 12, "\(folder) has \(files.count) files")
    }
    for (target, files) in Dictionary(grouping: sources, by: target) {
      let lines = try files.reduce(0) { try $0 + Repository.lines($1).count }
      if lines > 4000 { #expect(Self.largeTargets[target] != nil, "\(target) has \(lines) lines") }
    }
  }

  @Test func traps() throws {
    let marks = ["@unchecked Sendable", "nonisolated(unsafe)", "try!", "fatalError("]
    for file in sources {
      let lines = try Repository.lines(file)
      for (number, line) in lines.enumerated() where marks.contains(where: { line.contains($0) }) {
        let before = lines[max(0, number - 4)...number]
        #expect(
          before.contains { $0.contains("Safe:") }, "\(file):\(number + 1) needs a 'Safe:' comment")
      }
    }
  }

  /// Optionals are force-unwrapped only below a comment that gives the reason.
  @Test func nothingIsForcedWithoutAReason() throws {
    let forced = #/[\w\)\]\}]!(?![=\w"])/#
    for file in sources {
      let lines = try Repository.lines(file)
      // Matching every line costs seconds.
      for (number, line) in lines.enumerated() where line.contains("!") {
        let code =
          line.replacing(#/"([^"\\]|\\.)*"/#, with: "\"\"").split(separator: "//").first ?? ""
        guard code.contains(forced) else { continue }
        let isExplained = lines[max(0, number - 3)...number].contains { $0.contains("Safe:") }
        #expect(isExplained, "\(file):\(number + 1) needs a 'Safe:' comment")
      }
    }
  }

  /// Types that are visible to other targets have a documentation comment.
  @Test func typesAreExplained() throws {
    let type = #/^\s*(package|public) ((final|indirect) )*(struct|enum|class|actor|protocol) /#
    for file in sources {
      let lines = try Repository.lines(file)
      // Matching every line takes long.
      for (number, line) in lines.enumerated()
      where (line.contains("package ") || line.contains("public ")) && line.contains(type) {
        let above = lines[..<number].last {
          let text = $0.drop { $0 == " " }
          return !text.hasPrefix("@") && (!text.hasPrefix("//") || text.hasPrefix("///"))
        }
        #expect(above?.contains("///") == true, "\(file):\(number + 1): \(line)")
      }
    }
  }

  @Test func documentsAndTargetsNameEachOther() throws {
    let architecture = try Repository.text("ARCHITECTURE.md").split(separator: "\n")
    #expect(architecture.count <= 220)
    #expect(architecture.allSatisfy { $0.hasPrefix("|") || $0.count <= 100 })
    let targets = try Repository.text("Sources/README.md")
    let package = try Repository.text("Package.swift")
    var floor = ""
    var listed: Set<String> = []
    for line in targets.split(separator: "\n") {
      if line.hasPrefix("## ") { floor = String(line.dropFirst(3)) }
      guard let name = line.firstMatch(of: #/^\| `([^`]+)` \|/#)?.1 else { continue }
      listed.insert("\(floor)/\(name)")
    }
    let folders = try Self.floors().filter { $0 != "C" }.flatMap { floor in
      try FileManager.default.contentsOfDirectory(atPath: Repository.path + "/Sources/" + floor)
        .filter { $0 != "README.md" }.map { floor + "/" + $0 }
    }
    #expect(listed == Set(folders))
    for floor in try Self.floors() { #expect(package.contains("    \"\(floor)\",")) }
  }

  /// File names in the documents refer to existing files; Swift files may be named without their
  /// folder.
  @Test func documentsNameFilesThatExist() throws {
    let names = Set(sources.compactMap { $0.split(separator: "/").last })
    let pages = Repository.files(in: "Sources", ending: "README.md")
    #expect(pages.count >= 6)
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md", "GLOSSARY.md"] + pages {
      let words = try Repository.text(document).matches(of: #/`([^`\s]+)`/#).map(\.output.1)
      for word in words {
        if ["Sources/", "Tests/", "Grammar/"].contains(where: { word.hasPrefix($0) }) {
          let path = Repository.path + "/" + word
          #expect(FileManager.default.fileExists(atPath: path), "\(document): \(word)")
        } else if word.hasSuffix(".swift"), word != "Type+Topic.swift", !word.contains("…") {
          let isThere = names.contains { $0 == word || word.hasPrefix("+") && $0.hasSuffix(word) }
          #expect(isThere, "\(document): \(word)")
        }
      }
    }
  }

  private let tests = Repository.files(in: "Tests", ending: ".swift")

  /// Every test belongs to a suite, and every suite declares its CPU budget.
  @Test func suitesDeclareABudget() throws {
    for file in tests {
      let text = try Repository.text(file)
      let suites = text.matches(of: #/(?m)^@Suite[^{]*/#).map(\.output)
      for suite in suites { #expect(suite.contains(".cpuBudget(seconds: "), "\(file): \(suite)") }
      if text.contains(#/(?m)^ +@Test\b/#) { #expect(!suites.isEmpty, "\(file) has no suite") }
    }
  }

  /// Tests wait for conditions instead of durations, which would be too short on one machine and
  /// too long on another.
  @Test func testsDoNotSleep() throws {
    let calls = [
      "usleep(", "nanosleep(", "Thread.sleep(", "Task.sleep(", ".asyncAfter(", "Date()",
      "ContinuousClock()", "ContinuousClock.now", "SuspendingClock", "DispatchTime.now",
      "clock_gettime(",
    ]
    for file in tests where !file.hasSuffix("SceneTestSupport/Waiting.swift") {
      let text = try Repository.text(file)
      guard calls.contains(where: { text.contains($0) }) else { continue }
      for (number, line) in try Repository.lines(file).enumerated()
      where calls.contains(where: { line.contains($0) }) {
        let code = line.replacing(#/"([^"\\]|\\.)*"/#, with: "")
        let isFree = !calls.contains { code.contains($0) }
        #expect(isFree, "\(file):\(number + 1) sleeps or reads a clock: \(line)")
      }
    }
    let pauses = ["time.sleep(", "asyncio.sleep(", "wait_for_timeout("]
    for file in Repository.files(in: "Tests", ending: ".py") where file != "Tests/waiting.py" {
      let text = try Repository.text(file)
      #expect(!pauses.contains { text.contains($0) }, "\(file) sleeps; use Tests/waiting.py")
    }
  }

  @Test func nothingIsLarge() throws {
    let listed = try FileManager.default.subpathsOfDirectory(atPath: Repository.path)
    for file in listed {
      if [".git/", ".build", "build/", "Examples/bench-slides/photos"].contains(where: {
        file.hasPrefix($0)
      }) {
        continue
      }
      let size =
        try FileManager.default.attributesOfItem(atPath: Repository.path + "/" + file)[.size]
        as? Int
      #expect((size ?? 0) <= 200_000, "\(file)")
    }
  }

  @Test func theReferenceHasEveryWord() throws {
    let pages = try Repository.files(in: "Grammar", ending: ".md").map { try Repository.text($0) }
      .joined()
    for kind in ElementKind.written {
      #expect(pages.contains("`\(kind.rawValue)`"), "\(kind)")
    }
    for property in Property.allCases {
      #expect(pages.contains("`\(property.name)`"), "\(property.name)")
    }
    for name in BuiltIn.all.keys {
      #expect(pages.contains("`\(name)`"), "\(name)")
    }
  }

  @Test func editorsKnowTheWords() throws {
    for file in [
      "vim/syntax/scene.vim", "vscode/syntaxes/scene.tmLanguage.json", "emacs/scene-words.el",
      "kate/scene.xml",
    ] {
      let text = try Repository.text("Editors/" + file)
      for word in TokenKind.reserved.keys { #expect(text.contains(word), "\(file): \(word)") }
      for kind in ElementKind.written { #expect(text.contains(kind.rawValue), "\(file): \(kind)") }
      for it in Property.allCases { #expect(text.contains(it.name), "\(file): \(it.name)") }
      for name in BuiltIn.all.keys { #expect(text.contains(name), "\(file): \(name)") }
    }
  }

  /// The manual has exactly one page for each word of the tables.
  @Test func theManualHasAPageForEachWord() throws {
    func words(_ chapter: String) throws -> Set<String> {
      let text = try Repository.text("Grammar/manual/\(chapter).md")
      let pages = text.components(separatedBy: "\n## `").dropFirst()
      return Set(pages.map { String($0.prefix { $0 != "`" }) })
    }
    let kinds = Set(ElementKind.written.map(\.rawValue))
    #expect(try words("elements") == kinds)
    let built = Set(Property.allCases.map(\.name))
    #expect(try words("properties") == built.union(["crop", "drawn", "shift", "shown", "written"]))
    #expect(try words("functions") == Set(BuiltIn.all.values.map(\.name)))
    #expect(try words("easings") == Set(Easing.named.keys))
    #expect(try words("types") == Set(ValueType.declarable.map(\.rawValue)))
    let pages = try words("words").union(kinds).union(built)
    let grammar = try Repository.text("Grammar/scene.ebnf").components(separatedBy: "file = ")[1]
    for part in grammar.split(separator: "\"") where part.allSatisfy({ $0.isLowercase }) {
      #expect(pages.contains(String(part)), "\(part)")
    }
  }

  @Test func theLibraryIsExplained() throws {
    for file in Repository.files(in: "Sources/Language/SceneLibrary/std", ending: ".scene") {
      var last = Substring()
      for line in try Repository.lines(file) {
        let isPublic = ["effect ", "transition ", "component ", "let ", "fn ", "style "].contains {
          line.hasPrefix($0) && !line.dropFirst($0.count).hasPrefix("_")
        }
        if isPublic { #expect(last.hasPrefix("///"), "\(file): \(line)") }
        last = line
      }
    }
  }

  @Test func everyCodeIsMadeSomewhere() throws {
    var words: Set<Substring> = []
    for file in sources where !file.contains("SceneDiagnostics") {
      words.formUnion(try Repository.dottedWords(file))
    }
    let names = Set(
      words.filter { $0.contains(".") }.compactMap { $0.split(separator: ".").last })
    for code in Code.allCases {
      #expect(names.contains(Substring("\(code)")), "\(code) is never reported")
    }
  }
}
