// SPDX-License-Identifier: MIT
import CAV
import SceneClips
import SceneAV
import SceneModel

/// A demuxer and a decoder for the video track of a clip.
final class PictureStream {
  private let track: ClipIndex.PictureTrack
  let demuxer: Demuxer
  let decoder: DecodingContext
  let packet: Packet
  private let frame: Frame
  /// Whether `packet` has been read but not sent to the decoder.
  var isHolding = false
  /// Whether the end of the stream has been sent to the decoder.
  private(set) var isDraining = false

  /// Opens the track at the start of the file. `reordering` is the minimum reorder depth of the
  /// decoder in frames.
  init(_ store: FileStore, _ track: ClipIndex.PictureTrack, reordering: Int32 = 0)
    throws(AssetError)
  {
    self.track = track
    let demuxer = try ClipIndexer.open(store)
    guard track.stream < Int(demuxer.nb_streams) else { throw .undecodable("the file has changed") }
    demuxer.choose([track.stream])
    let name = Codecs.pictureDecoder(track.codec, hasAlpha: track.format.hasAlpha) ?? ""
    let decoder = try makeDecoder(track.codec) { () throws(VideoError) in
      try DecodingContext(
        decoder: name, of: track.stream, in: demuxer, reordering: reordering)
    }
    (self.demuxer, self.decoder) = (demuxer, decoder)
    packet = try make { () throws(VideoError) in try Packet() }
    frame = try make { () throws(VideoError) in try Frame() }
  }

  /// Reads the next packet of the track into `packet`; returns `false` at the end.
  func read() -> Bool {
    packet.clear()
    while demuxer.read(packet) >= 0 {
      if packet.streamIndex == track.stream { return true }
      packet.clear()
    }
    return false
  }

  /// Returns the next decoded frame, which is valid until the next call; `nil` at the end.
  /// `prepare` modifies each packet before decoding and returns `false` for packets to be skipped.
  func next(_ prepare: (Packet) -> Bool = { _ in true }) throws(AssetError) -> Frame? {
    while true {
      let status = decoder.receive(frame)
      if status >= 0 { return frame }
      if status == scene_averror(ENOMEM) { throw .undecodable(PictureStream.noMemory) }
      // An error is handled like a request for more input, since later packets may be intact.
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

  /// Prepares for the last frames. When draining, libav's H.264 decoder drops the frames of an open
  /// group of pictures if decoding started at that group's keyframe, unless this flag is set.
  private func drain() {
    isDraining = true
    if track.codec == "h264" { decoder.flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT }
  }

  /// Discards all sent packets, so that decoding can start elsewhere.
  func flush() {
    decoder.flush()
    isDraining = false
    decoder.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
  }

  static let noMemory = "the decoder requires more than 2 GiB of memory"
}
