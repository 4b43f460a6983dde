// SPDX-License-Identifier: MIT
import CLinux
import CProcess
import CSVG
import SceneGraphics
import SceneModel
import ScenePixels
import SceneSystem

/// Serves requests until the client closes the socket. A sandboxed child process with resource
/// limits decodes each file; this process itself never parses untrusted data.
package func serve(_ socket: Int32) {
  // A single malloc arena makes the memory limit predictable.
  scene_one_heap()
  let channel = MessageChannel(socket)
  // Computed before librsvg is loaded: its dependencies are loaded by the encoders, too.
  let code = LoadedCode.ofProcess
  while let (message, descriptor) = channel.receive() {
    guard let request = DecodeRequest(message), descriptor >= 0 else { return }
    defer { close(descriptor) }
    if request == .code {
      for identity in code { send(.remark(identity), to: channel) }
      send(.done, to: channel)
      continue
    }
    let isVector = request.isPicture && startsLikeSVG(descriptor)
    if isVector { _ = scene_svg_load() }
    let errors = Decoder.emptyMemoryFile()
    defer { close(errors) }
    let child = scene_fork()
    if child == 0 {
      work(on: request, file: descriptor, channel: channel, errors: errors, isVector: isVector)
    }
    let end = child > 0 ? scene_wait(child, Double(DecodeLimits.time)) : scene_end()
    guard child < 0 || end.signal != 0 || end.status != 0 else { continue }
    // Part of an image may have been sent already. Exiting is the only unambiguous signal of a
    // failure.
    let failure = child < 0 ? .memory : failure(end, errors)
    exit(DecodeFailure.status(failure, isVector: isVector))
  }
}

private func startsLikeSVG(_ file: Int32) -> Bool {
  ImageDecoder.looksLikeSVG(Files.head(of: file, count: 4096))
}

extension DecodeRequest {
  fileprivate var isPicture: Bool { self != .font && self != .code }
}

private func send(_ reply: DecodeReply, to channel: MessageChannel) {
  // The client has closed the socket.
  if !channel.send(reply.bytes) { _exit(1) }
}

/// Returns the reason why a child process ended without a response.
private func failure(_ end: scene_end, _ errors: Int32) -> DecodeFailure {
  if end.signal == SIGXCPU || end.cpu >= Double(DecodeLimits.time) { return .time }
  let said = String(decoding: Files.head(of: errors, count: 2000), as: UTF8.self)
  return said.contains("alloc") || end.signal == SIGKILL ? .memory : .failure
}

// MARK: Child process

/// Decodes one file and exits.
private func work(
  on request: DecodeRequest, file: Int32, channel: MessageChannel, errors: Int32,
  isVector: Bool
) -> Never {
  dup2(errors, 2)
  scene_end_with(channel.socket)
  if isVector { confineToFonts() }
  scene_limit(DecodeLimits.memory, DecodeLimits.time + 1)
  do throws(AssetError) {
    let bytes = try content(file)
    // If the kernel does not support the sandbox, the resource limits still apply.
    _ = scene_confine_calls(isVector ? 1 : 0)
    switch request {
    case .font: try judgeFont(bytes)
    case .pictures(let first, let count, let most):
      var rest = max(0, most)
      let decoder = try ImageDecoder(bytes) { send(.remark($0), to: channel) }
      let begin = max(0, min(first, 1 << 30))
      try decoder.pictures(begin..<(begin + max(0, min(count, 1 << 30)))) {
        let fits = $0.byteCount <= rest
        rest -= fits ? $0.byteCount : rest
        hand(over: $0, $1, decoder, to: channel, withPixels: fits)
      }
    case .code: break
    case .drawing(let scale, let layers):
      let decoder = try ImageDecoder(bytes) { _ in }
      let ids = layers.isEmpty ? nil : try decoder.plan().layers(layers)
      hand(over: try decoder.drawSVG(scale: scale, layers: ids), 0, decoder, to: channel)
    case .parts:
      let bytes = try ImageDecoder(bytes) { _ in }.takeApart().bytes
      for start in stride(from: 0, to: bytes.count, by: 32_768) {
        send(.piece(Array(bytes[start..<min(start + 32_768, bytes.count)])), to: channel)
      }
    }
    send(.done, to: channel)
  } catch {
    send(.refused(error), to: channel)
  }
  _exit(0)
}

/// Restricts file access to fonts, which text in an SVG requires.
private func confineToFonts() {
  var folders = unsafe [UnsafePointer<CChar>?](repeating: nil, count: 64)
  let count = unsafe scene_svg_folders(&folders, folders.count)
  unsafe scene_confine_files(folders, count)
}

private func content(_ file: Int32) throws(AssetError) -> [UInt8] {
  guard let size = FileStatus(file: file)?.size else {
    throw .undecodable("the file cannot be read")
  }
  let bytes = Files.head(of: file, count: size)
  guard bytes.count == size else { throw .undecodable("the file cannot be read") }
  return bytes
}

private func hand(
  over pixels: PixelBuffer, _ seconds: Double, _ decoder: ImageDecoder, to channel: MessageChannel,
  withPixels hasPixels: Bool = true
) {
  send(
    .picture(
      pixels.size, hasPixels: hasPixels, isOpaque: pixels.isOpaque,
      isVector: decoder.format == .svg, seconds: seconds),
    to: channel)
  if hasPixels, !channel.send(pixels: pixels) { _exit(1) }
}
