// SPDX-License-Identifier: MIT
import Foundation

/// Development tools for the project itself, such as benchmarks, playback tests and stills of the
/// examples.
let words = Array(CommandLine.arguments.dropFirst())
// Results are measured and compared, so nothing may come from the cache of earlier runs.
unsafe setenv("SCENEC_CACHE", "", 1)
do {
  switch words.first {
  case "bench": try Benchmark().run(only: Array(words.dropFirst()))
  case "play" where words.dropFirst() == ["formats"]: try BrowserFormats.run()
  case "play" where words.count == 2: try Playback.run(words[1])
  case "stills": try Stills.run(Array(words.dropFirst()))
  case "editors": try Editors.run()
  case "shells" where words.count == 2: try Shells.run(words[1])
  case "references": try References.run()
  case "mutate" where words.count == 3:
    guard let seconds = Double(words[1]), let seed = UInt64(words[2]) else { exit(2) }
    var mutations = try Mutations(seed: seed)
    exit(try mutations.run(seconds: seconds) == 0 ? 0 : 1)
  case "gallery" where words.count == 1: try Gallery().write()
  case "gallery" where words.dropFirst() == ["check"]:
    let found = try Gallery().differences()
    for line in found { print(line) }
    exit(found.isEmpty ? 0 : 1)
  case "cookbook" where words.count == 1: try Cookbook().write()
  case "cookbook" where words.dropFirst() == ["check"]:
    let found = try Cookbook().differences()
    for line in found { print(line) }
    exit(found.isEmpty ? 0 : 1)
  case "formulas" where words.count == 2: try FormulaPlaces.print(words[1])
  case "site" where words.count == 2: try Site(words[1]).build()
  case "compare" where words.count == 3:
    let found = try Comparison(old: words[1], new: words[2]).run()
    for line in found { print("differs: \(line)") }
    exit(found.isEmpty ? 0 : 1)
  case "whole" where (2...3).contains(words.count):
    guard let count = Int(words[1]), let seed = UInt64(words.count > 2 ? words[2] : "1") else {
      throw Failure(description: "whole takes a count and a first seed")
    }
    exit(try WholeBuilds().run(count: count, firstSeed: seed) == 0 ? 0 : 1)
  case "edits" where (2...3).contains(words.count):
    guard let count = Int(words[1]), let seed = UInt64(words.count > 2 ? words[2] : "1") else {
      throw Failure(description: "edits takes a count and a first seed")
    }
    exit(try EditedBuilds().run(count: count, firstSeed: seed) == 0 ? 0 : 1)
  case "store" where (2...3).contains(words.count):
    guard let count = Int(words[1]), let seed = UInt64(words.count > 2 ? words[2] : "1") else {
      throw Failure(description: "store takes a count and a seed")
    }
    exit(try StoreTrials().run(count: count, seed: seed) == 0 ? 0 : 1)
  case "sync" where (1...2).contains(words.count):
    guard let minutes = Double(words.count > 1 ? words[1] : "60") else { exit(2) }
    try LongSync(minutes: minutes).run()
  case "seeds" where words.count == 2 && !words[1].hasPrefix("-"): try Seeds.run(words[1])
  default:
    print(
      "usage: scenec-dev bench [S1 …|drawing|film|media|joins|shards|check [OLD]] | play formats|FILE.mp4 | stills [EXAMPLE …] | gallery [check] | cookbook [check] | formulas FILE | site FOLDER | editors | shells FOLDER | references | compare OLD NEW | seeds FOLDER | mutate SECONDS SEED | whole COUNT [SEED] | edits COUNT [SEED] | store COUNT [SEED] | sync [MINUTES]"
    )
    exit(2)
  }
} catch {
  print("scenec-dev: \(error)")
  exit(1)
}
