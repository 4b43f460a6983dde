// SPDX-License-Identifier: MIT
import CLinux
import CProcess
package import SceneGraphics
package import SceneModel
import SceneSystem
import Synchronization

/// A frame of an image file, with its duration.
package struct DecodedPicture: Sendable {
  package let size: PixelSize
  /// The pixels, if requested.
  package let pixels: PixelBuffer?
  package let seconds: Double
  package let isVector: Bool
}

/// Decodes untrusted files in a separate `scenec-decode` process, which is started on first use.
///
/// The process receives the bytes of a file as a descriptor, never a path, and returns pixels. A
/// crash of the process counts as an error of the file.
package final class Decoder: Sendable {
  private struct Helper {
    let channel: MessageChannel
    let process: pid_t
  }

  private let helper = Mutex<Helper?>(nil)
  private let program: String?

  /// `program` is the path of `scenec-decode`; by default, the one beside this program.
  package init(program: String? = nil) { self.program = program }

  deinit { _ = helper.withLock { Decoder.stop(&$0) } }

  /// Passes the frames of a file to `take` and returns remarks about missing data. Pixels are
  /// included up to a total of `most` bytes.
  package func pictures(of bytes: [UInt8], most: Int = .max, _ take: (DecodedPicture) -> Void)
    throws(AssetError) -> [String]
  {
    try ask(.pictures(first: 0, count: .max, bytes: most), bytes: bytes, take: take)
  }

  /// Returns one frame of a file.
  package func picture(of bytes: [UInt8], at index: Int = 0) throws(AssetError) -> PixelBuffer {
    try one(.pictures(first: index, count: 1, bytes: .max), bytes)
  }

  /// Renders an SVG at a multiple of its size, entirely or only some of its layers.
  package func drawing(of bytes: [UInt8], scale: Double, layers: Range<Int> = 0..<0)
    throws(AssetError) -> PixelBuffer
  {
    try one(.drawing(scale: scale, layers: layers), bytes)
  }

  /// Returns the decomposition of an SVG.
  package func parts(of bytes: [UInt8]) throws(AssetError) -> VectorDrawing {
    var found: [UInt8] = []
    _ = try ask(.parts, bytes: bytes, take: { _ in }, pieces: { found += $0 })
    guard let drawing = VectorDrawing(found) else {
      throw .undecodable("the SVG cannot be split into parts")
    }
    return drawing
  }

  /// The identities of the programs and libraries that decode; empty if the decoder cannot be
  /// started.
  package var code: [String] { (try? ask(.code, bytes: []) { _ in }) ?? [] }

  /// Throws if a font file is damaged.
  package func judgeFont(_ bytes: [UInt8]) throws(AssetError) {
    _ = try ask(.font, bytes: bytes) { _ in }
  }

  private func one(_ request: DecodeRequest, _ bytes: [UInt8]) throws(AssetError) -> PixelBuffer {
    var found: PixelBuffer?
    _ = try ask(request, bytes: bytes) { found = $0.pixels }
    guard let found else { throw .undecodable("the file contains no image") }
    return found
  }

  // MARK: Communication

  private func ask(
    _ request: DecodeRequest, bytes: [UInt8], take: (DecodedPicture) -> Void,
    pieces: ([UInt8]) -> Void = { _ in }
  ) throws(AssetError) -> [String] {
    // `Mutex.withLock` does not propagate typed errors.
    let answer = helper.withLock { helper -> Result<[String], AssetError> in
      do throws(AssetError) {
        let running = if let helper { helper } else { try start() }
        helper = running
        return .success(
          try Decoder.talk(
            over: running.channel, request: request, bytes: bytes, take: take, pieces: pieces))
      } catch AssetError.notRegular {
        let status = Decoder.stop(&helper)
        return .failure(.undecodable(DecodeFailure.words(status: status)))
      } catch {
        return .failure(error)
      }
    }
    return try answer.get()
  }

  /// Sends a request and processes the replies. Throws `notRegular` if the process has exited.
  private static func talk(
    over channel: MessageChannel, request: DecodeRequest, bytes: [UInt8],
    take: (DecodedPicture) -> Void, pieces: ([UInt8]) -> Void
  ) throws(AssetError) -> [String] {
    let file = try memoryFile(bytes)
    defer { close(file) }
    guard channel.send(request.bytes, file: file) else { throw .notRegular }
    var remarks: [String] = []
    while let reply = channel.receive().flatMap({ DecodeReply($0.message) }) {
      switch reply {
      case .picture(let size, let hasPixels, let isOpaque, let isVector, let seconds):
        guard size.width > 0, size.height > 0, size.width <= 32_767, size.height <= 32_767,
          size.width * size.height <= 64_000_000
        else { throw .notRegular }
        let pixels = hasPixels ? PixelBuffer(size, isOpaque: isOpaque) : nil
        if let pixels, !channel.receive(pixels: pixels) { throw .notRegular }
        take(DecodedPicture(size: size, pixels: pixels, seconds: seconds, isVector: isVector))
      case .remark(let text): remarks.append(text)
      case .piece(let bytes): pieces(bytes)
      case .done: return remarks
      case .refused(let failure): throw failure
      }
    }
    throw .notRegular
  }

  /// Creates an unnamed file in memory. Returns a negative number and sets `errno` on failure.
  package static func emptyMemoryFile() -> Int32 { scene_memory_file("scenec") }

  /// Creates an immutable file in memory.
  package static func memoryFile(_ bytes: [UInt8]) throws(AssetError) -> Int32 {
    let file = emptyMemoryFile()
    let code = file < 0 ? Files.errno : Files.write(file, bytes)
    guard code == 0 else {
      if file >= 0 { close(file) }
      throw .unreadable("cannot create a file in memory: \(Files.reason(code))")
    }
    scene_seal(file)
    return file
  }

  // MARK: Process

  private func start() throws(AssetError) -> Helper {
    guard let path = program ?? OwnProcess.neighbour("scenec-decode") else {
      throw .unreadable("the scenec installation cannot be found; is /proc mounted?")
    }
    let helper = scene_start_helper(path, nil, nil)
    guard helper.socket >= 0 else {
      throw .unreadable(
        "the decoder '\(path)' cannot be started: \(Files.reason()); install it in the same folder as scenec"
      )
    }
    return Helper(channel: MessageChannel(helper.socket), process: helper.process)
  }

  /// Stops the process and returns its exit status.
  private static func stop(_ helper: inout Helper?) -> Int32 {
    guard let running = helper else { return 0 }
    // The process exits once the other end of its socket is closed.
    close(running.channel.socket)
    helper = nil
    return scene_wait(running.process, .infinity).status
  }
}
