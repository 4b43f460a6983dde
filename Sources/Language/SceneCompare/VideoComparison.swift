// SPDX-License-Identifier: MIT
package import SceneModel
package import SceneText

/// The differences between two versions of a scene.
package struct VideoComparison: Sendable {
  /// A setting of the scene that applies to all frames, or to the file.
  package struct Setting: Hashable, Sendable {
    package let name: String
    package let old: String
    package let new: String
  }

  /// A property with different values.
  package struct Change: Hashable, Sendable {
    package let property: String
    package let old: String?
    package let new: String?
    /// Whether the value varies with time and is written in the same way in both versions, so that
    /// only its time differs.
    var followsTime = false

    /// Whether only quoted texts in the value differ, such as the names of files.
    var isRename: Bool {
      guard let old, let new, old != new else { return false }
      func parts(_ text: String) -> [Substring] {
        text.split(separator: "\"", omittingEmptySubsequences: false)
      }
      let (a, b) = (parts(old), parts(new))
      // Every second part is between quotation marks.
      return a.count == b.count
        && zip(a, b).enumerated().allSatisfy { $0 % 2 == 1 || $1.0 == $1.1 }
    }

    /// Whether the change concerns the time of the element and its children.
    var isTiming: Bool { ["at", "for", "until", "lifetime", "speed"].contains(property) }
  }

  /// An element that causes differences.
  package struct ElementChange: Hashable, Sendable {
    /// The kind of difference.
    package enum Kind: String, Hashable, Sendable, Encodable {
      case added, removed, changed
    }

    package let kind: Kind
    /// The names of the named ancestors and the element, or its kind without a name.
    package let path: String
    /// The head of the element in each version; `nil` where it does not exist.
    package let old: SourceSpan?
    package let new: SourceSpan?
    package let changes: [Change]
  }

  /// Consecutive frames that differ. Frames of the old version were removed if `new` is empty, and
  /// frames of the new version were added if `old` is empty.
  package struct Range: Sendable {
    package let old: Swift.Range<Int>
    package let new: Swift.Range<Int>
    /// The number of frames that differ; those between them may be equal.
    package let differingCount: Int
    package internal(set) var elements: [ElementChange]
  }

  /// Equal frames at a different position.
  package struct Move: Hashable, Sendable {
    package let old: Swift.Range<Int>
    package let new: Swift.Range<Int>
  }

  /// A difference of the sound.
  package struct SoundChange: Sendable {
    package let start: Ticks
    package let end: Ticks
    package let element: ElementChange
  }

  package let settings: [Setting]
  package let ranges: [Range]
  /// The number of ranges at the end whose causes are unknown because of a limit.
  package let unexaminedCount: Int
  package let moves: [Move]
  package let sound: [SoundChange]
  /// The elements in both versions whose alternative texts differ.
  package let alternatives: [ElementChange]
  package let oldFrameCount: Int
  package let newFrameCount: Int

  /// Whether both versions have the same frames, the same sound, the same settings and the same
  /// alternative texts.
  package var isEqual: Bool {
    settings.isEmpty && ranges.isEmpty && moves.isEmpty && sound.isEmpty && alternatives.isEmpty
  }

  package var differingCount: Int { ranges.reduce(0) { $0 + $1.differingCount } }
}
