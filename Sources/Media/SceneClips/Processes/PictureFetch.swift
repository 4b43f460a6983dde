// SPDX-License-Identifier: MIT
import CLinux
import SceneModel
import ScenePixels

/// The CPU limits per request, in seconds.
package struct DecodingLimits: Sendable {
  /// The base limit for frames, and the addition per decoded packet.
  package var pictures = 20.0
  package var picturesEach = 0.5
  /// The limit for audio samples, which may require reading the file from its start.
  package var sound = 60.0
  /// The base limit for an index; large files have a higher limit.
  var index = 20.0
  /// The base limit for levels, and the addition per level.
  package var levels = 20.0
  package var levelsEach = 0.0002

  package init() {}
}

/// The frames that a cursor fetches, each with its memory slot.
struct PictureFetch {
  let cursor: PictureCursor
  let slots: PictureSlots
  /// The number of packets to decode.
  let cost: Int
  /// The frames in ascending order.
  let pictures: [(number: Int, slot: Int)]

  // MARK: Cost

  /// Returns the number of packets to decode for a frame after a seek.
  static func costOfJump(to picture: Int, _ order: PictureOrder) -> Int {
    max(0, Int(order.packets[picture]) - order.key(for: picture)) + 3
  }

  /// Returns the number of packets to decode for a frame from the position of a cursor.
  static func cost(from cursor: PictureCursor, to picture: Int, _ order: PictureOrder) -> Int {
    let jump = costOfJump(to: picture, order)
    guard cursor.picture >= 0, cursor.picture < picture else { return jump }
    return min(jump, max(0, Int(order.packets[picture]) - Int(order.packets[cursor.picture])))
  }

  // MARK: Communication

  /// Fetches the frames and returns a result for each. Must not run under a lock, since it waits
  /// for the decoder.
  func run(_ helper: ClipHelper, _ limits: DecodingLimits) -> [Result<ClipPicture, ClipError>] {
    let clip = cursor.clip
    var isTimeout = false
    var found: [Result<ClipPicture, ClipError>] = []
    do throws(AssetError) {
      let process = try process(helper)
      let limit =
        process.cpuSeconds + limits.pictures + limits.picturesEach * Double(cost)
      guard process.channel.send(PictureRequest(pictures).bytes) else {
        throw .undecodable(process.death.words)
      }
      for (number, slot) in pictures {
        switch process.reply(until: limit) {
        case .success(.done), .success(.damaged):
          found.append(.success(ClipPicture(slots, slot: slot)))
        case .success(.refused(let failure)):
          slots.give(slot)
          found.append(.failure(clip.failure(number, failure.reason)))
        case .failure(let death):
          if case .time = death { isTimeout = true }
          throw .undecodable(death.words)
        }
      }
    } catch {
      cursor.process = nil
      for (number, slot) in pictures[found.count...] {
        slots.give(slot)
        found.append(.failure(clip.failure(number, error.reason, isTimeout: isTimeout)))
      }
    }
    return found
  }

  private func process(_ helper: ClipHelper) throws(AssetError) -> ClipProcess {
    if let process = cursor.process { return process }
    let index = try Decoder.memoryFile(cursor.clip.bytes)
    defer { close(index) }
    let made = try helper.begin(.pictures, [cursor.clip.file, index, slots.memory.file])
    cursor.process = made
    return made
  }
}
