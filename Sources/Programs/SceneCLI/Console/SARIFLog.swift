// SPDX-License-Identifier: MIT
import FoundationEssentials
import SceneDiagnostics

/// Diagnostics in the Static Analysis Results Interchange Format, version 2.1.0 (OASIS), which code hosts
/// show in the diff of a pull request.
struct SARIFLog: Encodable {
  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    let tool: Tool
    /// The unit of columns. `DiagnosticReport` counts Unicode scalars.
    let columnKind = "unicodeCodePoints"
    let results: [Result]
  }

  struct Tool: Encodable {
    let driver: Driver
  }

  struct Driver: Encodable {
    let name = "scenec"
    let version: String
    let rules: [Rule]
  }

  struct Text: Encodable {
    let text: String
  }

  struct Rule: Encodable {
    struct Configuration: Encodable {
      let level: String
    }

    let id: String
    let shortDescription: Text
    let help: Text
    let defaultConfiguration: Configuration
  }

  struct Region: Encodable {
    let startLine: Int
    let startColumn: Int
    let endLine: Int
    /// The column after the last character.
    let endColumn: Int

    init(_ range: DiagnosticReport.Range) {
      (startLine, startColumn) = (range.start.line, range.start.column)
      (endLine, endColumn) = (range.end.line, range.end.column)
    }
  }

  struct Artifact: Encodable {
    let uri: String
  }

  struct Location: Encodable {
    struct Physical: Encodable {
      let artifactLocation: Artifact
      let region: Region
    }

    let physicalLocation: Physical
    let message: Text?
  }

  struct Fix: Encodable {
    struct Change: Encodable {
      let artifactLocation: Artifact
      let replacements: [Replacement]
    }

    struct Replacement: Encodable {
      let deletedRegion: Region
      let insertedContent: Text
    }

    let description: Text
    let artifactChanges: [Change]
  }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Text
    let locations: [Location]
    let relatedLocations: [Location]
    let fixes: [Fix]
  }

  init(_ reports: [DiagnosticReport]) {
    let codes = Set(reports.map(\.code)).sorted()
    let indices = Dictionary(uniqueKeysWithValues: codes.enumerated().map { ($1, $0) })
    let rules = codes.compactMap(Code.init).map { code in
      let page = Explanation.of(code)
      return Rule(
        id: code.rawValue, shortDescription: Text(text: page.title), help: Text(text: page.text),
        defaultConfiguration: .init(level: code.severity.rawValue))
    }
    let results = reports.map { Result($0, ruleIndex: indices[$0.code] ?? 0) }
    runs = [
      Run(
        tool: Tool(driver: Driver(version: SceneCLI.version, rules: rules)), results: results)
    ]
  }
}

extension SARIFLog.Result {
  fileprivate init(_ report: DiagnosticReport, ruleIndex: Int) {
    typealias Location = SARIFLog.Location
    let file = SARIFLog.Artifact(path: report.file)
    func location(_ range: DiagnosticReport.Range, in file: SARIFLog.Artifact, _ text: String?)
      -> Location
    {
      Location(
        physicalLocation: .init(artifactLocation: file, region: .init(range)),
        message: text.map { SARIFLog.Text(text: $0) })
    }
    ruleId = report.code
    self.ruleIndex = ruleIndex
    level = report.severity
    let advice = report.notes.filter { $0.range == nil }.map(\.message)
    let lines = [report.message] + (report.label.map { [$0] } ?? []) + advice
    message = SARIFLog.Text(text: lines.joined(separator: "\n"))
    locations = [location(report.range, in: file, report.label)]
    relatedLocations = report.notes.compactMap { note in
      note.range.map {
        location($0, in: .init(path: note.file ?? report.file), note.message)
      }
    }
    fixes = report.fixes.map {
      SARIFLog.Fix(
        description: .init(text: $0.message),
        artifactChanges: [
          .init(
            artifactLocation: .init(path: $0.file),
            replacements: [
              .init(
                deletedRegion: .init($0.range), insertedContent: .init(text: $0.replacement))
            ])
        ])
    }
  }
}

extension SARIFLog.Artifact {
  /// Creates the artifact of a path, which becomes a URI reference: relative, or with the scheme
  /// `file` if it is absolute.
  fileprivate init(path: String) {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    uri = (path.hasPrefix("/") ? "file://" : "") + String(decoding: encoded, as: UTF8.self)
  }
}
