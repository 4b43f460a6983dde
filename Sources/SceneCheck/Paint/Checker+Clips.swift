// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// A clip that an element shows or plays.
struct Footage {
  let path: String
  let info: ClipInfo

  /// How long it plays: as long as its pictures, where it is shown, else as its sound.
  func length(_ kind: ElementKind) -> Ticks {
    if kind == .video, let pictures = info.pictures { return pictures.times.length }
    return info.sound.map { max(.zero, $0.start + $0.length) } ?? .zero
  }
}

extension Checker {
  /// The clip of a `video` or `audio`, read once for each; faults are reported.
  func footage(of i: Instance) -> Footage? {
    if let known = i.clipFile { return known.found }
    let found = readFootage(of: i)
    i.clipFile = (found, ())
    return found
  }

  private func readFootage(of i: Instance) -> Footage? {
    let isShown = i.kind == .video
    guard let (value, span) = self.value(.source, of: i, now: now) else {
      missing("a file", isShown ? "write video \"clip.mp4\"" : "write audio \"voice.wav\"", i)
      return nil
    }
    guard let path = asConstantText(value, span) else { return nil }
    if path.contains("*") {
      let help = "numbered pictures are an image: image \"\(path)\" { fps: 30 }"
      _ = fault(
        .fileNotFound, "'\(i.kind.rawValue)' plays one file", at: span,
        help: isShown ? help : "write one 'audio' for each file")
      return nil
    }
    do throws(AssetFault) {
      let info = try assets.clip(path)
      for remark in info.remarks {
        report(
          Diagnostic(.incompleteImage, "'\(path)' is only partly played: \(remark)", at: span))
      }
      if isShown, info.pictures?.times.count ?? 0 == 0 {
        let fix = FixIt("write 'audio'", replacing: i.syntax.kind[0].span, with: "audio")
        var fault = Diagnostic(
          .noPictures, "'\(path)' has no pictures", at: span, label: "it has only sound")
        fault.fixIts = [fix]
        report(fault)
        return nil
      }
      if !isShown, info.sound?.sampleCount ?? 0 == 0 {
        _ = fault(.noSound, "'\(path)' has no sound", at: span, label: "it has only pictures")
        return nil
      }
      return Footage(path: path, info: info)
    } catch {
      let kinds =
        isShown
        ? "clips are MP4, MOV, WebM, MKV, AVI, TS or GIF"
        : "sounds are WAV, FLAC, MP3, M4A, OGG, Opus or AIFF, or the sound of a clip"
      report(assetFault(error, path, span, kind: kinds))
      return nil
    }
  }

  /// Which part of a picture of the clip is drawn where, and which picture it is.
  func clipDrawing(_ i: Instance, _ now: Scalar) -> ElementModel.Drawing {
    guard let clip = footage(of: i), let pictures = clip.info.pictures,
      let start = start(of: i, i.span), let end = end(of: i, i.span),
      let placed = pictureIn(i, pictures.size, now)
    else { return .nothing }
    warnOfHeldEnd(i, start, end)
    let length = pictures.times.length
    let playing = playing(of: i)
    let time = materialTime(
      of: i, start: start, length: length, at: context(of: i, now: now).now)
    let from = Int64(playing.from)
    let to = max(from + 1, playing.to.map { Int64($0) } ?? length.rawValue)
    return .clip(
      ClipModel(
        path: clip.path, digest: clip.info.digest, pictures: pictures, time: time, range: from..<to),
      source: placed.source, destination: placed.destination)
  }
}
