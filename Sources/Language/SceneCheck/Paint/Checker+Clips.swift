// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

/// The video or audio file of an element.
struct Footage {
  let path: String
  let info: ClipInfo
  /// The duration of the placeholder, if the file is missing.
  var placeholder: Ticks?

  var isPlaceholder: Bool { placeholder != nil }

  /// Returns the duration: that of the frames for a video element, otherwise that of the audio.
  func length(_ kind: ElementKind) -> Ticks {
    if let placeholder { return placeholder }
    if kind == .video, let pictures = info.pictures { return pictures.times.length }
    return info.sound.map { max(.zero, $0.start + $0.length) } ?? .zero
  }
}

extension Checker {
  /// Returns the file of a `video` or `audio`, or reports an error and returns `nil`. Cached.
  func footage(of i: ElementNode) -> Footage? {
    if let known = i.clipFile { return known.found }
    let found = step(.file(i.id), "the file of '\(i.displayName)'", at: i.span) {
      readFootage(of: i)
    }
    // In a cycle, the outer evaluation continues.
    guard let found else { return nil }
    i.clipFile = (found, ())
    return found
  }

  private func readFootage(of i: ElementNode) -> Footage? {
    let isShown = i.kind == .video
    guard let (value, span) = self.value(.source, of: i, now: now) else {
      missing(
        "a file", label: isShown ? "write video \"clip.mp4\"" : "write audio \"voice.wav\"", of: i)
      return nil
    }
    guard let path = asConstantText(value, span) else { return nil }
    if path.contains("*") {
      let help = "use an image for numbered files: image \"\(path)\" { fps: 30 }"
      _ = report(
        .fileNotFound, "'\(i.kind.rawValue)' accepts a single file", at: span,
        help: isShown ? help : "write one '\(i.kind.rawValue)' for each file")
      return nil
    }
    let standIn = placeholder(of: i, for: path)
    do throws(AssetError) {
      let info = try assets.clip(path)
      reportDamage(info.remarks, of: path, at: span, in: i)
      if isShown, let format = info.pictures?.format { warnOfFormat(path, format, at: span) }
      if isShown, info.pictures?.times.count ?? 0 == 0 {
        let fix = FixIt("use 'audio'", replacing: i.syntax.kind[0].span, with: "audio")
        var diagnostic = Diagnostic(
          .noPictures, "'\(path)' has no video track", at: span, label: "audio only")
        diagnostic.fixIts = [fix]
        report(diagnostic)
        return nil
      }
      if !isShown, info.sound?.sampleCount ?? 0 == 0 {
        noSound(path, info, at: span)
        return nil
      }
      return Footage(path: path, info: info)
    } catch {
      if error == .notFound, let standIn {
        if !missingClips.contains(where: { $0.span == span }) {
          missingClips.append(MissingClip(path: path, span: span))
        }
        return standIn
      }
      let kinds =
        isShown
        ? "supported clips are MP4, MOV, WebM, MKV, AVI, TS, GIF and WebP"
        : "supported sounds are WAV, FLAC, MP3, M4A, OGG, Opus, AIFF and the audio track of a clip"
      report(mediaError(error, path, at: span, of: i, kind: kinds))
      return nil
    }
  }

  /// Reports the missing parts of a file. With `damaged: error`, damage is an error.
  private func reportDamage(
    _ remarks: [String], of path: String, at span: SourceSpan, in i: ElementNode
  ) {
    let isError = i.kind == .video && reading(of: i).damage == .error
    for remark in remarks {
      // An unsupported codec is not damage.
      let message = "part of '\(path)' cannot be played: \(remark)"
      if isError, !remark.hasPrefix("its sound uses") {
        _ = report(
          .undecodable, message, at: span,
          help: "replace the file, or remove 'damaged: error' to show the intact frames")
      } else {
        report(Diagnostic(.incompleteImage, message, at: span))
      }
    }
  }

  func noSound(_ path: String, _ info: ClipInfo, at span: SourceSpan) {
    guard let reason = info.remarks.first(where: { $0.hasPrefix("its sound") }) else {
      _ = report(.noSound, "'\(path)' has no audio track", at: span, label: "video only")
      return
    }
    _ = report(.noSound, "the audio track of '\(path)' cannot be played", at: span, label: reason)
  }

  private func reading(of i: ElementNode) -> ClipReading {
    ClipReading(alpha: word(.alpha, of: i), damage: word(.damaged, of: i))
  }

