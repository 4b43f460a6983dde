// SPDX-License-Identifier: MIT
import SceneLanguage
import SceneSyntax

// The elements that changes animate.
extension Typer {
  /// The properties of a `change` that control its timing and are not animated.
  static let changeWords: Set<Property> = [.at, .for, .easing, .style]

  /// Returns the element that a `change of` names.
  func host(of target: Expression, _ type: Type) -> Place.Host {
    func element(_ type: Type) -> ElementType? {
      switch type {
      case .element(let it): it
      case .list(let item, _): element(item)
      default: nil
      }
    }
    let name: String? =
      switch target.kind {
      case .reference(let name): name.text
      case .member(_, let name): name.text
      default: nil
      }
    let found = element(type)
    let body = found?.body.map { bodies[$0] }
    return Place.Host(
      kind: found?.kind, definition: body?.definition,
      name: name ?? found?.kind?.rawValue ?? "", isNamed: true, syntax: body?.syntax,
      callee: found?.body.flatMap { callees[$0] })
  }
}
