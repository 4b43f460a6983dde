// SPDX-License-Identifier: MIT
import CLinux
package import SceneClips
import SceneDigest
import SceneGraphics
package import SceneIR
package import SceneModel
package import ScenePixels
import SceneSystem
import Synchronization

/// Access to the files below a root folder only. Symbolic links are resolved before the check.
package final class AssetFolder: AssetProvider {
  /// The maximum size of an image or font file in bytes.
  package static let largestFile = 256 << 20

  private let root: ReadableRoot
  private let folder: String
  private let fonts: any FontStore
  package let decoder: Decoder
  package let clips: ClipStore
  /// The properties of images from earlier runs.
  private let known: ImageCache?
  /// Whether pixels decoded during a check are kept for rendering.
  private let keepsPictures: Bool
  /// The maximum size of a text file in bytes: tables, captions and scenes.
  private let largestText: Int
  /// The properties of each image, or the error, so that a malicious file is decoded only once.
  private let images = FileMemory<KnownImage>()
  private let vectors = FileMemory<VectorDrawing>()
  private let texts = FileMemory<[UInt8]>()
  private let clipFiles = FileMemory<ClipInfo>()
  private let families = FileMemory<String>()
  private let read = Monitor(InputFiles())
  /// The texts that replace files, by absolute path.
  private let open = Mutex<[String: [UInt8]]>([:])
  private let decoded = Mutex(Waiting())

  /// The decoded images waiting to be rendered.
  private struct Waiting {
    static let largest = 256 << 20
    var pictures: [ImageReference: PixelBuffer] = [:]
    var byteCount = 0
    /// Images whose files have changed since they were decoded.
    var replaced: [ImageReference] = []
  }

  /// A JSON parser, which this layer does not provide itself.
  package typealias JSONReader = @Sendable ([UInt8]) throws(AssetError) -> DataValue
  private let readJSON: JSONReader

  /// Relative names start at `folder`, which is below `root`.
  package init?(
    root: String, folder: String, fonts: any FontStore, decoder: Decoder = Decoder(),
    clips: ClipStore = ClipStore(cache: nil, workers: 1), known: ImageCache? = nil,
    keepsPictures: Bool = true,
    largestText: Int = 16 << 20,
    readJSON: @escaping JSONReader = { (_) throws(AssetError) in
      throw .undecodable("no JSON reader is available")
    }
  ) {
    guard let real = ReadableRoot(root), let base = Files.resolved(folder) else { return nil }
    self.root = real
    self.folder = base
    self.fonts = fonts
    self.decoder = decoder
    self.clips = clips
    self.known = known
    self.keepsPictures = keepsPictures
    self.largestText = largestText
    self.readJSON = readJSON
  }

  /// All requested files, including missing ones, for `watch`.
  package var inputs: InputFiles { read.update { $0 } }

  package var paths: [String] { inputs.paths }

  /// Starts another check: files are compared with their previous state, and `inputs` is reset.
  /// `texts` replaces the content of files by absolute path.
  package func beginReading(_ texts: [String: [UInt8]] = [:]) {
    open.withLock { $0 = texts }
    self.texts.beginReading()
    images.beginReading()
    vectors.beginReading()
    clipFiles.beginReading()
    families.beginReading()
    read.update { $0 = InputFiles() }
    decoded.withLock { waiting in
      waiting.pictures = [:]
      waiting.byteCount = 0
    }
  }

  /// Returns images that are no longer used because their files changed, each once.
  package func takeReplaced() -> [ImageReference] {
    decoded.withLock { waiting in
      defer { waiting.replaced = [] }
      return waiting.replaced
    }
  }

  /// Returns the cached value of a file below the root, or computes it with `make`.
  private func remembered<Value>(
    _ path: String, in memory: FileMemory<Value>, outdated: (Value) -> Void = { _ in },
    make: () throws(AssetError) -> Value
  ) throws(AssetError) -> Value {
    guard !path.utf8.contains(0), !path.isEmpty else { throw .notFound }
    guard let lexical = lexical(path) else { throw .outsideRoot }
    read.update { $0.add(lexical, InputFiles.Stamp(path: lexical)) }
    return try memory.value(of: lexical, outdated: outdated, make: make)
  }

  package func image(_ path: String) throws(AssetError) -> ImageReference {
    try frames(path)[0].image
  }

  package func frames(_ path: String) throws(AssetError) -> [ImageFrame] {
    try image(at: path).frames
  }

  package func remarks(on path: String) -> [String] { (try? image(at: path))?.remarks ?? [] }

  private func image(at path: String) throws(AssetError) -> KnownImage {
    let forget = { (old: KnownImage) in
      self.decoded.withLock { $0.replaced += old.frames.map(\.image) }
    }
    return try remembered(path, in: images, outdated: forget) { () throws(AssetError) in
      let file = try open(path)
      defer { close(file) }
      let status = FileStatus(file: file)
      if let known = status.flatMap({ self.known?.image($0, called: path) }) { return known }
      let bytes = try AssetFolder.readAll(file, limit: AssetFolder.largestFile, name: "")
      let digest = SHA256(of: bytes).number
      var frames: [ImageFrame] = []
      let most = keepsPictures ? Waiting.largest - decoded.withLock(\.byteCount) : 0
      let remarks = try decoder.pictures(of: bytes, most: most) { picture in
        let image = ImageReference(
          path: path, digest: digest, size: picture.size, frame: frames.count,
          kind: picture.isVector ? .vector : .raster)
        if let pixels = picture.pixels { hold(pixels, for: image) }
        frames.append(ImageFrame(image, seconds: picture.seconds))
      }
      guard !frames.isEmpty else { throw .undecodable("the file contains no image") }
      let found = KnownImage(frames: frames, remarks: remarks)
      if let status { known?.keep(found, for: status) }
      return found
    }
  }

  package func vector(_ path: String) throws(AssetError) -> VectorDrawing {
    guard try image(path).isVector else { throw .undecodable("not an SVG file") }
    return try remembered(path, in: vectors) { () throws(AssetError) in
      try decoder.parts(of: try bytes(path))
    }
  }

  package func clip(_ path: String) throws(AssetError) -> ClipInfo {
    try remembered(path, in: clipFiles, outdated: forget) { () throws(AssetError) in
      try index(path)
    }
  }

  private func forget(_ old: ClipInfo) { clips.forget([old.digest]) }

  private func index(_ path: String) throws(AssetError) -> ClipInfo {
    let file = try open(path)
    defer { close(file) }
    return try clips.index(file, path: path)
  }

  /// Starts to index new clips that will be requested, each in a worker process of its own, in
  /// parallel.
  package func prepare(clips paths: [String]) {
    var named: Set<String> = []
    let new = paths.filter {
      named.insert($0).inserted && lexical($0).map(clipFiles.isNew) ?? false
    }
    guard new.count > 1 else { return }
    let left = Mutex(Array(new.reversed()))
    for _ in 0..<min(new.count, OwnProcess.processorCount) {
      let thread = WorkerThread { [self] in
        while let path = left.withLock({ $0.popLast() }), let place = lexical(path) {
          _ = try? clipFiles.value(of: place, outdated: forget) { () throws(AssetError) in
            try index(path)
          }
        }
      }
      thread?.detach()
    }
  }

  package func levels(_ path: String, _ measure: SoundMeasure) throws(AssetError) -> [Float] {
    let info = try clip(path)
    do throws(ClipError) {
      return try clips.levels(info.digest, measure)
    } catch {
      throw .undecodable(error.reason)
    }
  }

  private func hold(_ buffer: PixelBuffer, for image: ImageReference) {
    decoded.withLock { waiting in
      guard waiting.byteCount + buffer.byteCount <= Waiting.largest,
        waiting.pictures.updateValue(buffer, forKey: image) == nil
      else { return }
      waiting.byteCount += buffer.byteCount
    }
  }

  package func files(matching pattern: String) -> [String] {
    let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
    guard let last = parts.last, last.contains("*") else { return [] }
    let inside = parts.dropLast().joined(separator: "/")
    let found = entries(of: inside, limit: AssetFolder.largestListing)
    let names = AssetFolder.matching(String(last), found)
    if let path = lexical(inside) {
      read.update { $0.add(pattern: String(last), in: path, names) }
    }
    return names.map { inside.isEmpty ? $0 : inside + "/" + $0 }
  }

  static let largestListing = 100_000

  /// Returns the names that match a pattern with one `*`, ordered by their numbers.
  package static func matching(_ pattern: String, _ names: [String]) -> [String] {
    guard let star = pattern.firstIndex(of: "*") else { return [] }
    let (before, behind) = (pattern[..<star], pattern[pattern.index(after: star)...])
    func number(_ name: String) -> Int {
      Int(name.dropFirst(before.count).dropLast(behind.count).filter(\.isNumber)) ?? 0
    }
    return names.filter {
      $0.count >= pattern.count - 1 && $0.hasPrefix(before) && $0.hasSuffix(behind)
    }
    .sorted { (number($0), $0) < (number($1), $1) }
  }

  /// Returns the pixels that the check decoded, and removes them; `nil` if there are none.
  package func takeDecoded(_ image: ImageReference) -> PixelBuffer? {
    decoded.withLock { waiting in
      let buffer = waiting.pictures.removeValue(forKey: image)
      waiting.byteCount -= buffer?.byteCount ?? 0
      return buffer
    }
  }

  package func font(_ path: String) throws(AssetError) -> String {
    try remembered(path, in: families) { () throws(AssetError) in
      let bytes = try self.bytes(path)
      guard !bytes.isEmpty else { throw .undecodable("the file is empty") }
      if let known = fonts.family(of: bytes) { return known }
      try decoder.judgeFont(bytes)
      guard let family = fonts.add(bytes, called: path) else {
        throw .undecodable("invalid font file")
      }
      return family
    }
  }

  package func source(_ path: String) throws(AssetError) -> [UInt8] {
    if let place = lexical(path), let text = openText(of: place) {
      // The file counts again as soon as the text is closed.
      read.update { $0.add(place, InputFiles.Stamp(path: place)) }
      return text
    }
    return try fileOfText(path)
  }

  /// Returns the text that replaces a file. The folders of its path may be links.
  private func openText(of path: String) -> [UInt8]? {
    open.withLock { texts in
      if texts.isEmpty { return nil }
      if let text = texts[path] { return text }
      let real = Files.resolvingFolders(of: path)
      return root.contains(real) ? texts[real] : nil
    }
  }

  private func fileOfText(_ path: String) throws(AssetError) -> [UInt8] {
    try remembered(path, in: texts) { () throws(AssetError) in
      let file = try open(path)
      defer { close(file) }
      return try AssetFolder.readAll(file, limit: largestText, name: "source")
    }
  }

  package func json(_ path: String) throws(AssetError) -> DataValue {
    try readJSON(try source(path))
  }

  package func pieces(of code: String, in language: CodeLanguage) throws(AssetError) -> [CodePiece]
  {
    try CodeHighlighter.pieces(of: code, in: language)
  }

  package var names: [String] { entries(of: "", limit: 1000) }

  /// Returns the content of a regular file below the root.
  package func bytes(_ path: String) throws(AssetError) -> [UInt8] {
    let file = try open(path)
    defer { close(file) }
    return try AssetFolder.readAll(file, limit: AssetFolder.largestFile, name: "")
  }

  private func lexical(_ path: String) -> String? { root.lexical(path, besides: folder) }

  /// Opens a file or folder below the root for reading.
  private func open(_ path: String, isFolder: Bool = false) throws(AssetError) -> Int32 {
    guard !path.utf8.contains(0), isFolder || !path.isEmpty else { throw .notFound }
    guard let lexical = lexical(path) else { throw .outsideRoot }
    return try root.open(lexical, isFolder: isFolder) { place in
      guard !isFolder else { return }
      read.update { $0.add(lexical, place < 0 ? nil : InputFiles.Stamp(file: place)) }
    }
  }

  private static func readAll(_ file: Int32, limit: Int, name: String) throws(AssetError)
    -> [UInt8]
  {
    guard let size = FileStatus(file: file)?.size else { throw ReadableRoot.failure() }
    guard size <= limit else {
      throw .tooLarge(
        "\(size) bytes exceed the limit \(name.isEmpty ? "" : "'\(name)' ")of \(limit)")
    }
    return Files.head(of: file, count: size)
  }

  /// Returns the names in a folder below the root.
  private func entries(of path: String, limit: Int) -> [String] {
    guard let file = try? open(path, isFolder: true) else { return [] }
    defer { close(file) }
    return AssetFolder.entries(of: "/proc/self/fd/\(file)", limit: limit)
  }

  /// Returns the names that are not hidden, sorted.
  static func entries(of folder: String, limit: Int) -> [String] {
    Files.names(in: folder, limit: limit) { !$0.hasPrefix(".") }.sorted()
  }
}
