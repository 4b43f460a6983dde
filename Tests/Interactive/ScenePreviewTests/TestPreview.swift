// SPDX-License-Identifier: MIT
import Foundation
import SceneCLI
import SceneOutput
import SceneJSON
import ScenePreview
import SceneSession
import SceneTestSupport
import Testing

/// A preview of a scene in a separate folder.
final class TestPreview {
  static let token = "0123456789abcdef0123456789abcdef"

  let folder: Folder
  let path: String
  let preview: Preview
  let port: Int
  var token: String { TestPreview.token }

  convenience init(_ source: String, isReadOnly: Bool = false) throws {
    let folder = try Folder()
    try self.init(at: try folder.write("a.scene", source), in: folder, isReadOnly: isReadOnly)
  }

  /// Creates a preview of an existing scene.
  init(
    at path: String, in folder: Folder? = nil, isReadOnly: Bool = false, link: EditorLink? = nil,
    report: Preview.Report = Preview.Report()
  ) throws {
    self.folder = try folder ?? Folder()
    self.path = path
    let load = LoadOptions()
    var reader = OptionReader(try Invocation(["watch", path]))
    var call = Preview.Call(
      path: path, load: load, check: load.check, build: BuildOptions(&reader), .never)
    call.isReadOnly = isReadOnly
    call.link = link
    call.report = report
    var made: (Preview, Int)?
    // Tests run in parallel, so a port may be in use.
    for _ in 0..<50 where made == nil {
      let port = Int.random(in: 20_000..<60_000)
      made = Preview(call, port: port, token: TestPreview.token).map { ($0, port) }
    }
    (preview, port) = try #require(made)
  }

  deinit { preview.end() }

  /// Returns a tab that has received the first revision.
  func tab() throws -> RawClient {
    let client = try RawClient(port: port)
    #expect(client.openSocket(port, token))
    #expect(client.text { ["rev", "broken"].contains($0["event"].string ?? "") } != nil)
    return client
  }

  func write(_ source: String) throws {
    try source.write(toFile: path, atomically: false, encoding: .utf8)
  }
}
