// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels

/// Seconds of CPU that one request may take.
package struct DecodingLimits: Sendable {
  /// For some frames, and more for each packet that is decoded for them.
  package var pictures = 20.0
  package var picturesEach = 0.5
  /// For some samples, for which a file may have to be read from its start.
  package var sound = 60.0
  /// For an index, which takes more for a large file.
  var index = 20.0
  /// For levels, and more for each.
  package var levels = 20.0
  package var levelsEach = 0.0002

  package init() {}
}

/// Pictures that a cursor is to decode, with the part of the memory for each.
struct PictureFetch {
  let cursor: PictureCursor
  let slots: PictureSlots
  /// Packets that are decoded for it.
  let cost: Int
  /// In rising order.
  let pictures: [(number: Int, slot: Int)]

  // MARK: Cost

  /// The packets that are decoded for a picture when decoding begins anew.
  static func costOfJump(to picture: Int, _ order: PictureOrder) -> Int {
    max(0, Int(order.packets[picture]) - order.key(for: picture)) + 3
  }

  /// The packets that are decoded for a picture from where a cursor is.
  static func cost(from cursor: PictureCursor, to picture: Int, _ order: PictureOrder) -> Int {
    let jump = costOfJump(to: picture, order)
    guard cursor.picture >= 0, cursor.picture < picture else { return jump }
    return min(jump, max(0, Int(order.packets[picture]) - Int(order.packets[cursor.picture])))
  }

  // MARK: Talking

  /// One result for each picture. Not under a lock: the process takes the time that decoding takes.
  func run(_ helper: ClipHelper, _ limits: DecodingLimits) -> [Result<ClipPicture, ClipFault>] {
    let clip = cursor.clip
    var isTimeout = false
    var found: [Result<ClipPicture, ClipFault>] = []
    do throws(AssetFault) {
      let process = try process(helper)
      let limit =
        process.cpuSeconds + limits.pictures + limits.picturesEach * Double(cost)
      guard process.channel.send(PictureRequest(pictures).bytes) else {
        throw .undecodable(process.death.words)
      }
      for (number, slot) in pictures {
        switch process.reply(until: limit) {
        case .success(.done): found.append(.success(ClipPicture(slots, slot: slot)))
        case .success(.refused(let fault)):
          slots.give(slot)
          found.append(.failure(clip.fault(number, fault.words)))
        case .failure(let death):
          if case .time = death { isTimeout = true }
          throw .undecodable(death.words)
        }
      }
    } catch {
      cursor.process = nil
      for (number, slot) in pictures[found.count...] {
        slots.give(slot)
        found.append(.failure(clip.fault(number, error.words, isTimeout: isTimeout)))
      }
    }
    return found
  }

  private func process(_ helper: ClipHelper) throws(AssetFault) -> ClipProcess {
    if let process = cursor.process { return process }
    let index = try Decoder.memoryFile(cursor.clip.bytes)
    defer { close(index) }
    let made = try helper.begin(.pictures, [cursor.clip.file, index, slots.memory.file])
    cursor.process = made
    return made
  }
}

extension AssetFault {
  /// What went wrong, to follow a colon.
  var words: String {
    switch self {
    case .tooLarge(let what), .undecodable(let what), .unreadable(let what): what
    case .notFound, .outsideRoot, .notRegular: "the file cannot be read"
    }
  }
}
