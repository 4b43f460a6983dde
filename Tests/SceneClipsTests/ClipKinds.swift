// SPDX-License-Identifier: MIT
import Foundation
import SceneTestSupport

/// A kind of clip: what ffmpeg makes it with from pictures that carry their number.
struct ClipKind: CustomStringConvertible, Sendable {
  let name: String
  /// Options of the encoder and the container.
  let options: String
  /// Pictures a second.
  var rate = "30"
  var count = 90
  /// More of the graph that makes the pictures, and of what is done with the file then.
  var filter = ""
  var then: String?
  var description: String { name }

  init(
    _ name: String, _ options: String, rate: String = "30", count: Int = 90, filter: String = "",
    then: String? = nil
  ) {
    self.name = name
    self.options = options
    self.rate = rate
    self.count = count
    self.filter = filter
    self.then = then
  }

  static let width = 160
  static let height = 96

  /// Sixteen squares of 10x12 in the lowest rows, white for the ones of the number, before a picture
  /// that moves.
  private var graph: String {
    let bits = "floor(N/pow(2\\,floor(X/10)))"
    return "testsrc2=s=160x96:r=\(rate),"
      + "geq=lum='if(gte(Y\\,84)\\,16+219*mod(\(bits)\\,2)\\,lum(X\\,Y))'"
      + ":cb='if(gte(Y\\,84)\\,128\\,cb(X\\,Y))':cr='if(gte(Y\\,84)\\,128\\,cr(X\\,Y))'"
      + filter
  }

  /// Makes the clip in a folder; answers its path.
  func make(in folder: String) throws -> String {
    let path = folder + "/" + name
    let first = then == nil ? name : "first-" + name
    let command =
      "ffmpeg -v error -y -f lavfi -i \"\(graph)\" -frames:v \(count) \(options) '\(first)'"
      + (then.map { " && ffmpeg -v error -y \($0.replacing("IN", with: first)) '\(name)'" } ?? "")
    let run = try Program.run(["/bin/sh", "-c", command], in: folder)
    guard run.status == 0 else { throw ClipKindFault(description: "\(name): \(run.errors)") }
    return path
  }
}

struct ClipKindFault: Error, CustomStringConvertible { let description: String }
