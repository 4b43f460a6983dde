// SPDX-License-Identifier: MIT
package import SceneDiagnostics
import SceneIR
import SceneLanguage
package import SceneModel
import SceneText
import Synchronization

/// All output files of a build: those of the command line with matching settings from the scene, or
/// one for each `output` block of the scene.
package struct OutputPlans {
  package let plans: [OutputPlan]
  /// The `output` blocks of the scene that no file uses.
  package let unused: [OutputSettings]
  /// Notes about files without an `output` block and about unused blocks.
  package let notes: [String]

  /// Creates the plans. `scene` is the path of the scene, from which default file names are
  /// derived.
  package init(_ options: BuildOptions, scene: String, model: SceneModel) throws(PlanError) {
    let blocks = model.outputs
    let shape = FilmShape(model)
    let matches =
      options.outputs.isEmpty
      ? OutputPlans.own(blocks, scene)
      : try OutputPlans.match(options.outputs, blocks, shape: shape)
    var list = PlanList(model, options)
    for match in matches {
      if match.path == "-", StandardOutput.isClosed.load(ordering: .relaxed) {
        throw .call("'-o -' requires standard output, which is closed")
      }
      let plan = try OutputPlan(
        match.path, block: match.block, call: options.settings, shape: shape, track: match.track)
      try list.add(plan, options.outputs.isEmpty ? match.block : nil)
    }
    let videos = list.plans
    for (match, plan) in zip(matches, videos)
    where plan.described != .none && match.block?.described == .both {
      // The same video with the described mix as its only audio track.
      var block = match.block
      block?.described = .mix
      let mix = try OutputPlan(
        DescriptionChoice.described(plan.path), block: block, call: options.settings, shape: shape)
      try list.add(mix.described(beside: plan.path), block)
    }
    if options.hasSidecars {
      for plan in try OutputPlans.sidecars(of: videos, shape) { try list.add(plan) }
    }
    plans = list.plans
    let used = matches.compactMap(\.block)
    unused = blocks.filter { !used.contains($0) }
    notes = OutputPlans.notes(matches, unused) + OutputPlans.notesOfDescriptions(matches, shape)
  }

  private static func notesOfDescriptions(_ matches: [Match], _ shape: FilmShape) -> [String] {
    guard shape.descriptions == nil else { return [] }
    return matches.filter { $0.block.map { $0.described != .none } ?? false && $0.track == nil }
      .map { "'\(visible($0.path))' has no audio description: the scene has no descriptions" }
  }

  private static func notes(_ matches: [Match], _ unused: [OutputSettings]) -> [String] {
    var left = unused
    var notes: [String] = []
    for match in matches where match.block == nil && !left.isEmpty {
      guard let codec = left[0].codec.flatMap(VideoCodec.init), let file = FileFormat(of: codec)
      else { continue }
      let which = left.removeFirst().name.map { "output '\($0)'" } ?? "the output of the scene"
      notes.append(
        "'\(visible(match.path))' is built with default settings: \(which) has 'codec: \(codec.rawValue)', which requires a \(file.ending) file"
      )
    }
    let names = left.map { $0.name.map { "'\($0)'" } ?? "an unnamed output" }
    if !names.isEmpty {
      notes.append(
        "these outputs are not built, since no -o names them: \(names.joined(separator: ", "))")
    }
    return notes
  }

  /// Returns the errors of the files that a scene declares. Blocks without a codec are skipped,
  /// since they can be valid for one file and invalid for another.
  package static func errors(_ options: BuildOptions, scene: String, model: SceneModel)
    -> [Diagnostic]
  {
    own(model.outputs, scene).compactMap { match in
      guard let block = match.block else { return nil }
      if block.codec == nil {
        return model.descriptions.flatMap { DescriptionChoice.missingSound(in: block, $0) }
      }
      do throws(PlanError) {
        _ = try OutputPlan(
          match.path, block: match.block, call: options.settings, shape: FilmShape(model))
      } catch .scene(let failure) {
        return failure
      } catch {}
      return nil
    }
  }

  private struct Match {
    let path: String
    let block: OutputSettings?
    /// The track of a caption file.
    var track: CaptionTrack?
  }

  /// Returns the files that a scene declares, each with the name of its `output` block.
  package static func names(_ model: SceneModel, _ scene: String) -> [OutputRequest] {
    own(model.outputs, scene).map { OutputRequest(name: $0.block?.name, path: $0.path) }
  }

  /// Returns the path of a scene without its file extension, the prefix of its output files.
  package static func base(of scene: String) -> String {
    scene == "-" ? "scene" : scene.hasSuffix(".scene") ? String(scene.dropLast(6)) : scene
  }

  /// Returns the default outputs of a scene: one file for each `output` block, or an MP4 file if
  /// there are none.
  private static func own(_ blocks: [OutputSettings], _ scene: String) -> [Match] {
    let base = base(of: scene)
    if blocks.isEmpty { return [Match(path: base + ".mp4", block: nil)] }
    return blocks.map { block in
      let ending = FileFormat(ofOutput: block.codec).ending
      let name = base + (block.name.map { "-" + $0 } ?? "")
      return Match(path: name + (ending.hasPrefix("%") ? "-" : "") + ending, block: block)
    }
  }

  /// Matches files with `output` blocks. A file with a block name uses that block; any other file
  /// uses the first remaining block that suits its format. A caption file uses the only block.
  private static func match(
    _ asked: [OutputRequest], _ blocks: [OutputSettings], shape: FilmShape
  ) throws(PlanError) -> [Match] {
    let named = Set(asked.compactMap(\.name))
    var left = blocks.filter { block in !(block.name.map(named.contains) ?? false) }
    var matches: [Match] = []
    for request in asked {
      if let name = request.name {
        guard let block = blocks.first(where: { $0.name == name }) else {
          throw unknown(request, named: name, among: blocks)
        }
        matches += try files(of: request, block, shape)
        continue
      }
      // A format without a choice of codecs also accepts the only block, for its size and audio
      // settings.
      let file = FileFormat(path: request.path)
      if file?.isText ?? false {
        // A caption file shares the block of the video that it belongs to.
        matches += try files(of: request, blocks.count == 1 ? blocks[0] : nil, shape)
        continue
      }
      let isOnly = asked.count == 1 && blocks.count == 1
      let takesAny = isOnly && file.map { $0.isPlain || !$0.isDrawn } ?? true
      let index = left.firstIndex { takesAny || $0.fits(file) }
      matches += try files(of: request, index.map { left.remove(at: $0) }, shape)
    }
    return matches
  }

  /// Returns the file of a request, or the caption files for all languages.
  private static func files(
    of request: OutputRequest, _ block: OutputSettings?, _ shape: FilmShape
  ) throws(PlanError) -> [Match] {
    guard let file = FileFormat(path: request.path), file.isText else {
      return [Match(path: request.path, block: block)]
    }
    return try CaptionChoice(file, shape: shape).tracks(for: request).map {
      Match(path: $0.path, block: block, track: $0.1)
    }
  }

  /// Returns the caption files beside the videos of a build.
  private static func sidecars(of plans: [OutputPlan], _ shape: FilmShape)
    throws(PlanError) -> [OutputPlan]
  {
    guard !shape.captions.isEmpty || shape.descriptions != nil else {
      throw .call("'--sidecar' has nothing to write: the scene has no captions or descriptions")
    }
    var sidecars: [OutputPlan] = []
    let choice = CaptionChoice(.vtt, shape: shape)
    for plan in plans where plan.settings.file.isDrawn && !plan.settings.file.isStills {
      guard plan.path != "-" else { continue }
      // The tracks do not depend on the name of the video, which may contain `descriptions`.
      var files: [(path: String, CaptionTrack)] = []
      if !shape.captions.isEmpty {
        files = try choice.captions(for: OutputRequest(path: choice.sidecar(of: plan.path)))
      }
      if let descriptions = shape.descriptions {
        files.append((DescriptionChoice.sidecar(of: plan.path), descriptions.track))
      }
      sidecars += files.map { OutputPlan($0.path, beside: plan, shape: shape, track: $0.1) }
    }
    return sidecars
  }

  private static func unknown(
    _ request: OutputRequest, named name: String, among blocks: [OutputSettings]
  )
    -> PlanError
  {
    let names = blocks.compactMap(\.name)
    let near = nearest(name, in: names).map { "; did you mean '\($0)'? " }
    let known = names.isEmpty ? ". " : "; the outputs are \(names.joined(separator: ", ")). "
    return .call(
      "unknown output '\(name)'" + (near ?? known)
        + "For a file with this name, write -o ./\(name)=\(request.path)")
  }
}

