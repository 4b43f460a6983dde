// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneJSON

/// New elements, which the server writes.
struct Insertion: Sendable {
  enum Content: Sendable {
    /// Copies of elements, inserted after the last of them.
    case duplicates([String])
    /// The copied elements, after an element or at the end of the scene.
    case pasted(after: String?)
    case shape(Shape)
    /// An image by its number in the list of the server.
    case image(Int)
  }

  enum Shape: String, Sendable {
    case rect, circle, ellipse, star, line, arrow, text
  }

  /// The maximum number of elements that can be copied at once.
  static let mostCopies = 64

  let content: Content
  /// The center of a new element in frame pixels.
  let center: Point?

  init(_ json: JSON) throws(Refusal) {
    let at = json["at"].array.compactMap(\.number)
    let isPoint = at.count == 2 && at.allSatisfy { $0.isFinite && abs($0) < 1e6 }
    center = isPoint ? Point(at[0], at[1]) : nil
    let keys = json["keys"].array.compactMap(\.string)
    switch json["insert"].string {
    case "duplicate":
      guard (1...Insertion.mostCopies).contains(keys.count) else {
        throw Refusal("message", "at most \(Insertion.mostCopies) elements can be copied at once")
      }
      content = .duplicates(keys)
    case "paste": content = .pasted(after: json["after"].string)
    case "image":
      guard let number = json["image"].int else {
        throw Refusal("message", "an image requires a number")
      }
      content = .image(number)
    case let word?:
      guard let shape = Shape(rawValue: word) else {
        throw Refusal("message", "unknown element '\(word)'")
      }
      content = .shape(shape)
    default: throw Refusal("message", "unsupported insertion")
    }
  }
}

extension Insertion.Shape {
  /// Returns the element in source syntax for a frame.
  func text(at center: Point, in size: PixelSize) -> String {
    let unit = Double(min(size.width, size.height))
    func whole(_ share: Double) -> Int { max(1, Int((unit * share).rounded())) }
    let (x, y) = (Int(center.x.rounded()), Int(center.y.rounded()))
    let place = "position: (\(x), \(y))"
    let half = whole(0.2)
    let ends = "from: (\(x - half), \(y));  to: (\(x + half), \(y))"
    return switch self {
    case .rect: "rect { \(place);  size: (\(whole(0.4)), \(whole(0.25)));  fill: #4f8cff }"
    case .circle: "circle { \(place);  radius: \(whole(0.15));  fill: #4f8cff }"
    case .ellipse: "ellipse { \(place);  radius: (\(whole(0.2)), \(whole(0.12)));  fill: #4f8cff }"
    case .star: "star { \(place);  radius: \(whole(0.15));  fill: #ffc53d }"
    case .line: "line { \(ends);  stroke: #4f8cff;  stroke-width: \(whole(0.01)) }"
    case .arrow: "arrow { \(ends);  stroke: #4f8cff;  stroke-width: \(whole(0.01)) }"
    case .text: "text \"Text\" { \(place);  font-size: \(whole(0.1));  fill: #4f8cff }"
    }
  }
}
