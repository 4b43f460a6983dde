// SPDX-License-Identifier: MIT
import CCairo
import Synchronization

/// The lock around everything that lets Cairo load glyphs.
///
/// Cairo 1.16 cannot load glyphs on several threads:
///
/// - It keeps ten FreeType faces open. For each further font it closes another face, possibly one
///   that a different thread is about to use. It also opens faces without the lock that FreeType
///   requires. Both corrupt memory.
/// - If its glyph cache is full, one thread holds the lock of the cache and waits for that of a
///   font, while another holds the lock of that font and waits for the cache.
///
/// Fonts are freed outside the lock, when layouts and contexts are freed. Therefore a face that was
/// used stays locked for the lifetime of the process. The number of fonts bounds their number.
enum GlyphLock {
  /// The file and index of each face that stays open.
  private static let faces = Mutex<Set<String>>([])

  /// Lays out a text, and keeps the faces of its runs open.
  static func shape(_ body: () -> [ShapedRun]) -> [ShapedRun] {
    faces.withLock { faces in
      let runs = body()
      for run in runs {
        guard let face = run.face?.address, faces.insert(face).inserted else { continue }
        run.keepFaceOpen()
      }
      return runs
    }
  }

  /// Runs `body`, which measures or draws glyphs, while holding the lock.
  static func withLock<Result>(_ body: () -> Result) -> Result { faces.withLock { _ in body() } }
}
