// SPDX-License-Identifier: MIT
import SceneCheck
import SceneEditing
import SceneLanguage
import SceneModel
package import SceneSyntax
import SceneText

extension ValueEdit {
  /// Returns the replacements that change the value by `shift` in the frame at a playhead.
  package func edit(at playhead: Playhead) throws(Refused) -> TextEdit {
    let name = property.property.name
    guard !property.numbers.isEmpty, shift.count == property.numbers.count,
      shift.allSatisfy({ $0.isFinite && abs($0) < 1e9 })
    else { throw Refused("'\(name)' has no number that can be edited here") }
    if removesKey {
      return try changed(at: playhead, "deleted key", else: "has no key at the playhead") {
        finder, value, file throws(Refused) in try finder.removal(in: value, file)
      }
    }
    if let easing {
      return try changed(at: playhead, "easing", else: "has no motion at the playhead") {
        finder, value, file throws(Refused) in try finder.easing(easing, in: value, file)
      }
    }
    var found: [Found?] = []
    var isGap = false
    for component in shift.indices {
      guard shift[component] != 0 || insertsKey else {
        found.append(nil)
        continue
      }
      let it = try Finder(playhead: playhead, edit: self, component: component).found()
      if case .gap = it { isGap = true }
      found.append(it)
    }
    if isGap { return try inserted(at: playhead) }
    if insertsKey { return try animated(at: playhead) }
    return try replaced(found.map { $0?.grips ?? [] }, at: playhead)
  }

  // MARK: Literals

  private func replaced(_ grips: [[Grip]], at playhead: Playhead) throws(Refused) -> TextEdit {
    var values: [SourceSpan: (literal: Literal, value: Literal.Value)] = [:]
    var offsets: [Offset: [Int: String]] = [:]
    var places: [Place] = []
    for (component, grips) in grips.enumerated() {
      for grip in grips {
        if !places.contains(grip.place) { places.append(grip.place) }
        switch grip.target {
        case .literal(let literal, let part):
          let new = try value(
            of: literal, part: part, grip, by: shift[component], known: values[literal.span]?.value)
          values[literal.span] = (literal, new)
        case .offset(let it):
          guard abs(grip.factor) > 1e-6 else { continue }
          let number = shift[component] / grip.factor
          offsets[it, default: [:]][component] =
            Numeral.text(number, decimals: decimals(for: 1, abs(grip.weight) == 1 ? 0.5 : 0.25))
            + it.unit
        }
      }
    }
    var pieces: [TextEdit.Piece] = []
    for (span, it) in values {
      guard let text = it.literal.text(of: it.value) else {
        throw Refused("'\(it.literal.text)' cannot be set to this value")
      }
      pieces.append(TextEdit.Piece(span: span, text: text))
    }
    pieces += offsets.map { TextEdit.Piece(span: $0.span, text: $0.text(of: $1)) }
    guard let file = pieces.first?.span.file else {
      return TextEdit(file: FileID(0), pieces: [], place: Place.value.words(playhead.text))
    }
    guard pieces.allSatisfy({ $0.span.file == file }) else {
      throw Refused("'\(property.property.name)' is set in several files; edit it in the source")
    }
    let place = places.count == 1 ? places[0] : places.first { $0.isMoving } ?? .value
    return TextEdit(
      file: file, pieces: pieces.sorted { $0.span < $1.span }, place: place.words(playhead.text))
  }

  /// Returns the new value of a literal. `known` is the value that the edit of the other component
  /// assigns to the same literal, if any.
  private func value(
    of literal: Literal, part: Int?, _ grip: Grip, by shift: Double, known: Literal.Value?
  ) throws(Refused) -> Literal.Value {
    guard abs(grip.factor) > 1e-6 else {
      throw Refused("'\(property.property.name)' does not depend on '\(literal.text)' here")
    }
    let change = shift / grip.factor
    let isWhole = abs(abs(grip.weight) - 1) < 1e-9
    let places = decimals(for: grip.factor, isWhole ? 0.5 : 0.25)
    switch (literal.value, part) {
    case (.number(let old), _):
      let new = Literal.Value.number(rounded(old + change, places))
      guard known == nil || known == new else {
        throw Refused(
          "'\(literal.text)' sets both directions of '\(property.property.name)'; "
            + "hold Shift to keep one")
      }
      return new
    case (.size(let width, let height), let part?):
      var sides = [width, height]
      if case .size(let width, let height)? = known { sides = [width, height] }
      sides[part] = rounded(sides[part] + change, 0)
      return .size(sides[0], sides[1])
    default: throw Refused("'\(literal.text)' is not a number")
    }
  }

  private var isLength: Bool {
    switch property.type {
    case .point, .ownPoint, .lengthX, .lengthY, .length, .size, .lengthPair, .fontLength,
      .fontLengthPair:
      true
    default: false
    }
  }

  /// Returns the number of decimal places of a number that is multiplied by `factor`, so that the
  /// rounding error stays within the tolerance. `pixels` is the default tolerance of lengths.
  private func decimals(for factor: Double, _ pixels: Double) -> Int {
    if isExact { return 4 }
    return Numeral.decimals(for: factor, within: tolerance ?? (isLength ? pixels : 0.0005))
  }

  private func rounded(_ number: Double, _ places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (number * scale).rounded() / scale
  }

