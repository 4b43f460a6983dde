// SPDX-License-Identifier: MIT
import Foundation
import SceneGraphics
import SceneIR
import SceneLibrary
import SceneModel
import SceneTestSupport
import Testing

/// The countable rules of the look of templates.
@Suite("The look", .cpuBudget(seconds: 8)) struct LookTests {
  /// The texts of a frame: families and sizes on the canvas.
  private struct Texts {
    var families: Set<String> = []
    var smallest = Double.infinity

    init(_ ops: [DrawOp]) { visit(ops, scale: 1) }

    private mutating func visit(_ ops: [DrawOp], scale: Double) {
      for op in ops {
        switch op {
        case .text(let block, let paints, _, _):
          for (run, paint) in zip(block.runs, paints)
          where !(paint.fill?.isInvisible ?? true) && run.text.contains(where: { !$0.isWhitespace })
          {
            families.insert(run.font.families[0].replacingOccurrences(of: " Display", with: ""))
            smallest = min(smallest, run.font.size * scale)
          }
        case .transformed(let map, let body): visit(body, scale: scale * map.maximumStretch)
        case .clipped(_, let body), .layer(_, let body), .masked(_, _, let body):
          visit(body, scale: scale)
        case .averaged(let bodies): for body in bodies { visit(body, scale: scale) }
        case .fill, .stroke, .image, .backdrop: break
        }
      }
    }
  }

  private func scene(_ name: String) throws -> (Folder, ExampleScene) {
    let template = try #require(Templates.named(name))
    let folder = try Folder()
    for file in template.files {
      try Data(file.bytes).write(to: URL(fileURLWithPath: folder.path + "/" + file.name))
    }
    try Data(template.scene).write(to: URL(fileURLWithPath: folder.path + "/mine.scene"))
    return (folder, try ExampleScene(folder.path + "/mine.scene"))
  }

  @Test(arguments: Templates.all.map(\.name))
  func templatesKeepTheHouseRules(_ name: String) throws {
    let (folder, scene) = try scene(name)
    withExtendedLifetime(folder) {
      let programs = scene.programs()
      var families: Set<String> = []
      var (still, longest) = (0, 0)
      for (index, program) in programs.enumerated() {
        let texts = Texts(program.ops)
        families.formUnion(texts.families)
        #expect(texts.smallest >= 30, "frame \(index) has a text of \(texts.smallest) px")
        still = index > 0 && program == programs[index - 1] ? still + 1 : 0
        longest = max(longest, still)
      }
      #expect(families.count <= 2, "\(families)")
      // No interval longer than 1.5 s is entirely still.
      let second = Double(programs.count) / scene.model.duration.seconds
      #expect(Double(longest) <= 1.5 * second, "\(longest) equal frames")
      // Each third shows something, and the end differs from the middle.
      for third in 0..<3 { #expect(!programs[(2 * third + 1) * programs.count / 6].ops.isEmpty) }
    }
  }
}
