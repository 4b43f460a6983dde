// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText
import SceneTypes

extension Checker {
  /// Returns the frames of an image: several for an animation or a numbered sequence. Errors are
  /// reported once per span. Returns `nil` after an error.
  func frames(of i: ElementNode) -> [ImageFrame]? {
    guard let (value, span) = self.value(.source, of: i, now: now) else {
      missing(
        "a file", label: i.kind == .svg ? "write svg \"logo.svg\"" : "write image \"photo.jpg\"",
        of: i)
      return nil
    }
    guard let path = asConstantText(value, span) else { return nil }
    do {
      guard path.contains("*") else {
        let frames = try assets.frames(path)
        warnOfRemarks(on: path, span)
        return frames
      }
      let names = assets.files(matching: path)
      guard !names.isEmpty else {
        report(
          Diagnostic(
            .fileNotFound, "no file matches '\(path)'", at: span,
            label: "'*' matches any part of a file name"))
        return nil
      }
      let length = sequenceSeconds(of: i)
      var frames: [ImageFrame] = []
      for name in names {
        frames.append(ImageFrame(try assets.image(name), seconds: length))
        warnOfRemarks(on: name, span)
      }
      if let other = frames.first(where: { $0.image.size != frames[0].image.size }) {
        report(
          Diagnostic(
            .undecodable,
            "'\(other.image.path)' is \(other.image.size) pixels, but the first image is \(frames[0].image.size)",
            at: span, label: "all images of a sequence must have the same size"))
        return nil
      }
      return frames
    } catch {
      report(mediaError(error, path, at: span, of: i, kind: Checker.imageKinds))
      return nil
    }
  }

  /// Warns about an image that is shown incompletely.
  func warnOfRemarks(on path: String, _ span: SourceSpan) {
    for remark in assets.remarks(on: path) {
      report(Diagnostic(.incompleteImage, "part of '\(path)' cannot be shown: \(remark)", at: span))
    }
  }

  private func image(of i: ElementNode) -> ImageReference? { frames(of: i)?.first?.image }

  /// Returns the duration of each frame in a sequence: from `fps` of the image, otherwise one frame
  /// of the scene.
  private func sequenceSeconds(of i: ElementNode) -> Double {
    guard let (value, span) = self.value(.fps, of: i, now: now) else {
      return frameRate.frameTicks / Double(Ticks.perSecond)
    }
    guard let rate = asNumber(value, span)?.constantValue, rate > 0, rate <= 1000 else {
      _ = report(
        .invalidFrameRate, "the frame rate of an image must be above 0 and at most 1000", at: span)
      return 1
    }
    return 1 / rate
  }

  /// Returns the index of the current frame. The frames repeat unless `loop: once` is set.
  private func frameNumber(_ frames: [ImageFrame], of i: ElementNode) -> Scalar {
    guard frames.count > 1, let begin = start(of: i, i.span) else { return .zero }
    let c = context(of: i, now: now)
    let second = Double(Ticks.perSecond)
    let whole = frames.reduce(0) { $0 + $1.seconds } * second
    var local = builder.subtract(c.now, .constant(Double(begin.rawValue)))
    var isRepeated = true
    if let (value, span) = self.value(.loop, of: i, now: now) {
      isRepeated = asWord(value, span, from: ["forever", "once"]) != "once"
    }
    if isRepeated { local = builder.make(.modulo, a: local, b: .constant(whole)) }
    let lengths = Set(frames.map(\.seconds))
    if lengths.count == 1 {
      // An extra tick compensates for rounded durations.
      let late = builder.add(local, .constant(1))
      return builder.make(
        .floor, a: builder.scaled(late, 1 / (frames[0].seconds * second)))
    }
    var number = Scalar.zero
    var time = 0.0
    for frame in frames.dropLast() {
      time += frame.seconds * second
      let reached = builder.make(.lessOrEqual, a: .constant(time.rounded()), b: local)
      number = builder.add(number, reached)
    }
    return number
  }

  /// Returns whether two file names differ only in their languages, such as `talk.de.srt` and
  /// `talk.en.srt`.
  private func isTranslation(_ a: String, of b: String) -> Bool {
    let (left, right) = (a.split(separator: "."), b.split(separator: "."))
    guard left.count > 2, left.count == right.count else { return false }
    let language = left.count - 2
    return left.indices.allSatisfy { $0 == language || left[$0] == right[$0] }
      && [left, right].allSatisfy { LanguageTag(String($0[language])) != nil }
  }

  /// Returns the error about a file that cannot be read. An imported file suggests names other than
  /// the importing file.
  func assetError(
    _ error: AssetError, _ path: String, at span: SourceSpan,
    kind: String = Checker.imageKinds,
    importedBy importer: String? = nil
  ) -> Diagnostic {
    switch error {
    case .notFound:
      var diagnostic = Diagnostic(.fileNotFound, "file '\(path)' not found", at: span)
      if path.contains("://") {
        diagnostic.notes = [
          Note(help: "save the file in the folder of the scene; scenec does not download files")
        ]
      } else if let near = nearest(
        path, in: assets.names.filter { $0 != importer && !isTranslation($0, of: path) })
      {
        diagnostic.fixIts = [
          FixIt(
            "change to \"\(near)\"", replacing: span, with: "\"\(near)\"", isSafe: false)
        ]
      }
      return diagnostic
    case .outsideRoot:
      return Diagnostic(
        .outsideRoot, "'\(path)' is outside the folder of the scene", at: span,
        label: "a scene can only read files under its root folder",
        notes: [Note(help: "move the file into the folder, or set a parent folder with --root DIR")]
      )
    case .notRegular:
      return Diagnostic(.fileNotFound, "'\(path)' is not a regular file", at: span)
    case .tooLarge(let what):
      return Diagnostic(.limitExceeded, "'\(path)' is too large: \(what)", at: span)
    case .undecodable(let why):
      return Diagnostic(
        .undecodable, "'\(path)' cannot be decoded: \(why)", at: span,
        label: path.hasSuffix(".json") ? "" : kind)
    case .unsupported:
      return Diagnostic(
        .undecodable, "'\(path)' cannot be decoded: \(error.reason)", at: span, label: kind,
        notes: [Note(help: "convert the clip to MP4 (H.264 and AAC)")])
    case .unreadable(let why):
      return Diagnostic(.fileNotFound, "'\(path)' cannot be read: \(why)", at: span)
    }
  }

