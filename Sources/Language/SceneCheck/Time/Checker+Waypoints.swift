// SPDX-License-Identifier: MIT
import SceneDiagnostics
import SceneModel
import SceneSyntax
import SceneText

extension Checker {
  /// Warns about a motion with literal values outside the range of its property.
  func warnOfWaypoints(
    _ motion: Expression, beyond range: ClosedRange<Double>, of what: String,
    label: (Double) -> String
  ) {
    for (value, span) in motion.waypoints where !range.contains(value) {
      report(
        Diagnostic(
          .shareOutOfRange, "\(what) goes to \(NumberFormat().text(value))", at: span,
          label: label(value)))
      return
    }
  }
}

extension Expression {
  /// The literal numbers among the values of a motion.
  fileprivate var waypoints: [(value: Double, span: SourceSpan)] {
    let stops: [Expression] =
      switch kind {
      case .tween(let first, let legs): [first] + legs.map(\.value)
      case .keyframes(let items): items.flatMap(\.values)
      default: []
      }
    return stops.compactMap { stop in stop.share.map { ($0, stop.span) } }
  }

  private var share: Double? {
    switch kind {
    case .number(let value, nil): value
    case .number(let value, .percent): value / 100
    case .unary(.minus, let inner): inner.share.map { -$0 }
    default: nil
    }
  }
}

extension KeyItem {
  fileprivate var values: [Expression] {
    switch self {
    case .key(_, let value, _): [value]
    case .loop(_, _, _, let keys): keys.flatMap(\.values)
    }
  }
}
