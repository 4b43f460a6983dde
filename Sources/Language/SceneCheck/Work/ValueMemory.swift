// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneText

/// An estimate of the memory of computed values, in bytes. It depends only on the scene, so that
/// the limit is the same on all machines.
struct ValueMemory {
  /// The memory of values since the last release, some of which may no longer be in use.
  var recent = 0
  /// The memory of the values of names and properties, which remain until the end of the scene.
  var cached = 0
  /// The memory of the contents of data files, which remain until the end of the check.
  var files = 0
  /// The number of program nodes when nodes were last counted.
  var countedNodes = 0

  var total: Int { recent + cached + files }

  /// The memory of a value in a list, including unused capacity of the list.
  static let part = 44
  /// The memory of a list without its items, and of a value with a separate allocation.
  static let box = 64
  /// The memory of a formatted number in a text.
  static let number = 176
  /// The memory of a program node with its entry in the table of nodes.
  static let node = 96
  /// The memory of a point of a path.
  static let point = 64
  /// The memory of a stop of a gradient, including its copy in the model.
  static let stop = 160

  /// The memory of a list without the allocations of its items.
  static func list(_ count: Int) -> Int { box + part * count }

  /// Releases the program nodes of a scene, and its values unless `keepsValues` is `true`.
  mutating func endScene(keepsValues: Bool) {
    self = ValueMemory(cached: keepsValues ? cached : 0, files: files)
  }
}

extension Checker {
  /// Counts memory for values that are about to be computed. Returns `false` if the limit is
  /// exceeded.
  func reserve(_ bytes: Int, _ span: SourceSpan) -> Bool {
    memory.recent += bytes
    guard memory.total > options.limits.memory else { return true }
    exceededMemory(span)
    return false
  }

  private func exceededMemory(_ span: SourceSpan) {
    let limit = options.limits.memory
    let amount = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
    exceeded(
      "memory", "the values in the file require more than \(amount) of memory", at: span,
      raisedTo: limit * 4)
  }

  /// Computes a value, then releases the memory of the intermediate values.
  ///
  /// Nested calls often return the same large value, and a search at each level would take long. If
  /// `isExact` is `false`, the search ends early, and a small part of the intermediate values may
  /// remain counted until the next exact search.
  @inline(__always)
  func releasing<E: Error>(isExact: Bool = false, _ compute: () throws(E) -> Value) throws(E)
    -> Value
  {
    let before = memory.recent
    let value = try compute()
    let used = memory.recent - before
    if used > 0 { memory.recent = before + held(by: value, of: used, isExact: isExact) }
    return value
  }

  /// The minimum memory of a computation whose result is searched for its parts.
  private static let leastSearchedMemory = 4 << 10
  /// The memory of a computation above which every search is exact.
  private static let leastExactMemory = 8 << 20
  /// The divisor of the memory of a computation at which an inexact search stops.
  private static let searchedShare = 8

  /// Returns how much of the memory that a computation used belongs to its result, at most. Parts
  /// that the result shares with earlier values also count.
  private func held(by value: Value, of used: Int, isExact: Bool) -> Int {
    if let bytes = value.ownMemory { return min(used, bytes) }
    guard used > Checker.leastSearchedMemory else { return used }
    let isWhole = isExact || used > Checker.leastExactMemory
    let searched = isWhole ? used : used / Checker.searchedShare
    let size = ValueSize(of: value, upTo: options.limits.parts, memory: searched)
    stepCount += size.parts / 16
    return size.memory < searched ? size.memory : used
  }

  /// Counts the memory of the points of a path.
  func reservePath(_ count: Int, _ span: SourceSpan) -> Bool {
    reserve(count * ValueMemory.point, span)
  }

  /// Counts the memory of a value that is cached until the end of the scene. It remains counted when
  /// an enclosing computation releases its intermediate values.
  func cache(_ value: Value, since before: Int) {
    let used = memory.recent - before
    guard used > 0 else { return }
    memory.cached += held(by: value, of: used, isExact: true)
    memory.recent = before
  }
}

/// The memory of the last result of a fold. Earlier results are no longer in use, except the parts
/// that the last one shares with them.
struct FoldMemory {
  /// The memory before the fold.
  private let before: Int
  /// The memory after the last step.
  private var known: Int
  /// An upper bound of the memory of the last result.
  private var held = 0
  /// The minimum of `nextSearch`.
  private static let leastSearched = 8 << 20
  /// The bound at which the last result is searched for its parts.
  private var nextSearch = leastSearched

  init(of checker: Checker) {
    before = checker.memory.recent
    known = before
  }

