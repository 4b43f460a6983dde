// SPDX-License-Identifier: MIT
import CImage
import SceneGraphics
import SceneModel
import SceneSystem

/// An owned `GifFileType` that reads a GIF in memory record by record.
@safe final class GIFReader {
  enum Record { case picture, `extension`, end, other }

  /// The graphic control data for the next image.
  struct Control {
    /// The disposal method: 2 clears the area, 3 restores the previous content.
    var disposal = 0
    var seconds = 0.1
    /// The index of the transparent color, or -1.
    var clear = -1
  }

  struct Picture {
    let left: Int
    let top: Int
    let width: Int
    let height: Int
    let isInterlaced: Bool
    let colors: [PaletteColor]
  }

  struct PaletteColor {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
  }

  private final class Source {
    let bytes: [UInt8]
    var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }
  }

  @safe private let file: Owned<UnsafeMutablePointer<GifFileType>>
  private let source: Source

  init(_ bytes: [UInt8]) throws(AssetError) {
    source = Source(bytes)
    var code: Int32 = 0
    let made = unsafe DGifOpen(
      Unmanaged.passUnretained(source).toOpaque(),
      { file, target, count in
        guard let data = unsafe file?.pointee.UserData, let target = unsafe target else { return 0 }
        // Safe: the reader retains the source until the file is closed.
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

  private var gif: scene_gif { unsafe scene_gif(file: file.pointer) }

  /// The message of the last error.
  var message: String { GIFReader.message(scene_gif_error(gif)) }

  private static func message(_ code: Int32) -> String {
    let text = unsafe GifErrorString(code).map { unsafe String(cString: $0) }
    return text.map { "damaged GIF: \($0)" } ?? "truncated GIF"
  }

  var size: PixelSize {
    PixelSize(Int(scene_gif_width(gif)), Int(scene_gif_height(gif)))
  }

  /// Reads the next record; returns `nil` if the file is damaged.
  func nextRecord() -> Record? {
    return switch scene_gif_record(gif) {
    case -1: nil
    case Int32(TERMINATE_RECORD_TYPE.rawValue): .end
    case Int32(EXTENSION_RECORD_TYPE.rawValue): .extension
    case Int32(IMAGE_DESC_RECORD_TYPE.rawValue): .picture
    default: .other
    }
  }

  /// Reads an extension, which may set the control data of the next image. Returns `false` if it is
  /// damaged.
  func readExtension(into control: inout Control) -> Bool {
    let found = scene_gif_extension(gif)
    if found.is_control {
      control = Control(
        disposal: Int(found.disposal), seconds: Double(found.hundredths) / 100,
        clear: Int(found.clear))
    }
    return found.is_whole
  }

  /// Reads the descriptor of an image; returns `nil` if it is damaged.
  func nextPicture() -> Picture? {
    let found = scene_gif_picture(gif)
    guard found.is_whole else { return nil }
    return Picture(
      left: Int(found.left), top: Int(found.top), width: Int(found.width),
      height: Int(found.height), isInterlaced: found.is_interlaced,
      colors: (0..<found.colors).map {
        let color = scene_gif_color(gif, $0)
        return PaletteColor(red: color.red, green: color.green, blue: color.blue)
      })
  }

  /// Reads one line of color indices; returns `false` if the data ends early.
  func readLine(into line: inout [UInt8]) -> Bool {
    unsafe DGifGetLine(file.pointer, &line, Int32(line.count)) == GIF_OK
  }

  /// Skips the data of an image; returns `false` if the data ends early.
  func skipPicture() -> Bool { scene_gif_skip(gif) }
}
