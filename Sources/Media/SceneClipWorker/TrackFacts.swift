// SPDX-License-Identifier: MIT
import CAV
import SceneAV
import SceneGraphics
import SceneModel

// Conversions from libav's stream and packet data to the types of the index.

extension TimeBase {
  init(_ it: AVRational) { self.init(Int64(it.num), Int64(it.den)) }
}

extension FrameRate {
  init?(_ it: AVRational) {
    guard it.num > 0, it.den > 0 else { return nil }
    self.init(Int64(it.num), Int64(it.den))
  }
}

extension ClipOrientation {
  /// Converts a display matrix, whose rows are the images of the x and y axes.
  init(_ facts: scene_stream) throws(AssetError) {
    guard facts.has_turn != 0 else {
      self.init()
      return
    }
    let (a, b, c, d) = facts.turn
    let parts = [a, b, c, d].map { (Double($0) / 65536).rounded() }
    let isMirrored = parts[0] * parts[3] - parts[1] * parts[2] < 0
    let right = isMirrored ? (-parts[0], -parts[1]) : (parts[0], parts[1])
    let turns: [(Double, Double)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    let isSquare = abs(a) == abs(d) && abs(b) == abs(c) && (a == 0) != (b == 0)
    guard isSquare, let quarterTurns = turns.firstIndex(where: { $0 == right }) else {
      throw .undecodable("its rotation is not a multiple of 90°")
    }
    self.init(quarterTurns: quarterTurns, isMirrored: isMirrored)
  }
}

extension PictureFormat {
  /// A pixel format of libav with its layout.
  private struct KnownLayout {
    let format: AVPixelFormat
    let layout: Layout
    let depth: Int
    let isFull: Bool

    init(_ format: AVPixelFormat, _ layout: Layout, depth: Int = 8, isFull: Bool = false) {
      (self.format, self.layout, self.depth, self.isFull) = (format, layout, depth, isFull)
    }
  }

  private static let layouts: [KnownLayout] = [
    KnownLayout(AV_PIX_FMT_YUV420P, .yuv420), KnownLayout(AV_PIX_FMT_YUV422P, .yuv422),
    KnownLayout(AV_PIX_FMT_YUV444P, .yuv444),
    KnownLayout(AV_PIX_FMT_YUVJ420P, .yuv420, isFull: true),
    KnownLayout(AV_PIX_FMT_YUVJ422P, .yuv422, isFull: true),
    KnownLayout(AV_PIX_FMT_YUVJ444P, .yuv444, isFull: true),
    KnownLayout(AV_PIX_FMT_YUVA420P, .yuv420), KnownLayout(AV_PIX_FMT_YUVA422P, .yuv422),
    KnownLayout(AV_PIX_FMT_YUVA444P, .yuv444),
    KnownLayout(AV_PIX_FMT_YUV420P10LE, .yuv420, depth: 10),
    KnownLayout(AV_PIX_FMT_YUV422P10LE, .yuv422, depth: 10),
    KnownLayout(AV_PIX_FMT_YUV444P10LE, .yuv444, depth: 10),
  ]

  /// Returns the format of the decoded frames and its number in libav.
  static func of(_ facts: scene_stream) -> (PictureFormat, Int32) {
    let hasAlpha = facts.has_alpha != 0
    var number = facts.format
    // The stream declares the format without the separately stored alpha.
    if hasAlpha, number == AV_PIX_FMT_YUV420P.rawValue { number = AV_PIX_FMT_YUVA420P.rawValue }
    let transfer = Transfer(facts)
    // Formats with more bits or other than Y'CbCr keep as much of their range as possible.
    if transfer != .standard, !layouts.contains(where: { $0.format.rawValue == number }) {
      number = AV_PIX_FMT_YUV444P10LE.rawValue
    }
    let row = layouts.first { $0.format.rawValue == number }
    var it = PictureFormat(row?.layout ?? .bgra, depth: row?.depth ?? 8, hasAlpha: hasAlpha)
    it.isFullRange = row?.isFull == true || facts.range == AVCOL_RANGE_JPEG.rawValue
    it.matrix =
      switch UInt32(bitPattern: facts.matrix) {
      case AVCOL_SPC_BT470BG.rawValue, AVCOL_SPC_SMPTE170M.rawValue, AVCOL_SPC_FCC.rawValue: .bt601
      case AVCOL_SPC_BT709.rawValue, AVCOL_SPC_SMPTE240M.rawValue: .bt709
      case AVCOL_SPC_BT2020_NCL.rawValue, AVCOL_SPC_BT2020_CL.rawValue: .bt2020
      default: facts.height <= 576 ? .bt601 : .bt709
      }
    it.transfer = transfer
    if facts.peak >= 1, facts.peak <= 10_000 { it.peak = Int(facts.peak.rounded()) }
    it.siting =
      switch UInt32(bitPattern: facts.siting) {
      case AVCHROMA_LOC_CENTER.rawValue: .center
      case AVCHROMA_LOC_TOPLEFT.rawValue: .topLeft
      default: .left
      }
    // Only planar formats can be interlaced here.
    guard it.layout != .bgra else { return (it, number) }
    it.fields =
      switch UInt32(bitPattern: facts.field_order) {
      case AV_FIELD_TT.rawValue, AV_FIELD_TB.rawValue: .topFirst
      case AV_FIELD_BB.rawValue, AV_FIELD_BT.rawValue: .bottomFirst
      default: .progressive
      }
    return (it, number)
  }
}

extension PictureFormat.Transfer {
  fileprivate init(_ facts: scene_stream) {
    switch UInt32(bitPattern: facts.transfer) {
    case AVCOL_TRC_SMPTE2084.rawValue: self = .pq
    case AVCOL_TRC_ARIB_STD_B67.rawValue: self = .hlg
    default: self = .standard
    }
  }
}
