// SPDX-License-Identifier: MIT

/// A context-free grammar read from ISO 14977 EBNF, with repetition and choice converted to rules.
package struct Grammar {
  package enum Symbol: Hashable {
    case rule(Int)
    /// A quoted word, or a class of tokens in capitals.
    case terminal(String)
  }

  package private(set) var names: [String] = []
  /// The alternatives of each rule.
  package private(set) var rules: [[[Symbol]]] = []
  private var index: [String: Int] = [:]
  /// The minimum number of derivation steps for each rule.
  package private(set) var heights: [Int] = []
  private var isNullable: [Bool] = []

  package init(_ text: String) {
    var scanner = Scanner(text)
    while let name = scanner.next() {
      guard scanner.next() == "=" else { preconditionFailure("'=' behind \(name)") }
      let rule = rule(named: name)
      rules[rule] = choice(&scanner)
      guard scanner.next() == ";" else { preconditionFailure("';' behind \(name)") }
    }
    measure()
    findNullable()
  }

  package func rule(_ name: String) -> Int? { index[name] }

  private mutating func rule(named name: String) -> Int {
    if let known = index[name] { return known }
    let made = anonymous()
    names[made] = name
    index[name] = made
    return made
  }

  private mutating func anonymous() -> Int {
    names.append("(\(rules.count))")
    rules.append([])
    return rules.count - 1
  }

  private mutating func choice(_ scanner: inout Scanner) -> [[Symbol]] {
    var alternatives = [sequence(&scanner)]
    while scanner.peek == "|" {
      _ = scanner.next()
      alternatives.append(sequence(&scanner))
    }
    return alternatives
  }

  private mutating func sequence(_ scanner: inout Scanner) -> [Symbol] {
    var symbols = [term(&scanner)]
    while scanner.peek == "," {
      _ = scanner.next()
      symbols.append(term(&scanner))
    }
    return symbols
  }

  private mutating func term(_ scanner: inout Scanner) -> Symbol {
    guard let word = scanner.next() else { preconditionFailure("the grammar ends in a rule") }
    if word.hasPrefix("\"") { return .terminal(String(word.dropFirst().dropLast())) }
    guard ["(", "[", "{"].contains(word) else {
      return word == word.uppercased() ? .terminal(word) : .rule(rule(named: word))
    }
    let made = anonymous()
    let inner = choice(&scanner)
    _ = scanner.next()
    switch word {
    case "[": rules[made] = [[]] + inner
    case "{": rules[made] = [[]] + inner.map { $0 + [.rule(made)] }
    default: rules[made] = inner
    }
    return .rule(made)
  }

  private mutating func measure() {
    heights = [Int](repeating: 1_000_000, count: rules.count)
    var changed = true
    while changed {
      changed = false
      for (rule, alternatives) in rules.enumerated() {
        for symbols in alternatives where height(of: symbols) + 1 < heights[rule] {
          heights[rule] = height(of: symbols) + 1
          changed = true
        }
      }
    }
  }

  private func height(of symbols: [Symbol]) -> Int {
    symbols.map { if case .rule(let rule) = $0 { heights[rule] } else { 0 } }.max() ?? 0
  }

  // MARK: Derivation

  /// Returns a random sentence of a rule. After about `length` tokens, the shortest derivation is
  /// used.
  package func sentence(
    of rule: Int, length: Int, using random: inout some RandomNumberGenerator
  ) -> [String] {
    var words: [String] = []
    append(rule, length, to: &words, using: &random)
    return words
  }

  private func append(
    _ rule: Int, _ length: Int, to words: inout [String],
    using random: inout some RandomNumberGenerator
  ) {
    let alternatives = rules[rule]
    var choice = alternatives.randomElement(using: &random) ?? []
    if words.count >= length {
      choice = alternatives.min { height(of: $0) < height(of: $1) } ?? []
    }
    for symbol in choice {
      switch symbol {
      case .terminal(let word): words.append(word)
      case .rule(let next): append(next, length, to: &words, using: &random)
      }
    }
  }

  // MARK: Recognition

  private struct Item: Hashable {
    let rule: Int
    let alternative: Int
    let dot: Int
    let origin: Int
  }

  /// Returns whether the tokens can be derived (J. Earley 1970, with Aycock and Horspool's handling
  /// of empty rules).
  ///
  /// `matches` returns whether a token is an instance of a terminal.
  package func derives(
    _ rule: Int, _ count: Int, matches: (_ terminal: String, _ token: Int) -> Bool
  ) -> Bool {
    var sets = [[Item]](repeating: [], count: count + 1)
    var seen = [Set<Item>](repeating: [], count: count + 1)
    func add(_ item: Item, _ position: Int) {
      if seen[position].insert(item).inserted { sets[position].append(item) }
    }
    for alternative in rules[rule].indices {
      add(Item(rule: rule, alternative: alternative, dot: 0, origin: 0), 0)
    }
    for position in 0...count {
      var next = 0
      while next < sets[position].count {
        let item = sets[position][next]
        next += 1
        let symbols = rules[item.rule][item.alternative]
        func advanced(_ it: Item) -> Item {
          Item(rule: it.rule, alternative: it.alternative, dot: it.dot + 1, origin: it.origin)
        }
        guard item.dot < symbols.count else {
          for waiting in sets[item.origin] {
            let expected = rules[waiting.rule][waiting.alternative]
            if waiting.dot < expected.count, expected[waiting.dot] == .rule(item.rule) {
              add(advanced(waiting), position)
            }
          }
          continue
        }
        switch symbols[item.dot] {
        case .rule(let wanted):
          for alternative in rules[wanted].indices {
            add(Item(rule: wanted, alternative: alternative, dot: 0, origin: position), position)
          }
          if isNullable[wanted] { add(advanced(item), position) }
        case .terminal(let terminal):
          if position < count, matches(terminal, position) { add(advanced(item), position + 1) }
        }
      }
    }
    return sets[count].contains {
      $0.rule == rule && $0.origin == 0 && $0.dot == rules[rule][$0.alternative].count
    }
  }

  private mutating func findNullable() {
    var nullable = [Bool](repeating: false, count: rules.count)
    var changed = true
    while changed {
      changed = false
      for rule in rules.indices where !nullable[rule] {
        let empty = rules[rule].contains { symbols in
          symbols.allSatisfy { if case .rule(let it) = $0 { nullable[it] } else { false } }
        }
        if empty {
          nullable[rule] = true
          changed = true
        }
      }
    }
    isNullable = nullable
  }
}

/// The words of an EBNF text without comments.
private struct Scanner {
  private var words: [String] = []
  private var position = 0

  init(_ text: String) {
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("(*") {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.hasPrefix("*)") { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else if first == "\"" {
        let inner = rest.dropFirst().prefix { $0 != "\"" }
        words.append("\"\(inner)\"")
        rest = rest.dropFirst(inner.count + 2)
      } else if first.isLetter {
        let word = rest.prefix { $0.isLetter || $0 == "-" || $0 == "_" }
        words.append(String(word))
        rest = rest.dropFirst(word.count)
      } else {
        words.append(String(first))
        rest.removeFirst()
      }
    }
  }

  var peek: String? { position < words.count ? words[position] : nil }

  mutating func next() -> String? {
    guard position < words.count else { return nil }
    position += 1
    return words[position - 1]
  }
}

/// A deterministic generator: SplitMix64 (Steele, Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