  /// Returns the box from `size`, otherwise the parent's box if `fit` is set, otherwise the size of
  /// the image; `nil` after an error.
  func imageBox(_ i: ElementNode, now: Scalar) -> BoxModel? {
    if let size = size(of: i, now: now) {
      return BoxModel(x: .zero, y: .zero, width: size.x, height: size.y)
    }
    if i.properties[.fit] != nil {
      let (width, height) = parentSize(i, now: now)
      return BoxModel(x: .zero, y: .zero, width: width, height: height)
    }
    let clip = i.kind == .video ? footage(of: i) : nil
    if clip?.isPlaceholder == true {
      let (width, height) = parentSize(i, now: now)
      return BoxModel(x: .zero, y: .zero, width: width, height: height)
    }
    let size = i.kind == .video ? clip?.info.pictures?.size : image(of: i)?.size
    return BoxModel(
      x: .zero, y: .zero, width: .constant(Double(size?.width ?? 0)),
      height: .constant(Double(size?.height ?? 0)))
  }

  /// Returns how the images of an element are scaled.
  func imageRendering(of i: ElementNode) -> ImageRendering {
    guard let (value, _) = inheritedValue(.imageRendering, of: i, now: now),
      case .word(let word) = value
    else { return .auto }
    return ImageRendering(rawValue: word) ?? .auto
  }

  /// Returns the drawing of an image: its source rectangle and its destination in its own
  /// coordinates.
  func imageDrawing(_ i: ElementNode, now: Scalar) -> ElementModel.Drawing {
    guard let frames = self.frames(of: i), let image = frames.first?.image,
      let placed = pictureIn(i, size: image.size, now: now)
    else { return .nothing }
    let rendering = imageRendering(of: i)
    return .image(
      frames.map { $0.image.rendered(rendering) }, frame: frameNumber(frames, of: i),
      source: placed.source,
      destination: placed.destination)
  }

  /// Returns the source rectangle and the destination in an element's box, according to `fit` and
  /// `focus`; `nil` after an error.
  func pictureIn(_ i: ElementNode, size: PixelSize, now: Scalar)
    -> (source: [Scalar], destination: [Scalar])?
  {
    guard let box = self.box(of: i, now: now) else { return nil }
    let width = Scalar.constant(Double(size.width))
    let height = Scalar.constant(Double(size.height))
    let whole = [Scalar.zero, .zero, width, height]
    let target = [Scalar.zero, .zero, box.width, box.height]
    let fit: Fit = word(.fit, of: i)
    if fit == .fill { return (whole, target) }
    let focus = focusShares(i, now: now)
    let scaleX = builder.divide(box.width, width)
    let scaleY = builder.divide(box.height, height)
    func rest(of room: Scalar, without part: Scalar, share: Scalar) -> Scalar {
      builder.multiply(builder.subtract(room, part), share)
    }
    switch fit {
    case .contain:
      let scale = builder.make(.minimum, a: scaleX, b: scaleY)
      let w = builder.multiply(width, scale)
      let h = builder.multiply(height, scale)
      return (
        whole,
        [
          rest(of: box.width, without: w, share: focus.x),
          rest(of: box.height, without: h, share: focus.y), w, h,
        ]
      )
    case .none:
      let w = builder.make(.minimum, a: width, b: box.width)
      let h = builder.make(.minimum, a: height, b: box.height)
      return (
        [
          rest(of: width, without: w, share: focus.x), rest(of: height, without: h, share: focus.y),
          w, h,
        ],
        [
          rest(of: box.width, without: w, share: focus.x),
          rest(of: box.height, without: h, share: focus.y), w, h,
        ]
      )
    default:
      let scale = builder.make(.maximum, a: scaleX, b: scaleY)
      let w = builder.divide(box.width, scale)
      let h = builder.divide(box.height, scale)
      return (
        [
          rest(of: width, without: w, share: focus.x), rest(of: height, without: h, share: focus.y),
          w, h,
        ], target
      )
    }
  }

  func focusShares(_ i: ElementNode, now: Scalar) -> PointModel {
    let middle = PointModel(.constant(0.5), .constant(0.5))
    guard let (value, span) = self.value(.focus, of: i, now: now) else { return middle }
    if case .word(let word) = value, let share = Words.points[word] {
      return PointModel(.constant(share.x), .constant(share.y))
    }
    guard case .pair(.percent(let x), .percent(let y)) = value else {
      mismatch("a pair of percentages", value, at: span, help: "write a pair such as (40%, 50%)")
      return middle
    }
    return PointModel(x, y)
  }
}
