// SPDX-License-Identifier: MIT
import CLinux
import SceneAV
import SceneSystem

/// The bytes of an open file, read-only.
final class FileStore: ByteStore {
  let file: Int32
  let length: Int
  var isSeekable: Bool { true }

  init(_ file: Int32) {
    self.file = file
    length = FileStatus(file: file)?.size ?? 0
  }

  /// The available fraction of a truncated RIFF file; `nil` if the file is complete or not RIFF.
  var shareOfRIFF: Double? {
    guard let named = lengthOfRIFF, named > length else { return nil }
    return Double(length) / Double(named)
  }

  /// The length in the header of a RIFF file, if any.
  private var lengthOfRIFF: Int? {
    let head = Files.head(of: file, count: 8)
    guard head.starts(with: Array("RIFF".utf8)), head.count == 8 else { return nil }
    return head[4...].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
  }

  /// Whether a RIFF file was written to a pipe, so that the lengths in its headers are unknown.
  var isStreamedRIFF: Bool { lengthOfRIFF.map { $0 == 8 || $0 > Int(UInt32.max) } ?? false }

  /// The name of an unsupported format, by its first bytes; `nil` if unknown.
  var unsupportedFormat: String? {
    let head = Files.head(of: file, count: 16)
    let signs: [(bytes: [UInt8], name: String)] = [
      (Array("FLV".utf8), "FLV"),
      ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "ASF (WMV, WMA)"),
      (Array(".RMF".utf8), "RealMedia"), ([0x06, 0x0E, 0x2B, 0x34], "MXF"),
    ]
    return signs.first { head.starts(with: $0.bytes) }?.name
  }

  /// The name of a supported format with its article, detected from the first bytes. MP4 and MOV
  /// are "MP4".
  var namedFormat: String? {
    let head = Files.head(of: file, count: 16)
    if ["ftyp", "moov", "mdat", "wide"].contains(where: { head.dropFirst(4).starts(with: $0.utf8) })
    {
      return "MP4"
    }
    let signs: [(sign: [UInt8], name: String)] = [
      ([0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM file"), (Array("RIFF".utf8), "a RIFF file"),
      (Array("OggS".utf8), "an Ogg file"), (Array("fLaC".utf8), "a FLAC file"),
      (Array("FORM".utf8), "an AIFF file"), (Array("ID3".utf8), "an MP3 file"),
      ([0xFF, 0xFB], "an MP3 file"), (Array("GIF8".utf8), "a GIF file"),
      ([0x47, 0x40], "an MPEG transport stream"), ([0, 0, 1, 0xBA], "an MPEG program stream"),
      (Array("YUV4MPEG2".utf8), "a Y4M file"), ([0x89] + Array("PNG".utf8), "a PNG file"),
    ]
    return signs.first { head.starts(with: $0.sign) }?.name
  }

  func write(_ bytes: RawSpan, at offset: Int) -> Int32 { EBADF }

  func read(_ bytes: inout MutableRawSpan, at offset: Int) -> Int {
    Files.read(file, &bytes, at: offset)
  }
}