  // MARK: Keys

  private func inserted(at playhead: Playhead) throws(Refused) -> TextEdit {
    var values: [GapValue] = []
    for component in shift.indices {
      guard
        case .gap(let it) = try Finder(playhead: playhead, edit: self, component: component).found()
      else { throw Refused("the parts of '\(property.property.name)' have different motions") }
      values.append(it)
    }
    guard let first = values.first, values.allSatisfy({ $0.gap == first.gap }),
      let file = playhead.files[first.gap.file]
    else { throw Refused("the parts of '\(property.property.name)' have different motions") }
    let numbers = zip(values, shift).map { it, shift in
      let number = (it.value + shift / it.weight) / it.factor
      return Numeral.text(number, decimals: decimals(for: it.factor, 0.05))
        + (it.unit?.rawValue ?? "")
    }
    let isSingle = numbers.count == 1 || first.isSingle && Set(numbers).count == 1
    let value = isSingle ? numbers[0] : "(" + numbers.joined(separator: ", ") + ")"
    var text = playhead.text(ofTime: first.gap.time) + ": " + value
    if let easing = first.gap.easing { text += " with \(easing)" }
    let place = Place.newKey(first.gap.sceneTime)
    let start = first.gap.start
    let separator = separator(of: first.gap, in: file.source.bytes)
    let key = TextEdit.Piece(
      span: SourceSpan(file: first.gap.file, start: start, end: start),
      text: first.gap.isLast ? separator + text : text + separator)
    return TextEdit(
      file: first.gap.file, pieces: [key] + (first.gap.rest.map { [$0] } ?? []),
      place: place.words(playhead.text))
  }

  /// Returns an edit that turns a constant value into keyframes, with one keyframe at the playhead.
  private func animated(at playhead: Playhead) throws(Refused) -> TextEdit {
    let name = property.property.name
    guard property.motions.isEmpty, property.changes.isEmpty else {
      throw Refused("a key can be added only to a constant or to keyframes; '\(name)' is neither")
    }
    guard let element = elements.first, let start = element.start,
      let source = playhead.files[property.value.file]?.source
    else { throw Refused("'\(name)' is set in a file that cannot be changed") }
    let now = playhead.number(element.clock)
    let value = source.text(source.span(property.value.start, property.value.end))
    let time = playhead.text(ofTime: now - Double(start.rawValue))
    return TextEdit(
      file: property.value.file,
      pieces: [TextEdit.Piece(span: property.value, text: "keyframes { \(time): \(value) }")],
      place: Place.newKey(now).words(playhead.text))
  }

  /// Returns the edit with the `pieces` for the value and its changes. If there are none, throws an
  /// error about the property that ends with `nothing`.
  private func changed(
    at playhead: Playhead, _ place: String, else nothing: String,
    _ pieces: (Finder, Expression, FileID) throws(Refused) -> [TextEdit.Piece]
  ) throws(Refused) -> TextEdit {
    let finder = Finder(playhead: playhead, edit: self, component: 0)
    let name = property.property.name
    var all: Set<TextEdit.Piece> = []
    for span in [property.value] + property.changes.map(\.value) {
      guard let (value, file) = finder.expression(at: span) else { continue }
      all.formUnion(try pieces(finder, value, file))
    }
    guard let first = all.first else { throw Refused("'\(name)' \(nothing)") }
    guard all.allSatisfy({ $0.span.file == first.span.file }) else {
      throw Refused("'\(name)' is set in several files; edit it in the source")
    }
    return TextEdit(
      file: first.span.file, pieces: all.sorted { $0.span < $1.span }, place: place)
  }

  /// Returns the text between two keys beside a gap, which also separates the new key.
  private func separator(of gap: Gap, in bytes: [UInt8]) -> String {
    let between = bytes[gap.separator]
    let isPlain = between.allSatisfy { [9, 10, 13, 32, UInt8(ascii: ";")].contains($0) }
    return isPlain && !between.isEmpty ? String(decoding: between, as: UTF8.self) : "; "
  }
}

extension Offset {
  /// Returns the offset in source syntax. Missing parts are 0.
  func text(of parts: [Int: String]) -> String {
    if isPair { return " + (\(parts[0] ?? "0" + unit), \(parts[1] ?? "0" + unit))" }
    let number = parts.values.first ?? "0"
    return number.hasPrefix("-") ? " - " + number.dropFirst() : " + " + number
  }
}

extension TextEdit {
  /// Returns the file with the replacements, formatted if it was in canonical form; `nil` if it
  /// would have more syntax errors.
  package func applied(to file: Parsed) -> [UInt8]? {
    let bytes = file.tree.file.bytes
    var changed: [UInt8] = []
    var end = 0
    for piece in pieces.sorted(by: { $0.span < $1.span }) {
      guard piece.span.start >= end, piece.span.end <= bytes.count else { return nil }
      changed += bytes[end..<piece.span.start] + Array(piece.text.utf8)
      end = piece.span.end
    }
    changed += bytes[end...]
    let again = parse(SourceFile(id: FileID(0), name: file.tree.file.name, bytes: changed))
    guard again.diagnostics.count <= file.diagnostics.count else { return nil }
    return format(file).map { Array($0.utf8) } == bytes
      ? format(again).map { Array($0.utf8) } : changed
  }
}
