// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText
import SceneTypes

// The tempo of scenes, for the unit `beat`, and of sounds.
extension Checker {
  /// Returns the tempo of a scene in beats per minute. Its expression may refer to the tempo of a
  /// sound.
  func tempo(of scene: ElementNode) -> Double {
    if let known = scene.tempo { return known }
    var tempo = 120.0
    for case .property(let property) in scene.syntax.items where property.name.text == "tempo" {
      let context = context(of: scene, now: now).with { $0.constantFor = "'tempo'" }
      let span = property.value.span
      tempo =
        step(.property(scene.id, .tempo), "'tempo'", at: span) {
          readTempo(evaluate(property.value, context), span)
        } ?? 120
    }
    scene.tempo = tempo
    return tempo
  }

  private func readTempo(_ value: Value, _ span: SourceSpan) -> Double {
    guard let number = asNumber(value, span)?.constantValue else { return 120 }
    guard number >= 1, number <= 1000 else {
      _ = report(
        .outOfRange, "the tempo is \(NumberFormat().text(number))", at: span,
        label: "expected 1 to 1000 beats per minute")
      return 120
    }
    return number
  }

  /// Returns the tempo of a sound during playback in beats per minute. It is proportional to the
  /// speed.
  func heardTempo(of i: ElementNode, _ span: SourceSpan) throws(Reported) -> Double {
    guard i.properties[.time] == nil else {
      throw report(
        Diagnostic(
          .outOfRange, "the tempo of a sound with 'time' is unknown", at: span))
    }
    guard let factor = (speed(of: i)?.0 ?? .one).constantValue else {
      throw report(
        Diagnostic(
          .outOfRange, "the tempo of a sound whose 'speed' changes is unknown", at: span))
    }
    // A placeholder has a usual tempo, since expressions may divide by the tempo.
    if footage(of: i)?.isPlaceholder == true { return 120 }
    return try beats(of: i, span).tempo * abs(factor)
  }

  /// Returns the beats of an element's audio. Warns if it has no steady beat.
  func beats(of i: ElementNode, _ span: SourceSpan) throws(Reported) -> Beats {
    let beats = Beats(onsets: try levels(of: i, .onsets, span))
    if beats.confidence < Beats.leastConfidence, let clip = footage(of: i), !clip.isPlaceholder {
      report(
        Diagnostic(
          .noBeat, "'\(clip.path)' has no steady beat", at: span,
          label: beats.times.isEmpty ? "no beats found" : "the beats are estimated"))
    }
    return beats
  }

  /// Returns a measurement of an element's audio. Reports an element without audio.
  func levels(of i: ElementNode, _ measure: SoundMeasure, _ span: SourceSpan) throws(Reported)
    -> [Float]
  {
    guard let clip = footage(of: i) else { throw reports.expected(span) }
    guard let sound = clip.info.sound else {
      throw report(
        Diagnostic(
          .noSound, "'\(clip.path)' has no audio track", at: span, label: "video only"))
    }
    let key = LevelsKey(path: clip.path, measure: measure)
    if let known = measured[key] { return known }
    if let length = clip.placeholder {
      // Silence, without onsets.
      let count = Int(Double(length.rawValue) / Checker.levelTicks)
      guard spend(count / 10, span) else { throw reports.expected(span) }
      let silence = [Float](repeating: measure == .onsets ? 0 : -100, count: count)
      measured[key] = silence
      return silence
    }
    guard spend(steps(of: measure, sound, clip.path), span) else { throw reports.expected(span) }
    do throws(AssetError) {
      let made = try assets.levels(clip.path, measure)
      measured[key] = made
      return made
    } catch {
      throw report(assetError(error, clip.path, at: span, kind: ""))
    }
  }

  /// Returns the additional work of a measurement. The first pass over a file is not counted, since
  /// it is proportional to the file.
  private func steps(of measure: SoundMeasure, _ sound: ClipSound, _ path: String) -> Int {
    guard case .band(let low, let high) = measure else { return 0 }
    if sound.hasSpectra {
      let bins = SpectrumShape(rate: sound.rate).bins(low: low, high: high)
      return Checker.stepsOfBand + sound.levelCount * bins.count / 150
    }
    // Each band requires a pass.
    let isMany = measured.keys.count { $0.path == path } >= Checker.uncountedPasses
    return isMany ? sound.levelCount * Checker.stepsOfPass : 0
  }

  struct LevelsKey: Hashable {
    let path: String
    let measure: SoundMeasure
  }
}
