// SPDX-License-Identifier: MIT
import SceneCheck
import SceneGraphics
import SceneModel
package import SceneSession
import SceneStore
import SceneText

extension LoadOptions {
  package init(_ reader: inout OptionReader) {
    self.init(root: reader.text("root"))
    trustsProject = reader.has("trust-project")
    store = StorePlace(&reader)
    check.sceneName = reader.text("scene")
    data = reader.text("data")
    row = reader.count("row", in: 1...10_000_000)
    if row != nil, data == nil { reader.report("'--row' requires a table: --data people.csv") }
    var parameters: [GivenParameter] = []
    reader.readAll("set") { text throws(Invocation.Failure) in
      let (name, value) = try LoadOptions.pair(text, "set")
      parameters.append(GivenParameter(name, value))
    }
    check.parameters = parameters
    var limits = Limits()
    reader.readAll("limit") { text throws(Invocation.Failure) in
      let (name, value) = try LoadOptions.pair(text, "limit")
      guard let number = Double(value), number >= 0 else {
        throw Invocation.Failure(
          message: "'--limit \(name)' must be a number of at least 0, found '\(value)'")
      }
      if let most = Limits.most(name), number > most {
        throw Invocation.Failure(message: "'--limit \(name)' can be at most \(Int(most))")
      }
      guard limits.set(name, number) else {
        var message = "unknown limit '\(name)'"
        if let near = nearest(name, in: Limits.names) { message += " (did you mean '\(near)'?)" }
        throw Invocation.Failure(
          message: message + "; the limits are \(Limits.names.joined(separator: ", "))")
      }
    }
    check.limits = limits
    check.size = reader.read("size") { text throws(Invocation.Failure) in
      try LoadOptions.size(text)
    }
    check.frameRate = reader.read("fps") { text throws(Invocation.Failure) in
      try LoadOptions.frameRate(text)
    }
  }

  private static func pair(_ text: String, _ option: String) throws(Invocation.Failure)
    -> (String, String)
  {
    guard let equal = text.firstIndex(of: "="), equal > text.startIndex else {
      throw Invocation.Failure(message: "'--\(option)' must have the form --\(option) name=value")
    }
    return (String(text[..<equal]), String(text[text.index(after: equal)...]))
  }

  /// Reads a size. The check applies the limits, which a project may change.
  private static func size(_ text: String) throws(Invocation.Failure) -> PixelSize {
    let parts = text.split(separator: "x").compactMap { Int($0) }
    guard parts.count == 2, parts.allSatisfy({ $0 >= 1 }) else {
      throw Invocation.Failure(
        message: "'--size' must have the form WxH, such as 1280x720, found '\(text)'")
    }
    guard parts.allSatisfy({ $0 <= Limits.greatestSide }) else {
      throw Invocation.Failure(
        message: "'--size' must be at most \(Limits.greatestSide) pixels per side, found '\(text)'")
    }
    return PixelSize(parts[0], parts[1])
  }

  private static func frameRate(_ text: String) throws(Invocation.Failure) -> FrameRate {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    var rate: FrameRate?
    if parts.count == 2, let over = parts[0], let under = parts[1],
      let (a, b) = ratio(over, under)
    {
      rate = FrameRate(a, b)
    } else if parts.count == 1, let number = parts[0] {
      rate = FrameRate(number)
      if number.isFinite, number < FrameRate.least || number > FrameRate.greatest {
        throw Invocation.Failure(
          message: "'--fps' must be from \(FrameRate.least) to 1000, found '\(text)'")
      }
    }
    guard let rate else {
      throw Invocation.Failure(
        message: "'--fps' must be a number or a ratio such as 30000/1001, found '\(text)'")
    }
    guard rate.value >= FrameRate.least else {
      throw Invocation.Failure(
        message: "'--fps' must be at least \(FrameRate.least), found '\(text)'")
    }
    return rate
  }

  /// Returns the ratio of two integers from 1 to a million, in lowest terms; `nil` for other
  /// numbers.
  private static func ratio(_ over: Double, _ under: Double) -> (Int64, Int64)? {
    for part in [over, under] {
      guard (1...1e6).contains(part), part == part.rounded() else { return nil }
    }
    var (a, b) = (Int64(over), Int64(under))
    while b != 0 { (a, b) = (b, a % b) }
    return (Int64(over) / a, Int64(under) / a)
  }
}
