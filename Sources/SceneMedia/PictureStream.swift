// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneModel

/// One demuxer and one decoder for the pictures of a clip.
final class PictureStream {
  private let track: ClipIndex.PictureTrack
  let demuxer: Demuxer
  let decoder: DecodingContext
  let packet: Packet
  private let frame: Frame
  /// Whether `packet` has been read and is still to go in.
  var isHolding = false
  /// Whether the decoder has been told that no packet follows.
  private(set) var isDraining = false

  /// At the start of the file. `reordering` is how many pictures the decoder waits for at least
  /// before it gives the first.
  init(_ store: FileStore, _ track: ClipIndex.PictureTrack, reordering: Int32 = 0)
    throws(AssetFault)
  {
    self.track = track
    let demuxer = try ClipIndexer.open(store)
    guard track.stream < Int(demuxer.nb_streams) else { throw .undecodable("the file has changed") }
    demuxer.choose([track.stream])
    let name = Codecs.pictureDecoder(track.codec, hasAlpha: track.format.hasAlpha) ?? ""
    let decoder = try makeDecoder(track.codec) { () throws(VideoFault) in
      try DecodingContext(
        decoder: name, of: track.stream, in: demuxer, reordering: reordering)
    }
    (self.demuxer, self.decoder) = (demuxer, decoder)
    packet = try make { () throws(VideoFault) in try Packet() }
    frame = try make { () throws(VideoFault) in try Frame() }
  }

  /// The next packet of the track, in `packet`; `false` at the end.
  func read() -> Bool {
    packet.clear()
    while demuxer.read(packet) >= 0 {
      if Int(packet.stream_index) == track.stream { return true }
      packet.clear()
    }
    return false
  }

  /// The next picture that comes out, which lasts until the next call; `nil` at the end. `prepare`
  /// changes a packet before it goes in, and answers `false` for one that does not belong there.
  func next(_ prepare: (Packet) -> Bool = { _ in true }) throws(AssetFault) -> Frame? {
    while true {
      let status = decoder.receive(frame)
      if status >= 0 { return frame }
      if status == scene_averror(ENOMEM) { throw .undecodable(PictureStream.noMemory) }
      // After an error as after its wish for more: what follows may be whole.
      if status == scene_averror_eof() { return nil }
      var isThere = isHolding || read()
      isHolding = false
      while isThere, !prepare(packet) { isThere = read() }
      if !isThere { drain() }
      if decoder.send(isThere ? packet : nil) == scene_averror(ENOMEM) {
        throw .undecodable(PictureStream.noMemory)
      }
    }
  }

  /// Prepares for the last frames. While it drains, libav's H.264 decoder drops the frames of an open group
  /// if decoding began at that group's keyframe, unless this flag is set.
  private func drain() {
    isDraining = true
    if track.codec == "h264" { decoder.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT }
  }

  /// Forgets all packets that were sent, so that decoding can begin elsewhere.
  func flush() {
    decoder.flush()
    isDraining = false
    decoder.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
  }

  static let noMemory = "the decoder requires more than 2 GiB of memory"
}
