// SPDX-License-Identifier: MIT

extension HostileFiles {
  private static func svg(_ inner: String, _ size: String = "width='64' height='64'") -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(size)>\(inner)</svg>"
  }

  private static func filtered(_ filter: String, _ place: String = "") -> String {
    svg(
      "<filter id='f' \(place)>\(filter)</filter><rect x='9' y='9' width='40' height='40' filter='url(#f)'/>"
    )
  }

  private static func chain(_ kind: String, _ count: Int, _ body: (Int) -> String) -> String {
    svg(
      "<defs>\((0..<count).map { "<\(kind) id='n\($0)'>\(body($0 + 1))</\(kind)>" }.joined())</defs>"
        + "<rect width='64' height='64' fill='url(#n0)' mask='url(#n0)' clip-path='url(#n0)'/><use href='#n0'/>"
    )
  }

  private static func entities(_ levels: Int, _ copies: Int) -> String {
    var list = "<!ENTITY a0 'lol'>"
    for level in 1...levels {
      let text = String(repeating: "&a\(level - 1);", count: copies)
      list += "<!ENTITY a\(level) '\(text)'>"
    }
    return "<?xml version='1.0'?><!DOCTYPE svg [\(list)]>" + svg("<text y='20'>&a\(levels);</text>")
  }

  /// SVGs that crash librsvg 2.54, never end, or request resources that they must not get.
  static let vectors: [(name: String, text: String)] = [
    ("language", "<svg><style>:lang(x-cn) { }</style><g xml:lang='en'/></svg>"),
    ("tile", filtered("<feFlood x='50' y='50' width='10' height='10'/><feTile/>")),
    ("large-text", svg("<text style='font-size:1e7px;'>A</text>")),
    ("long-text", svg("<text font-size='1e6'>\(String(repeating: "W", count: 100_000))</text>")),
    ("octaves", filtered("<feTurbulence numOctaves='33333333333'/>")),
    ("some-octaves", filtered("<feTurbulence baseFrequency='0.01' numOctaves='20000'/>")),
    (
      "convolve",
      filtered(
        "<feConvolveMatrix order='50' kernelMatrix='\(String(repeating: "1 ", count: 2500))'/>")
    ),
    (
      "convolve-large",
      filtered(
        "<feConvolveMatrix order='1000' kernelMatrix='\(String(repeating: "1 ", count: 100_000))'/>"
      )
    ),
    (
      "blur",
      filtered(
        "<feGaussianBlur stdDeviation='100000'/>",
        "x='-1000000' y='-1000000' width='2000000' height='2000000'")
    ),
    ("morphology", filtered("<feMorphology operator='dilate' radius='100000'/>")),
    ("displacement", filtered("<feDisplacementMap in='SourceGraphic' scale='1e30'/>")),
    (
      "lighting",
      filtered(
        "<feDiffuseLighting surfaceScale='1e30'><fePointLight x='1e30'/></feDiffuseLighting>")
    ),
    ("filters", filtered(String(repeating: "<feGaussianBlur stdDeviation='9'/>", count: 4000))),
    (
      "merge", filtered("<feMerge>\(String(repeating: "<feMergeNode/>", count: 20_000))</feMerge>")
    ),
    ("entities", entities(9, 10)),
    ("entities-small", entities(4, 10)),
    (
      "entity-outside",
      "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        + svg("<text y='20'>&x;</text>")
    ),
    (
      "definition-outside",
      "<?xml version='1.0'?><!DOCTYPE svg SYSTEM 'http://127.0.0.1:9/x.dtd'>" + svg("")
    ),
    (
      "include",
      svg(
        "<text y='9'><xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='/etc/passwd' parse='text'/></text>"
      )
    ),
    (
      "style-outside",
      svg(
        "<style>@import url('file:///etc/passwd'); @font-face{font-family:x;src:url(/etc/passwd)}</style><text font-family='x'>a</text>"
      )
    ),
    ("image-absolute", svg("<image xlink:href='/etc/passwd' width='9' height='9'/>")),
    ("image-address", svg("<image href='file:///etc/passwd' width='9' height='9'/>")),
    ("image-beside", svg("<image href='photo.png' width='9' height='9'/>")),
    ("image-itself", svg("<image href='image-itself.svg' width='9' height='9'/>")),
    ("image-bmp", svg("<image href='data:image/bmp;base64,Qk0=' width='9' height='9'/>")),
    ("image-cut", svg("<image href='data:image/png;base64,iVBORw0KGgo=' width='9' height='9'/>")),
    ("use-outside", svg("<use href='other.svg#a'/>")),
    (
      "uses",
      svg(
        "<defs><g id='n0'><rect width='1' height='1'/></g>"
          + (1..<10).map { level in
            "<g id='n\(level)'>\(String(repeating: "<use href='#n\(level - 1)'/>", count: 10))</g>"
          }.joined() + "</defs><use href='#n9'/>")
    ),
    ("use-itself", svg("<g id='a'><use href='#a'/></g>")),
    ("patterns", chain("pattern", 200) { "<rect width='64' height='64' fill='url(#n\($0))'/>" }),
    (
      "pattern-itself",
      svg(
        "<pattern id='p' width='.1' height='.1'><rect fill='url(#p)' width='9' height='9'/></pattern><rect fill='url(#p)' width='64' height='64'/>"
      )
    ),
    ("masks", chain("mask", 60) { "<rect width='64' height='64' mask='url(#n\($0))'/>" }),
    ("clips", chain("clipPath", 100) { "<rect width='64' height='64' clip-path='url(#n\($0))'/>" }),
    (
      "markers",
      svg(
        "<marker id='m' markerWidth='9'><path d='M0 0L1 1' marker-mid='url(#m)'/></marker><path d='M0 0\(String(repeating: "L1 1", count: 4000))' marker-mid='url(#m)' stroke='red'/>"
      )
    ),
    ("huge", svg("<rect width='1' height='1'/>", "width='32000' height='32000'")),
    ("endless", svg("", "width='1e9' height='1e9'")),
    ("no-number", svg("", "width='nan' height='64'")),
    ("negative", svg("", "width='-5' height='64'")),
    ("nothing", svg("", "width='0' height='0'")),
    ("no-size", svg("<circle r='9'/>", "")),
    ("percent", svg("", "width='100000%' height='5%'")),
    ("narrow", svg("<rect width='40000' height='1'/>", "width='40000' height='1'")),
    (
      "large",
      svg("<circle r='4000' cx='4000' cy='4000' fill='red'/>", "width='7999' height='7999'")
    ),
    (
      "deep",
      svg(String(repeating: "<g>", count: 100_000) + String(repeating: "</g>", count: 100_000))
    ),
    (
      "deep-opacity",
      svg(
        String(repeating: "<g opacity='0.5'>", count: 2000) + "<rect width='5' height='5'/>"
          + String(repeating: "</g>", count: 2000))
    ),
    ("attributes", svg("<rect \((0..<30_000).map { "a\($0)='1'" }.joined(separator: " "))/>")),
    ("points", svg("<path d='M0 0\(String(repeating: " L1 1", count: 1_000_000))'/>")),
    (
      "dashes",
      svg("<path d='M0 0 L1e9 1e9' stroke='red' stroke-width='1e6' stroke-dasharray='0.0001'/>")
    ),
    ("rectangles", svg(String(repeating: "<rect width='1' height='1'/>", count: 300_000))),
    ("many-rectangles", svg(String(repeating: "<rect width='1' height='1'/>", count: 600_000))),
    (
      "selectors",
      svg(
        "<style>\(String(repeating: "g * * * * * rect{fill:red}", count: 3000))</style>"
          + String(repeating: "<g>", count: 90) + "<rect/>" + String(repeating: "</g>", count: 90))
    ),
    (
      "transforms",
      svg(
        "<g transform='\(String(repeating: "scale(1e30)", count: 50))'><rect width='9' height='9' stroke='red'/></g>"
      )
    ),
    ("cut", "<svg xmlns='http://www.w3.org/2000/svg'><rect"),
    ("script", svg("<script>while(1){}</script>")),
    (
      "foreign",
      svg("<foreignObject width='9' height='9'><iframe src='file:///etc/passwd'/></foreignObject>")
    ),
    ("empty", "<svg"),
    (
      "gradient-itself",
      svg(
        "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#a'/><rect width='9' height='9' fill='url(#a)'/>"
      )
    ),
    (
      "stops",
      svg(
        "<linearGradient id='a'>\(String(repeating: "<stop offset='0.5'/>", count: 30_000))</linearGradient><rect width='64' height='64' fill='url(#a)'/>"
      )
    ),
    (
      "viewbox",
      svg("<rect width='9' height='9'/>", "viewBox='0 0 1e-30 1e-30' width='64' height='64'")
    ),
  ]
}
