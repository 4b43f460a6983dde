// SPDX-License-Identifier: MIT
import SceneBuild
import SceneOutput
import SceneCheck
import CLinux
import SceneFiles
import SceneGraphics
import SceneJSON
import SceneLanguage
import SceneModel
import SceneSession
import SceneSound
import SceneSystem
import SceneText
import SceneWeb

// Audio, exported videos and export requests.
extension PreviewSite {
  /// The maximum length of an audio response in seconds.
  private static let longestPiece = 10.0
  /// The maximum size of a video response in bytes; browsers request the rest as ranges.
  private static let greatestPiece = 2 << 20

  /// Sends a part of the scene's mix as a WAV file.
  func sound(_ request: WebRequest, _ client: WebClient) -> WebDecision {
    let (fields, outlet) = (gate.fields(), outlet)
    guard let view = request.arguments["view"],
      let rev = request.arguments["rev"].flatMap({ Int($0) }),
      let from = request.arguments["from"].flatMap({ Double($0) }),
      let to = request.arguments["to"].flatMap({ Double($0) }),
      (0..<1e9).contains(from), from < to, to - from <= PreviewSite.longestPiece
    else { return .answer(WebResponse(404, fields)) }
    guard let revision = registry.revision(view, rev) else { return gone }
    guard !revision.model.sound.voices.isEmpty else { return .answer(WebResponse(404, fields)) }
    let rate = Double(SoundModel.rate)
    let samples = Int((from * rate).rounded())..<Int((to * rate).rounded())
    let isTaken = desk.hear { mixers in
      guard let mixed = try? mixers.samples(of: revision, samples) else {
        return outlet.answer(client, WebResponse(404, fields))
      }
      outlet.answer(
        client,
        WebResponse(
          200, fields + [("content-type", "audio/wav")],
          body: WaveFile(mixed, rate: SoundModel.rate).bytes))
    }
    return isTaken ? .later : .answer(WebResponse(503, fields))
  }

  /// Sends the last video of the scene or of a job, or a range of its bytes.
  func video(_ request: WebRequest, _ client: WebClient) -> WebDecision {
    let (fields, outlet) = (gate.fields(), outlet)
    let job = request.arguments["job"].map { Int($0) ?? -1 } ?? 0
    guard let path = exports.made(job)?.path else { return .answer(WebResponse(404, fields)) }
    pool.add { _ in
      outlet.answer(client, PreviewSite.piece(of: path, request.range, fields))
    }
    return .later
  }

  /// Sends the captions or descriptions of the last video of the scene or of a job as a WebVTT file.
  func track(_ request: WebRequest) -> WebDecision {
    let fields = gate.fields()
    let job = request.arguments["job"].map { Int($0) ?? -1 } ?? 0
    guard let number = request.arguments["n"].flatMap({ Int($0) }),
      let tracks = exports.made(job)?.tracks, tracks.indices.contains(number)
    else { return .answer(WebResponse(404, fields)) }
    let text = CaptionFile.webVTT(tracks[number])
    return .answer(
      WebResponse(200, fields + [("content-type", "text/vtt")], body: Array(text.utf8)))
  }

  /// Returns the bytes of a range (`bytes=200-`) of a file, or its start.
  private static func piece(
    of path: String, _ range: String?, _ fields: [(name: String, value: String)]
  ) -> WebResponse {
    let file = Files.open(path, O_RDONLY)
    defer { if file >= 0 { close(file) } }
    guard file >= 0, let status = FileStatus(file: file), status.isRegular, status.size > 0 else {
      return WebResponse(404, fields)
    }
    let size = status.size
    var wanted = 0..<size
    if let range {
      guard let asked = ByteRange(range, of: size) else {
        return WebResponse(416, fields + [("content-range", "bytes */\(size)")])
      }
      wanted = asked.bytes
    }
    let isWhole = range == nil && size <= greatestPiece
    let part = wanted.lowerBound..<min(wanted.upperBound, wanted.lowerBound + greatestPiece)
    let own = [
      ("content-type", FileFormat(path: path)?.mediaType ?? "application/octet-stream"),
      ("accept-ranges", "bytes"),
    ]
    let place =
      isWhole ? [] : [("content-range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")]
    return WebResponse(
      isWhole ? 200 : 206, fields + own + place,
      body: Files.head(of: file, from: part.lowerBound, count: part.count))
  }

  /// Sends the minimum and maximum samples of an element's audio as pairs of signed bytes.
  func peaks(_ request: Request) -> Refusal? {
    guard let revision = revision(request) else { return .gone }
    guard let from = request["from"].number, let to = request["to"].number,
      let parts = request["px"].int, (1...4096).contains(parts), (0..<1e9).contains(from),
      from < to, to < 1e9
    else { return Refusal("message", "invalid 'from', 'to' or 'px'") }
    guard let key = request["key"].string,
      let element = revision.scene.record?.elements.first(where: { $0.key == key })
    else { return Refusal("none", "element not found") }
    let rate = Double(SoundModel.rate)
    let samples = Int(from * rate)..<max(Int(from * rate) + 1, Int(to * rate))
    let outlet = outlet
    let isTaken = desk.show { mixers in
      let head: JSON = ["id": request.id, "rev": .int(revision.number)]
      do {
        let all = try mixers.peaks(of: revision, in: element.whole, samples, parts: parts)
        guard let all else { return }
        let bytes = all.flatMap { peak in
          [peak.low, peak.high].map { UInt8(bitPattern: Int8(max(-1, min(1, $0)) * 127)) }
        }
        outlet.send(head, bytes, to: request.tab)
      } catch {
        outlet.send(
          ["id": request.id, "error": "failed", "reason": .string("\(error)")], to: request.tab)
      }
    }
    return isTaken ? nil : Refusal("busy")
  }

  // MARK: Exports

  /// Exports one of the scene's own files, or a file with a different file extension, for all or
  /// some frames.
  func export(_ request: Request) -> Refusal? {
    if facts.isReadOnly { return Refusal("read-only", "the preview is read-only") }
    guard let revision = revision(request), let view = registry[revision.view] else { return .gone }
    let model = revision.model
    var frames: Range<Int>?
    if let from = request["from"].int, let to = request["to"].int {
      guard 0 <= from, from < to, to <= model.frameCount else {
        return Refusal("message", "frame range is invalid")
      }
      frames = from..<to
    }
    let output: OutputRequest
    if let number = request["output"].int {
      let own = OutputPlans.names(model, facts.path)
      guard own.indices.contains(number) else {
        return Refusal("none", "unknown output")
      }
      output = own[number]
    } else {
      guard let ending = request["ending"].string, let file = FileFormat(path: "x." + ending),
        !file.isStills, ending.allSatisfy({ $0.isLetter || $0.isNumber })
      else { return Refusal("message", "unsupported file extension") }
      let part = frames.map { "-f\($0.lowerBound)-f\($0.upperBound)" } ?? ""
      output = OutputRequest(path: OutputPlans.base(of: facts.path) + part + "." + ending)
    }
    do throws(Refusal) {
      let order = Exports.Order(
        output: output, frames: frames, check: view.options.check(exports.check, facts.table))
      let job = try exports.start(order)
      outlet.send(
        ["id": request.id, "job": .int(job), "path": .string(output.path)], to: request.tab)
      return nil
    } catch { return error }
  }

  func stop(_ request: Request) -> Refusal? {
    exports.stop(request["job"].int ?? -1)
    outlet.send(["id": request.id], to: request.tab)
    return nil
  }
}
