// SPDX-License-Identifier: MIT
import SceneIR

// Estimates of the time that the texts and paths of a program take per frame, in nanoseconds. All
// other nodes take a few nanoseconds each.

extension Program {
  private static let perPlace = 10_000.0
  private static let perMeasuredPoint = 2000.0

  /// The cost of the nodes that read variable texts and paths.
  package var work: Double {
    var work = 0.0
    var seenTexts: Set<Int32> = []
    var seenPaths: Set<Int32> = []
    var matched: Set<PathPair> = []
    for node in nodes {
      switch node.operation {
      case .textExtent:
        guard seenTexts.insert(node.index / 4).inserted else { continue }
        work += texts[Int(node.index / 4)].text.work
      case .pathBox, .pathPoint:
        if node.operation == .pathPoint { work += Program.perPlace }
        guard seenPaths.insert(node.index / 4).inserted else { continue }
        let path = paths[Int(node.index / 4)]
        // A constant path is measured only once.
        if path.isConstant { continue }
        work += path.work(&matched)
        work += Double(path.size(atMost: 1_000_000)) * Program.perMeasuredPoint
      default: break
      }
    }
    return work
  }
}

extension TextModel {
  private static let perLetter = 4000.0

  /// The cost of the layout; a text that is fitted to a box is laid out several times.
  package var work: Double {
    Double(letterCount) * TextModel.perLetter
      * (maxLines == nil && fitWidth == nil && wrap == .auto ? 1 : 8)
  }
}

extension PathModel {
  private static let perMatchedPoint = 66_000.0
  private static let perDerivedPoint = 3000.0
  private static let perLetterOnPath = 100_000.0

  /// Returns the cost of matching paths, except for the pairs already in `matched`.
  package func work(_ matched: inout Set<PathPair>) -> Double {
    segments.reduce(0) { work, segment in
      switch segment {
      case .morph(let a, let b, _):
        guard matched.insert(PathPair(a, b)).inserted else { return work }
        let count = a.size(atMost: 1_000_000) + b.size(atMost: 1_000_000)
        return work + Double(count) * PathModel.perMatchedPoint + a.work(&matched)
          + b.work(&matched)
      case .choice(_, let a, let b): return work + a.work(&matched) + b.work(&matched)
      case .mapped(_, let inner), .projected(_, let inner), .outline(.path(let inner)):
        return work + inner.work(&matched)
      case .link(let link):
        return [link.from, link.to].reduce(work) { work, end in
          if case .outline(let path, _) = end { work + path.work(&matched) } else { work }
        }
      case .letters(let it):
        return work + it.path.work(&matched) + it.text.work
          + Double(it.text.letterCount + 1) * PathModel.perLetterOnPath
      case .derived(let it):
        let count = PathModel([segment]).size(atMost: 1_000_000)
        return it.paths.reduce(work + Double(count) * PathModel.perDerivedPoint) {
          $0 + $1.work(&matched)
        }
      default: return work
      }
    }
  }
}
