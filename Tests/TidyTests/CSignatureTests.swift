// SPDX-License-Identifier: MIT
import SceneTestSupport
import Testing

/// A rule for the parameters of functions in C and C++.
@Suite("Signatures in C", .cpuBudget(seconds: 1)) struct CSignatureTests {
  /// Functions whose signatures are prescribed by a library.
  private static let callbacks: Set = [
    // HarfBuzz passes each coordinate of a curve separately.
    "scene_math_curve"
  ]

  @Test func functionsHaveAtMostSixParameters() throws {
    var found: Set<String> = []
    for ending in [".h", ".c", ".cpp"] {
      for file in Repository.files(in: "Sources/C", ending: ending) {
        for function in CScan(try Repository.text(file)).functions where function.count > 6 {
          found.insert(function.name)
          let isCallback = Self.callbacks.contains(function.name)
          #expect(
            isCallback, "\(file): \(function.name) has \(function.count) parameters; pass a struct")
        }
      }
    }
    #expect(found == Self.callbacks)
  }

  @Test func theScannerCountsParameters() {
    let functions = CScan(
      """
      #define MACRO(a, b, c) \\
        other(a, b, c)
      extern "C" {
      // comment(a, b)
      typedef struct { int (*member)(int a, int b); } scene_struct;
      __attribute__((pure)) static inline int first(void);
      int second(int (*callback)(int, int), const char *text) { return third("a(", 1, 2); }
      static __attribute__((noinline)) void fourth(
          int a, int b, int c) /* (d, e) */ {
        while (a) fifth(a, b);
      }
      }
      """
    ).functions
    #expect(functions.map(\.name) == ["first", "second", "fourth"])
    #expect(functions.map(\.count) == [1, 2, 3])
  }
}