  /// Warns about the conversion of frames that SDR displays cannot show directly.
  private func warnOfFormat(_ path: String, _ format: PictureFormat, at span: SourceSpan) {
    if format.transfer != .standard {
      let name = format.transfer == .pq ? "PQ" : "HLG"
      report(
        Diagnostic(
          .mappedRange, "'\(path)' has high dynamic range (\(name))", at: span,
          label: "tone-mapped to SDR"))
    }
    if format.fields != .progressive {
      report(
        Diagnostic(
          .interlaced, "'\(path)' is interlaced", at: span,
          label: "each frame is deinterlaced"))
    }
  }

  /// Warns about a clip at normal speed whose frames are shown for different durations.
  private func warnOfUnevenPictures(
    _ i: ElementNode, _ times: ClipTimes, from start: Ticks, to end: Ticks
  ) {
    guard let own = times.rate, i.properties[.time] == nil, playing(of: i).isNormal,
      !options.isRateOfOutput,
      (end - start).rawValue > Ticks.perSecond, times.count > 1
    else { return }
    let ratio = own.value / frameRate.value
    // Integer ratios are even, except for one frame in several minutes.
    let nearest = ratio < 1 ? 1 / (1 / ratio).rounded() : ratio.rounded()
    guard abs(ratio / nearest - 1) > 0.002 else { return }
    let rates = [own, frameRate].map { NumberFormat().text(($0.value * 1000).rounded() / 1000) }
    let (clip, film) = (rates[0], rates[1])
    report(
      Diagnostic(
        .unevenPictures, "the frames of '\(i.displayName)' have uneven durations", at: i.span,
        label: ratio < 1
          ? "the clip has \(clip) fps and the scene \(film) fps; some frames are repeated"
          : "the clip has \(clip) fps and the scene \(film) fps; some frames are dropped"
      ).advising("set 'fps: \(clip)' on the scene to show all frames for the same duration"))
  }

  /// Warns about a clip that cannot be copied, if an output requires copying.
  private func warnOfNoCopy(_ i: ElementNode, _ pictures: ClipPictures) {
    guard isCopying else { return }
    let why: String
    let (rate, size) = (pictures.times.rate, scene(of: i).boxes[now])
    let own = PixelSize(
      Int(size?.width.constantValue ?? 0), Int(size?.height.constantValue ?? 0))
    if pictures.codec != "h264" {
      why = "it is not encoded in H.264"
    } else if pictures.copying == nil {
      why =
        "it is not an MP4, MOV or MKV file with closed groups of pictures (GOPs)"
    } else if rate != frameRate {
      let rates = [rate, frameRate].map {
        $0.map { NumberFormat().text($0.value) } ?? "a variable"
      }
      why = "the clip has \(rates[0]) fps and the scene \(rates[1]) fps"
    } else if i.properties[.time] != nil || !playing(of: i).isNormal {
      why = "its speed is changed"
    } else if reading(of: i).damage == .error {
      why = "'damaged: error' requires decoding"
    } else if let obstacle = pictures.obstacle(in: own) {
      why = obstacle
    } else {
      return
    }
    report(
      Diagnostic(
        .notCopied, "'\(i.displayName)' cannot be copied without encoding", at: i.span, label: why))
  }

  /// Returns the drawing of a clip: the frame, its source rectangle and its destination.
  func clipDrawing(_ i: ElementNode, now: Scalar) -> ElementModel.Drawing {
    guard let clip = footage(of: i), let pictures = clip.info.pictures,
      let start = start(of: i, i.span), let end = end(of: i, i.span),
      let placed = pictureIn(i, size: pictures.size, now: now)
    else { return .nothing }
    warnOfHeldEnd(i, start: start, end: end)
    if clip.isPlaceholder { return placeholderDrawing(of: i, now: now) }
    warnOfUnevenPictures(i, pictures.times, from: start, to: end)
    warnOfNoCopy(i, pictures)
    let length = pictures.times.length
    let playing = playing(of: i)
    let time = materialTime(
      of: i, start: start, length: length, at: context(of: i, now: now).now)
    let from = Int64(playing.from)
    let to = max(from + 1, playing.to.map { Int64($0) } ?? length.rawValue)
    return .clip(
      ClipModel(
        path: clip.path, digest: clip.info.digest, pictures: pictures, time: time, range: from..<to,
        reading: reading(of: i),
        blendsFrames: bool(.blendFrames, of: i, now: now).constantValue == 1,
        rendering: imageRendering(of: i)),
      source: placed.source, destination: placed.destination)
  }
}
