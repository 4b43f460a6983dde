// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneGraphics
import SceneIR
import SceneLanguage
import SceneModel
import SceneText

/// A clip that an element shows.
struct ShownClip {
  let path: String
  let digest: ClipDigest
  let pictures: ClipPictures
}

extension Checker {
  /// The clip of a `video`, read once for each; faults are reported.
  func footage(of i: Instance) -> ShownClip? {
    if let known = i.clipFile { return known.found }
    let found = readFootage(of: i)
    i.clipFile = (found, ())
    return found
  }

  private func readFootage(of i: Instance) -> ShownClip? {
    guard let (value, span) = self.value(.source, of: i, now: now) else {
      missing("a file", "write video \"clip.mp4\"", i)
      return nil
    }
    guard let path = asConstantText(value, span) else { return nil }
    if path.contains("*") {
      _ = fault(
        .fileNotFound, "'video' shows one file", at: span,
        help: "numbered pictures are an image: image \"\(path)\" { fps: 30 }")
      return nil
    }
    do throws(AssetFault) {
      let info = try assets.clip(path)
      for remark in info.remarks {
        report(Diagnostic(.incompleteImage, "'\(path)' is only partly shown: \(remark)", at: span))
      }
      guard let pictures = info.pictures, pictures.times.count > 0 else {
        _ = fault(.noPictures, "'\(path)' has no pictures", at: span, label: "it has only sound")
        return nil
      }
      return ShownClip(path: path, digest: info.digest, pictures: pictures)
    } catch {
      report(assetFault(error, path, span, kind: "clips are MP4, MOV, WebM, MKV, AVI, TS or GIF"))
      return nil
    }
  }

  /// Which part of a picture of the clip is drawn where, and which picture it is.
  func clipDrawing(_ i: Instance, _ now: Scalar) -> ElementModel.Drawing {
    guard let clip = footage(of: i), let start = start(of: i, i.span), let end = end(of: i, i.span),
      let placed = pictureIn(i, clip.pictures.size, now)
    else { return .nothing }
    warnOfHeldEnd(i, start, end)
    let length = clip.pictures.times.length
    let playing = playing(of: i)
    let time = materialTime(
      of: i, start: start, length: length, at: context(of: i, now: now).now)
    let from = Int64(playing.from)
    let to = max(from + 1, playing.to.map { Int64($0) } ?? length.rawValue)
    return .clip(
      ClipModel(
        path: clip.path, digest: clip.digest, pictures: clip.pictures, time: time, range: from..<to),
      source: placed.source, destination: placed.destination)
  }
}
