// SPDX-License-Identifier: MIT
import SceneBuild
import SceneCLI
import SceneCheck
import SceneDiagnostics
import SceneFiles
import SceneGraphics
import SceneLint
import SceneModel
import SceneOutput
import SceneRaster
import SceneSession
import SceneText

/// The test of one scene file: of all its scenes, rows of data, and layouts.
struct TestRun {
  let path: String
  let load: LoadOptions
  /// The text that the names of the tested expectations must contain; `nil` for all.
  let filter: String?
  let session: Session
  let interruption: Interruption
  /// Whether golden frames replace their stored images.
  let accepts: Bool
  /// Whether stored images that no expectation names are failures.
  let isAutomatic: Bool

  func file() -> TestedFile {
    var file = TestedFile(path: path)
    do {
      let outline = try FileOutline(path)
      if outline.scenes.isEmpty, load.check.sceneName == nil, outline.hasExpectations {
        file.note = "a library; its expectations are proven where a scene uses it"
      }
      let names = names(in: outline)
      file.hasScenes = names.count > 1
      for name in names {
        for request in try load.requests(for: path) {
          var check = request.check
          check.sceneName = name ?? check.sceneName
          check.leavesExpectations = true
          // A library is checked for errors only.
          if outline.scenes.isEmpty { check.purpose = .check }
          try test(check, row: request.row, into: &file)
          guard file.errors.diagnostics.isEmpty else { return file }
        }
      }
      if file.cases.isEmpty, file.note == nil {
        file.note = filter == nil ? "no expectations" : "no expectation matches '--filter'"
      }
    } catch let error as FileError {
      file.error = error
    } catch let error as CallError {
      file.error = FileError(error.message)
    } catch let error as DrawingError {
      file.error = FileError(error.message)
    } catch {
      file.error = FileError("\(error)")
    }
    return file
  }

  /// Returns the names of the scenes to test; `nil` stands for the default scene of the file.
  private func names(in outline: FileOutline) -> [String?] {
    guard load.check.sceneName == nil, !outline.scenes.isEmpty else { return [nil] }
    return outline.scenes.dropLast().filter { $0 != "scene" } + [nil]
  }

  private func test(_ check: CheckOptions, row: DataRows.Row?, into file: inout TestedFile) throws {
    let scene = try session.begin(path, check).scene.asBuilt
    guard let model = scene.model else {
      if scene.isWrong {
        file.errors = (scene.diagnostics, scene.sources)
      }
      return
    }
    try prove(model, of: scene, row: row, variant: nil, into: &file)
    for variant in model.variants {
      let other = try session.begin(path, check.evaluating(variant, of: model)).scene.asBuilt
      guard let laidOut = other.model else {
        file.errors = (other.diagnostics, other.sources)
        return
      }
      try prove(
        laidOut, of: other, row: row, variant: variant.description(beside: model), into: &file)
    }
  }

  private func prove(
    _ model: SceneModel, of scene: LoadedScene, row: DataRows.Row?, variant: String?,
    into file: inout TestedFile
  ) throws {
    guard !model.expectations.list.isEmpty else { return }
    let measures = FilmMeasures(scene, model) {
      if interruption.caught != 0 { throw ReportedError(code: .interrupted) }
    }
    let media: (Measurement) -> Prover.MediaValue = { measurement in
      do {
        guard let value = try measures.value(of: measurement) else {
          return .unavailable("the scene has no sound")
        }
        return .value(value)
      } catch let error as DrawingError {
        return .unavailable(error.message)
      } catch let error as FileError {
        return .unavailable(error.message)
      } catch {
        return .unavailable("the frames or the mix cannot be rendered")
      }
    }
    var prover = Prover(
      model, metrics: scene.metrics, budget: Prover.budgetOfTest, media: media,
      isCancelled: { interruption.caught != 0 })
    let proofs = prover.proofs { expectation in
      filter.map { (expectation.name ?? "").contains($0) } ?? true
    }
    var details = row.map { ["row \($0.number)"] } ?? []
    if let variant { details.append(variant) }
    var goldens: GoldenFrames?
    for proof in proofs {
      var it = TestCase(
        proof, sources: scene.sources,
        details: (file.hasScenes ? [model.name ?? "scene"] : []) + details)
      if !proof.expectation.goldens.isEmpty {
        if goldens == nil {
          goldens = try GoldenFrames(scene, model, details: details, accepts: accepts)
        }
        try goldens?.compare(proof.expectation, adding: &it)
      }
      file.cases.append(it)
    }
    guard var goldens else { return }
    file.acceptedCount += goldens.acceptedCount
    let stale = filter == nil ? try goldens.finish() : []
    guard let first = stale.first else { return }
    let names = stale.map { "'\($0)'" }.joined(separator: ", ")
    let message =
      "no expectation names the stored \(stale.count == 1 ? "image" : "images") \(names)"
    guard isAutomatic else {
      file.note = "\(message); 'scenec test --accept' deletes \(stale.count == 1 ? "it" : "them")"
      return
    }
    file.cases.append(
      TestCase(stale: first, message: message, at: model.places.scene, sources: scene.sources))
  }
}

extension GoldenFrames {
  /// Compares the golden frames of an expectation, and adds the differences to its result.
  fileprivate mutating func compare(
    _ expectation: ExpectationModel, adding it: inout TestCase
  ) throws {
    for golden in expectation.goldens {
      let count = differences.count
      guard let warning = try diagnostic(about: golden, tolerance: expectation.tolerance) else {
        continue
      }
      it.fail(warning, differences.dropFirst(count).first)
    }
  }
}
