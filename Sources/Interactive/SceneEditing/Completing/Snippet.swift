// SPDX-License-Identifier: MIT
import SceneCheck
import SceneLanguage

/// Texts with placeholders (LSP 3.17, "Snippet Syntax"). The defaults of the placeholders are
/// valid, so that an inserted snippet contains no errors.
enum Snippet {
  /// Returns a placeholder with a default.
  static func place(_ number: Int, _ text: String) -> String { "${\(number):\(escaped(text))}" }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("}", with: "\\}").replacing("$", with: "\\$")
  }

  /// Returns a placeholder with a list of words.
  private static func choice(_ number: Int, _ words: [String], first: String) -> String {
    let list = [first] + words.filter { $0 != first }
    return "${\(number)|\(list.joined(separator: ","))|}"
  }

  /// The maximum number of words in a list.
  private static let greatestChoice = 12

  /// Returns an example value for a type.
  static func example(ofType type: String) -> String {
    switch type {
    case "number": "1"
    case "percent": "50%"
    case "length": "100"
    case "time": "1s"
    case "angle": "45deg"
    case "gain": "-6dB"
    case "rate": "1Hz"
    case "pair": "(0, 0)"
    case "color": "#ff8a3d"
    case "paint": "#ff8a3d"
    case "text": "\"\""
    case "bool": "true"
    case "path": "path(\"M0 0 L100 0\")"
    case "easing": "ease-out"
    case "effect": "fade"
    case "transition": "dissolve"
    case "list": "[1, 2]"
    case "range": "0 .. 1"
    case "word": "start"
    case "filter": "blur(4)"
    case "image", "record": "none"
    case _ where type.hasPrefix("fn("): FunctionType(type)?.example ?? "1"
    default: type.contains("|") ? type.prefix { $0 != "|" && $0 != " " }.description : "1"
    }
  }

  /// The type of a function, such as `fn(number) -> number`.
  struct FunctionType {
    let parameterCount: Int
    let result: String

    /// Returns `nil` if the type is not that of a function.
    init?(_ type: String) {
      guard type.hasPrefix("fn(") else { return nil }
      var (depth, commas) = (0, 0)
      let end = type.indices.dropFirst(2).first { index in
        switch type[index] {
        case "(": depth += 1
        case ")": depth -= 1
        case ",": commas += depth == 1 ? 1 : 0
        default: break
        }
        return depth == 0
      }
      guard let end, let arrow = type[end...].firstRange(of: "->") else { return nil }
      let isEmpty = !type[..<end].dropFirst(3).contains { !$0.isWhitespace }
      parameterCount = isEmpty ? 0 : commas + 1
      result = String(type[arrow.upperBound...]).trimmingBlanks
    }

    /// A function of this type.
    var example: String {
      let names = ["x", "y", "z"].prefix(parameterCount)
      return "fn(\(names.joined(separator: ", "))) = \(Snippet.example(ofType: result))"
    }
  }

  /// Returns placeholders for the required arguments.
  static func arguments(_ parameters: [(name: String, type: String)]) -> String {
    parameters.enumerated().map { place($0 + 1, example(ofType: $1.type)) }.joined(separator: ", ")
      + (parameters.isEmpty ? "$1" : "")
  }

  /// Returns an example value of a property.
  static func value(of use: Property.Use, _ property: Property, in element: ElementKind?) -> String
  {
    if property == .align, let words = element?.alignments.map(\.rawValue), let first = words.first
    {
      return choice(1, words, first: first)
    }
    if case .word(let words) = use.type, words.count <= greatestChoice {
      // Rows, columns and grids all accept `center`.
      let first = property == .alignSelf ? "center" : use.initial?.word ?? words[0]
      return choice(1, words, first: first)
    }
    if use.type == .bool { return choice(1, ["true", "false"], first: "true") }
    return place(1, example(of: use, property))
  }

  private static func example(of use: Property.Use, _ property: Property) -> String {
    switch property {
    case .style: return "[]"
    case .lookAt: return "(960, 540)"
    case .source: return "\"picture.png\""
    case .language: return "\"en\""
    case .burst: return "100"
    case .along: return "path(\"M0 0 L400 0\")"
    default: break
    }
    // The default is the usual starting point for a change.
    if let initial = use.initial, initial != .none { return initial.description }
    switch use.type {
    case .effects: return "fade"
    case .transition: return "dissolve"
    case .filters: return "blur(4)"
    case .shadow: return "shadow()"
    case .number, .frameRate, .factors: return "1"
    case .angle, .angles: return "45deg"
    case .time: return "1s"
    case .bool, .clipping, .loop: return "true"
    case .color, .paint: return "#ff8a3d"
    case .text: return "\"\""
    case .easing: return "ease-out"
    case .path: return "\"M0 0 L100 0\""
    case .bitrate: return "8Mbps"
    case .gain: return "-6dB"
    case .pan: return "0%"
    case .lengthX, .lengthY, .length, .fontLength, .lengthPair, .fontLengthPair: return "100"
    case .shift: return "super"
    case .perspective: return "1200"
    case .axes: return "(wght: 400)"
    case .colors: return "(keyword: orange)"
    case .opticalSize: return "auto"
    case .point, .ownPoint: return "(0, 0)"
    case .points: return "[(0, 0), (100, 0), (50, 80)]"
    case .size: return "(400, 300)"
    case .lengths: return "[10, 5]"
    case .numbers: return "[0, 1, 0]"
    case .times: return "[1s]"
    case .share: return "50%"
    case .trim: return "0% .. 100%"
    case .word(let words): return words.first ?? ""
    case .weight: return "bold"
    case .fonts: return "sans-serif"
    case .files: return "[\"fonts/*.ttf\"]"
    case .record: return "(name: 1)"
    case .pixelSize: return "1920x1080"
    case .varied, .emitter: return "1"
    case .rate: return "100Hz"
    }
  }

  // MARK: Elements

  /// Returns the units of `each` that an element supports, the most frequent first.
  static func units(of host: ElementKind) -> [String] {
    switch host {
    case .svg: ["part"]
    case .captions: ["word", "line", "glyph"]
    case .math: ["glyph", "term", "line"]
    default: ["glyph", "word", "line"]
    }
  }

  /// Returns an element with its required properties, as a child of `host`.
  static func element(_ kind: ElementKind, in host: ElementKind) -> String {
    switch kind {
    case .text, .span: "\(kind.rawValue) \"${1:Text}\"$0"
    case .svg: "svg \"${1:logo.svg}\" {\n\tpart \"${2:id}\" { $0 }\n}"
    case .image: "image \"${1:picture.png}\" {\n\t$0\n}"
    case .video: "video \"${1:clip.mp4}\" {\n\t$0\n}"
    case .audio: "audio \"${1:music.mp3}\" {\n\t$0\n}"
    case .captions: "captions \"${1:talk.srt}\" {\n\t$0\n}"
    case .description: "description \"${1:Text}\" { at: ${2:1s}$0 }"
    case .line, .arrow:
      "\(kind.rawValue) {\n\tfrom: ${1:(100, 100)}\n\tto: ${2:(400, 100)}$0\n}"
    case .polyline, .polygon:
      "\(kind.rawValue) {\n\tpoints: ${1:[(0, 0), (200, 0), (100, 160)]}$0\n}"
    case .path: "path {\n\tmove ${1:(100, 100)}\n\tline ${2:(400, 100)}$0\n}"
    case .math: "math ${1:\\$a^2 + b^2\\$}$0"
    case .part: "part ${1:\\$a^2\\$} { fill: ${2:gold}$0 }"
    case .each: "each \(choice(1, units(of: host), first: units(of: host)[0])) {\n\t$0\n}"
    case .repeat: "repeat {\n\tcopies: ${1:8}\n\tstep-rotate: ${2:45deg}\n\t$0\n}"
    case .particles:
      "particles {\n\trate: ${1:100Hz};  life: ${2:2s}\n\tspeed: ${3:100 .. 200}$0\n}"
    case .change: "change {\n\tat: ${1:1s}\n\t$0\n}"
    case .expect: "expect \"${1:name}\" {\n\t$0\n}"
    case .marker: "marker ${1:name} { at: ${2:1s} }"
    case .slot: "slot"
    default: "\(kind.rawValue) {\n\t$0\n}"
    }
  }

  /// The snippet of a path segment.
  struct Segment {
    let word: String
    let summary: String
    let text: String
  }

  /// The segments of a path.
  static let segments: [Segment] = [
    Segment(word: "move", summary: "start a subpath", text: "move ${1:(0, 0)}"),
    Segment(word: "line", summary: "add a straight line", text: "line ${1:(100, 0)}"),
    Segment(
      word: "curve", summary: "add a cubic Bézier curve: two control points and the end",
      text: "curve ${1:(0, 50)}, ${2:(100, 50)}, ${3:(100, 0)}"),
    Segment(
      word: "smooth", summary: "add a curve that continues smoothly: a control point and the end",
      text: "smooth ${1:(100, 50)}, ${2:(100, 0)}"),
    Segment(
      word: "quad", summary: "add a quadratic Bézier curve: a control point and the end",
      text: "quad ${1:(50, 50)}, ${2:(100, 0)}"),
    Segment(
      word: "arc", summary: "add an elliptical arc", text: "arc ${1:(50, 50)}, ${2:(100, 0)}"),
    Segment(
      word: "through", summary: "add a smooth curve through points",
      text: "through ${1:(50, 50)}, ${2:(100, 0)}"),
    Segment(word: "close", summary: "close the subpath", text: "close"),
  ]
}