  /// Releases the memory of all results except the last one. Returns the steps of the search for its
  /// parts, which is rare enough to take less time than the fold.
  mutating func release(for last: Value, in checker: Checker) -> Int {
    var steps = 0
    held = min(held + checker.memory.recent - known, last.ownMemory ?? .max)
    if held > nextSearch {
      let size = ValueSize(of: last, upTo: checker.options.limits.parts)
      held = min(held, size.memory)
      steps = size.parts / 16
      nextSearch = max(FoldMemory.leastSearched, held * 2)
    }
    known = before + held
    checker.memory.recent = known
    return steps
  }
}

/// The result of a search for the parts of a value.
struct ValueSize {
  private(set) var parts = 0
  /// The memory in bytes. Parts that occur several times count each time.
  private(set) var memory = 0
  private let greatestMemory: Int

  /// Searches a value for its parts, up to an amount of memory. If there are more than `limit`
  /// parts, the memory is unknown and unlimited.
  init(of value: Value, upTo limit: Int, memory: Int = .max) {
    greatestMemory = memory
    add(value, upTo: limit)
    if parts > limit { self.memory = .max }
  }

  private mutating func add(_ value: Value, upTo limit: Int) {
    guard parts <= limit, memory < greatestMemory else { return }
    parts += 1
    memory += value.allocation
    switch value {
    case .pair(let a, let b), .range(let a, let b):
      memory += 2 * ValueMemory.box
      add(a, upTo: limit)
      add(b, upTo: limit)
    case .list(let items):
      memory += ValueMemory.list(items.count)
      for item in items {
        if memory >= greatestMemory { break }
        add(item, upTo: limit)
      }
    case .cell(let cell): memory += ValueMemory.box + cell.text.utf8.count
    case .record(let fields):
      memory += ValueMemory.list(fields.count * 2)
      for field in fields {
        if memory >= greatestMemory { break }
        add(field.1, upTo: limit)
      }
    case .text(let text): add(text, upTo: limit)
    case .path(let path):
      let left = min(limit, (greatestMemory - memory) / ValueMemory.point)
      memory += path.storedPoints(atMost: left) * ValueMemory.point
    // A call of a pixel function captures all values in scope.
    case .pixels, .filter(.pixels): memory = greatestMemory
    default: break
    }
  }

  private mutating func add(_ text: TextExpression, upTo limit: Int) {
    guard parts <= limit, memory < greatestMemory else { return }
    parts += 1
    switch text {
    case .literal(let text): memory += ValueMemory.box + text.utf8.count
    case .number: memory += ValueMemory.number
    case .join(let pieces):
      for piece in pieces {
        if memory >= greatestMemory { break }
        add(piece, upTo: limit)
      }
    case .choose(_, let a, let b), .typed(let a, let b, _):
      memory += ValueMemory.box
      add(a, upTo: limit)
      add(b, upTo: limit)
    }
  }
}

extension Value {
  /// The memory of a value that consists of one or two allocations; `nil` for values with parts,
  /// whose memory is found only by a search.
  fileprivate var ownMemory: Int? {
    switch self {
    case .quantity, .percent, .length, .bool, .word, .none, .emptySum, .element, .box, .poison: 0
    case .color, .easing, .cell, .stop: ValueMemory.box
    case .text(.literal(let text)): ValueMemory.box + text.utf8.count
    case .text(.number): ValueMemory.number
    case .pair(let a, let b), .range(let a, let b):
      a.isScalar && b.isScalar ? 2 * ValueMemory.box : nil
    default: nil
    }
  }

  private var isScalar: Bool {
    switch self {
    case .quantity, .percent, .length, .bool: true
    default: false
    }
  }

  /// The memory of the allocation of a value that is stored in a list; 0 for values without one.
  var allocation: Int {
    switch self {
    case .color, .pattern, .brush, .pixels, .filter, .shadow, .easing, .stop: ValueMemory.box
    case .gradient(let gradient): ValueMemory.box + ValueMemory.stop * gradient.stops.count
    default: 0
    }
  }

  /// The memory that a function allocates for its result; 0 for results without an allocation.
  var storage: Int {
    switch self {
    case .list(let items): ValueMemory.list(items.count)
    case .gradient: allocation
    case .path(let path): path.ownPoints * ValueMemory.point
    default: 0
    }
  }
}

extension TextExpression {
  /// The length of the literals of a text, in bytes, without those of alternatives.
  var literalLength: Int {
    switch self {
    case .literal(let text): text.utf8.count
    case .join(let parts):
      parts.reduce(0) { if case .literal(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    default: 0
    }
  }

  /// The steps of joining the parts of a text, which formats its numbers.
  var partWork: Int {
    if case .join(let parts) = self { parts.count / 2 + literalLength / 64 } else { 0 }
  }
}
