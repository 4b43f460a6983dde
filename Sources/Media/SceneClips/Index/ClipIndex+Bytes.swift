// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneModel

// The single binary format of an index, used for both directions of the worker protocol and for the
// cache. Numbers are variable-length with 7 bits per byte, least significant first.

extension ClipIndex {
  /// The version of the format and of the meaning of an index.
  private static let form = 6
  private static let mark = Array("scene clip".utf8)

  package var bytes: [UInt8] {
    var out = PackedWriter(bytes: ClipIndex.mark)
    out.put(ClipIndex.form)
    out.put(Int(bitPattern: UInt(content.high)))
    out.put(Int(bitPattern: UInt(content.low)))
    out.put(remarks.count)
    for remark in remarks { out.put(remark) }
    out.put(pictures == nil ? 0 : 1)
    if let pictures { pictures.write(to: &out) }
    out.put(sound == nil ? 0 : 1)
    if let sound { sound.write(to: &out) }
    return out.bytes
  }

  /// Decodes an index. Returns `nil` for anything that a correct indexer would not have written,
  /// since the bytes may come from a process compromised by a malicious file.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: ClipIndex.mark) else { return nil }
    var input = PackedReader(bytes[ClipIndex.mark.count...])
    guard input.number() == ClipIndex.form else { return nil }
    content = ClipDigest(
      high: UInt64(UInt(bitPattern: input.number())), low: UInt64(UInt(bitPattern: input.number())))
    remarks = (0..<input.count(upTo: 16)).map { _ in input.text() }
    let hasPictures = input.count(upTo: 1) == 1
    pictures = hasPictures ? PictureTrack(&input) : nil
    let hasSound = input.count(upTo: 1) == 1
    sound = hasSound ? SoundTrack(&input) : nil
    guard input.isWhole, hasPictures == (pictures != nil), hasSound == (sound != nil) else {
      return nil
    }
  }
}

extension ClipIndex.PictureTrack {
  fileprivate func write(to out: inout PackedWriter) {
    out.put(stream)
    out.put(codec)
    out.put(base)
    out.put(TimeBase(rate?.numerator ?? 0, rate?.denominator ?? 1))
    out.put(storedSize.width)
    out.put(storedSize.height)
    out.put(aspect)
    out.put(orientation.quarterTurns)
    out.put(orientation.isMirrored ? 1 : 0)
    for number in format.numbers { out.put(number) }
    out.put(pixels)
    out.put(isCounted ? 1 : 0)
    out.put(Int(lastDuration))
    out.put(headers)
    out.put(lead)
    out.put(packets.count)
    var last = ClipIndex.PicturePacket(
      shown: 0, decoded: 0, position: 0, size: 0, isKey: false, isShown: false)
    for packet in packets {
      out.put(Int(packet.shown &- last.shown))
      out.put(Int(packet.decoded &- last.decoded))
      out.put(Int(packet.position &- last.position))
      out.put(
        packet.size << 3 | (packet.beginsAnew ? 4 : 0) | (packet.isKey ? 2 : 0)
          | (packet.isShown ? 1 : 0))
      last = packet
    }
  }

  fileprivate init?(_ input: inout PackedReader) {
    self.init(
      stream: input.count(upTo: ClipIndex.Limits.streams - 1), codec: input.text(),
      base: input.base(), rate: nil, storedSize: PixelSize(0, 0), aspect: TimeBase(1, 1),
      orientation: ClipOrientation(), format: PictureFormat(.bgra), pixels: 0)
    let rate = TimeBase(Int64(input.number()), Int64(input.number()))
    if (1...Int64(Int32.max)).contains(rate.numerator),
      (1...Int64(Int32.max)).contains(rate.denominator)
    {
      self.rate = FrameRate(rate.numerator, rate.denominator)
    }
    storedSize = PixelSize(
      input.count(upTo: ClipIndex.Limits.side), input.count(upTo: ClipIndex.Limits.side))
    aspect = input.base()
    orientation = ClipOrientation(
      quarterTurns: input.count(upTo: 3), isMirrored: input.count(upTo: 1) == 1)
    format = PictureFormat((0..<9).map { _ in input.number() }) ?? input.wrong(format)
    pixels = input.count(upTo: 1000)
    isCounted = input.count(upTo: 1) == 1
    lastDuration = Int64(input.number())
    headers = input.list()
    lead = input.count(upTo: 8)
    let count = input.count(upTo: ClipIndex.Limits.pictures)
    // A packet takes at least four bytes.
    guard storedSize.width > 0, storedSize.height > 0, (0.05...20).contains(aspect.seconds),
      input.left >= 4 * count
    else { return nil }
    packets.reserveCapacity(count)
    var last = ClipIndex.PicturePacket(
      shown: 0, decoded: 0, position: 0, size: 0, isKey: false, isShown: false)
    for _ in 0..<count {
      last.shown &+= Int64(input.number())
      last.decoded &+= Int64(input.number())
      last.position &+= Int64(input.number())
      let facts = input.count(upTo: 1 << 35)
      last.size = facts >> 3
      last.beginsAnew = facts & 4 != 0
      last.isKey = facts & 2 != 0
      last.isShown = facts & 1 != 0
      packets.append(last)
    }
    guard packets.contains(where: \.isShown) else { return nil }
  }
}

