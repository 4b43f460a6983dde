// SPDX-License-Identifier: MIT
package import CAV
package import SceneSystem

// The serialization of packets: numbers, side data and content.

extension Packet {
  /// Appends the packet in serialized form.
  package func append(to out: inout [UInt8]) {
    let parts = sideParts
    out += message([
      Int(self.pts), Int(self.dts), Int(self.duration), Int(self.flags), Int(self.size),
      parts.count,
    ])
    for (kind, content) in parts { out += message([Int(kind), content.count]) + content }
    withBytes { content in unsafe content.withUnsafeBytes { unsafe out.append(contentsOf: $0) } }
  }

  /// The presentation timestamp in the time base of the encoder.
  package var time: Int { Int(self.pts) }

  /// The encoded data.
  package var content: [UInt8] { withBytes { $0.array } }

  /// The side data, such as the encoded alpha of a frame.
  private var sideParts: [(kind: UInt32, content: [UInt8])] {
    (0..<Int(self.side_data_elems)).map { number in
      let part = unsafe pointer.pointee.side_data[number]
      return unsafe (
        part.type.rawValue, Array(UnsafeBufferPointer(start: part.data, count: Int(part.size)))
      )
    }
  }

  /// Deserializes the next packet; returns `nil` for invalid data.
  package convenience init?(_ reader: inout MessageReader) throws(VideoError) {
    try self.init()
    self.pts = Int64(reader.number())
    self.dts = Int64(reader.number())
    self.duration = Int64(reader.number())
    self.flags = Int32(truncatingIfNeeded: reader.number())
    let size = reader.number()
    for _ in 0..<min(64, max(0, reader.number())) {
      let kind = AVPacketSideDataType(UInt32(truncatingIfNeeded: reader.number()))
      guard let content = reader.bytes(reader.number()) else { return nil }
      try add(Array(content), as: kind)
    }
    guard let content = reader.bytes(size) else { return nil }
    try fill(Array(content))
  }

  /// Adds side data.
  package func add(_ content: [UInt8], as kind: AVPacketSideDataType) throws(VideoError) {
    guard let place = unsafe av_packet_new_side_data(pointer, kind, content.count) else {
      throw VideoError("allocate a packet", scene_averror(ENOMEM))
    }
    for (at, byte) in content.enumerated() { unsafe place[at] = byte }
  }

  /// Sets the content. Empty content leaves the packet without data, since an encoder may output
  /// side data only.
  package func fill(_ content: [UInt8]) throws(VideoError) {
    let status = unsafe scene_fill_packet(pointer, content, Int32(clamping: content.count))
    if status < 0 { throw VideoError("allocate a packet", status) }
  }
}
