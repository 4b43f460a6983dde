// SPDX-License-Identifier: MIT
package import SceneGraphics
package import SceneIR

extension FrameProgram {
  /// The image that is the only content of the frame and covers it exactly, if any.
  package var onlyPicture: ImageReference? {
    let whole = Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
    var ops = ops
    // A clip to the frame's own edges, as a sequence adds, has no effect.
    while ops.count == 1, case .clipped(.rect(whole, radius: 0), let body) = ops[0] { ops = body }
    guard ops.count == 1, case .image(let image, let source, let destination) = ops[0] else {
      return nil
    }
    return image.size == size && source == whole && destination == whole ? image : nil
  }
}

extension ImageReference {
  /// The clip that the image is a frame of, if any.
  package var clip: ClipDigest? {
    if case .clip(let high, _) = kind { ClipDigest(high: high, low: digest) } else { nil }
  }

  package var reading: ClipReading {
    if case .clip(_, let reading) = kind { reading } else { ClipReading() }
  }
}

extension ClipPictures {
  /// Returns whether decoded frames can be passed unchanged to an 8-bit 4:2:0 encoder with frames
  /// of size `frame`.
  package func areUsual(in frame: PixelSize) -> Bool { obstacle(in: frame) == nil }

  /// Returns the reason why decoded frames cannot be passed unchanged to this encoder; `nil` if
  /// they can.
  package func obstacle(in frame: PixelSize) -> String? {
    if orientation != ClipOrientation() { return "its frames are rotated for display" }
    if storedSize != size { return "its pixels are not square" }
    if size != frame { return "its frames are \(size) pixels, the scene is \(frame)" }
    if format.hasAlpha { return "it has an alpha channel" }
    if format.layout != .yuv420 || format.depth != 8 { return "its samples are not 8-bit 4:2:0" }
    if format.fields != .progressive { return "it is interlaced" }
    if format.transfer != .standard { return "it has high dynamic range" }
    if format.matrix != .bt709 { return "its colors are not BT.709" }
    if format.isFullRange { return "its samples are full range" }
    return format.siting == .left ? nil : "its chroma is not sited at the left"
  }
}

extension PictureFormat {
  /// Whether the samples match the encoded output: opaque, progressive, limited range, BT.709 with
  /// its standard transfer function.
  package var isUsual: Bool {
    !hasAlpha && !isFullRange && matrix == .bt709 && transfer == .standard && fields == .progressive
  }
}
