// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneLanguage
import SceneModel
import SceneSyntax
import SceneText

/// The file `project.scene` with the settings that all scenes below its folder share.
package struct ProjectFile: Sendable {
  package static let name = "project.scene"

  /// The path relative to the folder of the scene, such as `../project.scene`.
  let path: String
  /// The name in messages.
  let name: String
  /// The content, or `nil` if the project file is the file to check itself.
  let bytes: [UInt8]?
  /// Whether `root` does not name a folder inside the folder of the project.
  let lacksRoot: Bool
  /// The limits that are not applied, since they exceed the defaults and the project is not
  /// trusted.
  package var refusedLimits: Set<String> = []

  package init(path: String, name: String, bytes: [UInt8]?, lacksRoot: Bool = false) {
    self.path = path
    self.name = name
    self.bytes = bytes
    self.lacksRoot = lacksRoot
  }
}

// The settings of projects.
extension Checker {
  /// Loads the project of the file to build, before the file itself.
  func loadProject(of parsed: Parsed) {
    guard let file = options.project, let root = files.root else { return }
    guard let bytes = file.bytes else {
      projectSyntax = ProjectSyntax(parsed.tree)
      return
    }
    project = read(bytes, path: file.path, called: file.name, at: root.span(0, 0))
    projectSyntax = project?.projects.first.map(ProjectSyntax.init)
  }

  /// Returns the value of a param that the project sets; `nil` if it sets none.
  func sharedValue(of param: Name) -> Expression? {
    projectSyntax?.params.first { $0.name?.identifier == param.identifier }?.value
  }

  /// Returns the outputs of the project for a scene that declares none.
  func sharedOutputs(for scene: ElementNode) -> [OutputSettings] {
    guard let project, let syntax = projectSyntax else { return [] }
    let scope = ownerScope(in: project.scope)
    let node = ElementNode(
      kind: .project, syntax: syntax.element, parent: scene, scope: scope, definition: nil,
      id: newInstance())
    scope.instance = node
    elaborate(node)
    return outputs(of: node)
  }

  private func newInstance() -> Int {
    instanceCount += 1
    return instanceCount
  }

  // MARK: Errors

  /// Reports the errors of a project: of the one that applies to the file, or of the file itself.
  func checkProject(of module: Module) {
    if options.project?.bytes == nil, projectSyntax != nil { project = module }
    for other in files.modules where other !== project {
      for syntax in other.projects {
        report(
          Diagnostic(
            .misplacedDeclaration, "'project' must be in a file named '\(ProjectFile.name)'",
            at: syntax.headSpan))
      }
    }
    guard let project, let syntax = projectSyntax else { return }
    for other in project.projects.dropFirst() {
      report(
        Diagnostic(
          .nameTwice, "the file declares two projects", at: other.headSpan,
          label: "move its settings into the first",
          notes: [Note("first declared here", at: project.projects[0].headSpan)]))
    }
    for item in syntax.element.items {
      switch item {
      case .forItem, .ifItem:
        _ = report(
          .misplacedElement, "a project cannot contain loops or conditions",
          at: Checker.span(of: item) ?? syntax.element.headSpan)
      default: break
      }
    }
    checkRoot(syntax)
    checkFields(.params, of: syntax, example: "(accent: teal)")
    checkFields(.limits, of: syntax, example: "(elements: 20_000)")
    checkLimits(syntax)
    loadFonts(of: syntax, in: project)
    // Otherwise, the outputs are evaluated for each scene.
    if project === module, module.scenes.isEmpty {
      let scene = fileContext().owner
      fileScope = module.scope
      _ = sharedOutputs(for: scene)
    }
  }

  /// Reports a value that is not a record, and fields with equal names.
  private func checkFields(_ property: Property, of syntax: ProjectSyntax, example: String) {
    guard let value = syntax.value(of: property.name) else { return }
    guard let fields = value.fields else {
      _ = report(
        .notConstant, "'\(property.name)' must be a literal record", at: value.span,
        help: "write names with values, such as \(example)")
      return
    }
    var first: [Identifier: SourceSpan] = [:]
    for name in fields.compactMap(\.name) {
      guard let before = first.updateValue(name.span, forKey: name.identifier) else { continue }
      report(
        Diagnostic(
          .propertyTwice, "duplicate field '\(name.text)'", at: name.span,
          label: "remove one of them", notes: [Note("first set here", at: before)]))
    }
  }

  private func checkRoot(_ syntax: ProjectSyntax) {
    guard let root = syntax.root else { return }
    guard let text = root.literalText else {
      _ = report(
        .notConstant, "'root' must be a literal text", at: root.span,
        help: "write a folder such as \"videos\"")
      return
    }
    if text.hasPrefix("/") || ModuleGraph.isOutside(text) {
      _ = report(
        .outsideRoot, "the root '\(visible(text))' is outside the folder of the project",
        at: root.span, help: "move '\(ProjectFile.name)' into the folder that contains all files")
    } else if options.project?.lacksRoot == true {
      report(
        Diagnostic(.fileNotFound, "folder '\(visible(text))' not found", at: root.span)
          .labelled("expected a folder inside that of '\(ProjectFile.name)'"))
    }
  }

  private func checkLimits(_ syntax: ProjectSyntax) {
    for field in syntax.limits {
      guard let name = field.name else { continue }
      guard Limits.names.contains(name.text) else {
        report(
          Diagnostic(.unknownName, "unknown limit '\(name.text)'", at: name.span)
            .noting("the limits are \(Limits.names.joined(separator: ", "))")
            .suggesting(nearestTo: name.text, in: Limits.names))
        continue
      }
      guard let value = field.value.literalNumber else {
        _ = report(
          .notConstant, "the limit '\(name.text)' must be a literal number of at least 0",
          at: field.value.span)
        continue
      }
      if let most = Limits.most(name.text), value > most {
        _ = report(
          .outOfRange, "the limit '\(name.text)' can be at most \(NumberFormat().text(most))",
          at: field.value.span)
      }
    }
  }

  /// Makes the families of the project's font files available.
  private func loadFonts(of syntax: ProjectSyntax, in project: Module) {
    for case .property(let property) in syntax.element.items where property.name.text == "fonts" {
      let items: [Expression]
      if case .list(let all) = property.value.kind { items = all } else { items = [property.value] }
      for item in items {
        guard let text = item.literalText else {
          _ = report(
            .notConstant, "the name of a font file must be a literal text", at: item.span)
          continue
        }
        let pattern = project.folder + text
        let found = text.contains("*") ? assets.files(matching: pattern) : [pattern]
        if found.isEmpty {
          report(
            Diagnostic(.fileNotFound, "no file matches '\(visible(text))'", at: item.span))
        }
        for path in found {
          _ = fontFamily(ofFile: path, called: found.count == 1 ? text : path, at: item.span)
        }
      }
    }
  }
}

extension Diagnostic {
  /// Returns an exceeded limit with a note, if the project raises the limit but is not trusted.
  func explaining(refused: Set<String>) -> Diagnostic {
    guard [.limitExceeded, .invalidFrameRate].contains(code),
      let name = refused.sorted().first(where: { label.hasPrefix("exceeds the limit '\($0)'") })
    else { return self }
    var it = self
    it.notes.append(
      Note(
        help:
          "'\(ProjectFile.name)' raises the limit '\(name)'; if you trust it, pass --trust-project")
    )
    return it
  }
}
