// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import SceneSystem

/// Owner of one `GifFileType`, which reads a GIF in memory record by record.
@safe final class GIFReader {
  enum Record { case picture, `extension`, end, other }

  /// How the next picture is shown.
  struct Control {
    /// What becomes of it: 2 is cleared, 3 is as before it.
    var disposal = 0
    var seconds = 0.1
    /// The index of the colour that is clear, or -1.
    var clear = -1
  }

  struct Picture {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    let colors: [(red: UInt8, green: UInt8, blue: UInt8)]
  }

  private final class Source {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  private let file: Owned<UnsafeMutablePointer<GifFileType>>
  private let source: Source

  init(_ bytes: [UInt8]) throws(AssetFault) {
    source = Source(bytes)
    var code: Int32 = 0
    let made = unsafe DGifOpen(
      Unmanaged.passUnretained(source).toOpaque(),
      { file, target, count in
        guard let data = unsafe file?.pointee.UserData, let target = unsafe target else { return 0 }
        // Safe: the reader holds the source until the file is closed.
        let source = unsafe Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
        let part = source.bytes[source.at...].prefix(Int(count))
        _ = unsafe UnsafeMutableBufferPointer(start: target, count: part.count)
          .update(fromContentsOf: part)
        source.at += part.count
        return Int32(part.count)
      }, &code)
    guard let made = unsafe Owned(made, { unsafe DGifCloseFile($0, nil) }) else {
      throw .undecodable(GIFReader.message(code))
    }
    unsafe file = made
  }

  /// What the last fault was.
  var message: String { GIFReader.message(unsafe file.pointer.pointee.Error) }

  private static func message(_ code: Int32) -> String {
    let text = unsafe GifErrorString(code).map { unsafe String(cString: $0) }
    return text.map { "the GIF is damaged: \($0)" } ?? "the GIF ends early"
  }

  var size: PixelSize {
    unsafe PixelSize(Int(file.pointer.pointee.SWidth), Int(file.pointer.pointee.SHeight))
  }

  /// `nil` where the file is damaged.
  func nextRecord() -> Record? {
    var kind = UNDEFINED_RECORD_TYPE
    guard unsafe DGifGetRecordType(file.pointer, &kind) == GIF_OK else { return nil }
    return switch kind {
    case TERMINATE_RECORD_TYPE: .end
    case EXTENSION_RECORD_TYPE: .extension
    case IMAGE_DESC_RECORD_TYPE: .picture
    default: .other
    }
  }

  /// Reads an extension; the one before a picture says how it is shown. `false` where it is damaged.
  func readExtension(into control: inout Control) -> Bool {
    var code: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard unsafe DGifGetExtension(file.pointer, &code, &block) == GIF_OK else { return false }
    while let data = unsafe block {
      if code == Int32(GRAPHICS_EXT_FUNC_CODE) {
        var found = GraphicsControlBlock()
        if unsafe DGifExtensionToGCB(Int(data[0]), data + 1, &found) == GIF_OK {
          control = Control(
            disposal: Int(found.DisposalMode), seconds: Double(found.DelayTime) / 100,
            clear: Int(found.TransparentColor))
        }
      }
      guard unsafe DGifGetExtensionNext(file.pointer, &block) == GIF_OK else { return false }
    }
    return true
  }

  /// What a picture says of itself before its lines; `nil` where it is damaged.
  func nextPicture() -> Picture? {
    guard unsafe DGifGetImageDesc(file.pointer) == GIF_OK else { return nil }
    let place = unsafe file.pointer.pointee.Image
    var colors: [(UInt8, UInt8, UInt8)] = []
    if let map = unsafe (place.ColorMap ?? file.pointer.pointee.SColorMap)?.pointee {
      let all = unsafe UnsafeBufferPointer(start: map.Colors, count: Int(map.ColorCount))
      colors = unsafe all.map { ($0.Red, $0.Green, $0.Blue) }
    }
    return unsafe Picture(
      left: Int(place.Left), top: Int(place.Top), width: Int(place.Width),
      height: Int(place.Height), isInterlaced: place.Interlace, colors: colors)
  }

  /// Reads as many indices as the line has; `false` where they end early.
  func readLine(into line: inout [UInt8]) -> Bool {
    unsafe DGifGetLine(file.pointer, &line, Int32(line.count)) == GIF_OK
  }

  /// Reads over the data of a picture; `false` where it ends early.
  func skipPicture() -> Bool {
    var size: Int32 = 0
    var block: UnsafeMutablePointer<GifByteType>?
    guard unsafe DGifGetCode(file.pointer, &size, &block) == GIF_OK else { return false }
    while unsafe block != nil {
      guard unsafe DGifGetCodeNext(file.pointer, &block) == GIF_OK else { return false }
    }
    return true
  }
}