extension ClipIndex.SoundTrack {
  fileprivate func write(to out: inout PackedWriter) {
    out.put(stream)
    out.put(codec)
    out.put(rate)
    out.put(channels)
    out.put(Int(bitPattern: UInt(speakers)))
    out.put(base)
    out.put(priming)
    out.put(sampleCount)
    out.put(Int(start))
    out.put(lags.count)
    for lag in lags { out.put(Int(lag * 16)) }
    out.put(invalid?.count ?? 0)
    out.put(invalid?.first ?? 0)
    out.put(invalid?.last ?? 0)
    out.put(packets.count)
    var last = ClipIndex.SoundPacket(sample: 0, shown: 0, position: 0)
    for packet in packets {
      out.put(packet.sample &- last.sample)
      out.put(Int(packet.shown &- last.shown))
      out.put(Int(packet.position &- last.position))
      last = packet
    }
  }

  fileprivate init?(_ input: inout PackedReader) {
    self.init(
      stream: input.count(upTo: ClipIndex.Limits.streams - 1), codec: input.text(),
      rate: input.count(upTo: 768_000), channels: input.count(upTo: 64),
      speakers: UInt64(UInt(bitPattern: input.number())), base: input.base(),
      priming: input.count(upTo: 1 << 20), sampleCount: input.count(upTo: 1 << 40),
      start: Int64(input.number()))
    let knots = input.count(upTo: 100_000)
    lags = (0..<knots).map { _ in Float(input.number(within: 1 << 40)) / 16 }
    let found = InvalidSamples(
      count: input.count(upTo: 1 << 46), first: input.count(upTo: 1 << 40),
      last: input.count(upTo: 1 << 40))
    invalid = found.count > 0 ? found : nil
    let count = input.count(upTo: 4 * ClipIndex.Limits.pictures)
    // A packet takes at least three bytes.
    guard rate > 0, channels > 0, Double(sampleCount) / Double(rate) < 864_000,
      input.left >= 3 * count
    else { return nil }
    packets.reserveCapacity(count)
    var last = ClipIndex.SoundPacket(sample: 0, shown: 0, position: 0)
    for _ in 0..<count {
      last.sample &+= input.number()
      last.shown &+= Int64(input.number())
      last.position &+= Int64(input.number())
      packets.append(last)
    }
  }
}

extension PictureFormat {
  fileprivate var numbers: [Int] {
    [
      Int(layout.rawValue), depth, hasAlpha ? 1 : 0, isFullRange ? 1 : 0, Int(matrix.rawValue),
      Int(transfer.rawValue), Int(siting.rawValue), Int(fields.rawValue),
      peak,
    ]
  }

  fileprivate init?(_ numbers: [Int]) {
    func value<T: RawRepresentable>(_ at: Int, _ type: T.Type) -> T? where T.RawValue == UInt8 {
      UInt8(exactly: numbers[at]).flatMap { T(rawValue: $0) }
    }
    guard let layout = value(0, Layout.self), [8, 10].contains(numbers[1]),
      let matrix = value(4, Matrix.self), let transfer = value(5, Transfer.self),
      let siting = value(6, Siting.self), let fields = value(7, Fields.self),
      (1...10_000).contains(numbers[8])
    else { return nil }
    self.init(
      layout, depth: numbers[1], hasAlpha: numbers[2] == 1, isFullRange: numbers[3] == 1,
      matrix: matrix, transfer: transfer, siting: siting, fields: fields)
    peak = numbers[8]
  }
}

// MARK: Numbers

private struct PackedWriter {
  private(set) var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func put(_ number: Int) {
    // Zigzag encoding makes small numbers of either sign short.
    var rest = UInt(bitPattern: number << 1 ^ number >> (Int.bitWidth - 1))
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func put(_ text: String) { put(Array(text.utf8.prefix(1000))) }

  mutating func put(_ other: [UInt8]) {
    put(other.count)
    bytes += other
  }

  mutating func put(_ base: TimeBase) {
    put(Int(base.numerator))
    put(Int(base.denominator))
  }
}

private struct PackedReader {
  private let bytes: ArraySlice<UInt8>
  private var at: Int
  private var isRight = true

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    at = bytes.startIndex
  }

  var left: Int { bytes.endIndex - at }
  var isWhole: Bool { isRight && left == 0 }

  mutating func wrong<T>(_ standIn: T) -> T {
    isRight = false
    return standIn
  }

  mutating func number() -> Int {
    var (number, shift): (UInt, UInt) = (0, 0)
    while at < bytes.endIndex, shift < 64 {
      let byte = bytes[at]
      at += 1
      number |= UInt(byte & 127) << shift
      if byte < 128 { return Int(bitPattern: number >> 1) ^ -Int(bitPattern: number & 1) }
      shift += 7
    }
    return wrong(0)
  }

  mutating func count(upTo limit: Int) -> Int {
    let number = number()
    return number >= 0 && number <= limit ? number : wrong(0)
  }

  /// Reads a number that may be negative.
  mutating func number(within limit: Int) -> Int {
    let number = number()
    return abs(Double(number)) <= Double(limit) ? number : wrong(0)
  }

  mutating func text() -> String { String(decoding: list(), as: UTF8.self) }

  mutating func list() -> [UInt8] {
    let named = count(upTo: ClipIndex.Limits.headerBytes)
    let count = named <= left ? named : wrong(0)
    defer { at += count }
    return Array(bytes[at..<(at + count)])
  }

  mutating func base() -> TimeBase {
    let base = TimeBase(Int64(number()), Int64(number()))
    let range = 1...Int64(Int32.max)
    return range.contains(base.numerator) && range.contains(base.denominator)
      ? base : wrong(TimeBase(1, 1))
  }
}