/// The plans of a build, each of which has its own file.
private struct PlanList {
  private(set) var plans: [OutputPlan] = []
  private let model: SceneModel
  private let options: BuildOptions
  /// The indices of the plans by location.
  private var places: [String: Int] = [:]

  init(_ model: SceneModel, _ options: BuildOptions) {
    self.model = model
    self.options = options
  }

  /// Returns whether two caption files have the same content.
  private func haveSameText(_ a: OutputPlan, _ b: OutputPlan) -> Bool {
    a.hasSameTrack(as: b) && a.frames(of: model, options) == b.frames(of: model, options)
  }

  /// Adds a plan. Caption files of several videos are one file if their content is the same.
  /// `block` is the location of the error about two plans with the same file, `nil` for the command
  /// line.
  mutating func add(_ plan: OutputPlan, _ block: OutputSettings? = nil) throws(PlanError) {
    let place = OutputPlace.name(of: plan.path)
    guard let index = places[place] else {
      places[place] = plans.count
      return plans.append(plan)
    }
    let other = plans[index]
    if plan.origin != nil, haveSameText(plan, other) { return }
    var message = "two outputs have the same file '\(visible(plan.path))'"
    if let origin = plan.origin {
      let derived = origin.explanation(of: "it")
      message +=
        other.origin.map { ": \(derived) and from '\(visible($0.video))'" }
        ?? ": -o names it, and \(derived)"
    }
    guard let block else {
      throw .call(message + (plan.origin == nil ? "" : "; rename one of them"))
    }
    let help =
      plan.origin == nil
      ? "name the outputs, as in output small { … }, or name the files with -o"
      : "rename one of them"
    throw .scene(
      Diagnostic(.invalidOutputSetting, message, at: block.span, notes: [Note(help: help)]))
  }
}

extension OutputSettings {
  /// Returns whether the block suits a file format.
  fileprivate func fits(_ file: FileFormat?) -> Bool {
    guard let codec = codec.flatMap(VideoCodec.init), let file else { return true }
    return file == .y4m || file.codecs.contains(codec)
  }
}

/// An output file on the command line.
package struct OutputRequest: Hashable, Sendable {
  /// The name of its `output` block, as in `-o small=intro.mp4`.
  package let name: String?
  /// The path as given; contains `{…}` for several videos.
  package var path: String
  /// Whether `{language}` in the path was replaced by a cell of the table.
  package var hasLanguageColumn = false

  package init(name: String? = nil, path: String) {
    self.name = name
    self.path = path
  }

  package init(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isName =
      parts.count == 2 && parts[0].first?.isLetter == true
      && parts[0].allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) }
    name = isName ? String(parts[0]) : nil
    path = isName ? String(parts[1]) : text
  }
}
