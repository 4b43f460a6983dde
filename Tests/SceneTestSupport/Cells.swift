// SPDX-License-Identifier: MIT

/// The luminance and redness of the cells of a picture, as the kernel for flashes computes them.
package struct Cells: Sendable {
  /// A color in linear light.
  package struct Light: Hashable, Sendable {
    package var red, green, blue: Double

    package init(red: Double, green: Double, blue: Double) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }

    package static func gray(_ luminance: Double) -> Light {
      Light(red: luminance, green: luminance, blue: luminance)
    }

    package static let black = gray(0)
    package static let white = gray(1)

    package var luminance: Double { 0.2126 * red + 0.7152 * green + 0.0722 * blue }

    fileprivate var bytes: (luminance: UInt8, red: UInt8) {
      let sum = red + green + blue
      let rho = sum > 0 && red / sum >= 0.8 ? max(0, red - green - blue) : 0
      return (UInt8((luminance.squareRoot() * 255).rounded()), UInt8((rho * 255).rounded()))
    }
  }

  package let columns: Int
  package let rows: Int
  package let luminance: [UInt8]
  package let red: [UInt8]

  package init(columns: Int, rows: Int, luminance: [UInt8], red: [UInt8]) {
    (self.columns, self.rows) = (columns, rows)
    (self.luminance, self.red) = (luminance, red)
  }

  /// Creates the cells of a picture that has a color at each column and row.
  package init(columns: Int, rows: Int, of picture: (_ x: Int, _ y: Int) -> Light) {
    var (luminance, red) = ([UInt8](), [UInt8]())
    // Neighboring cells often have the same color.
    var last = Light.black
    var bytes = last.bytes
    for y in 0..<rows {
      for x in 0..<columns {
        let light = picture(x, y)
        if light != last { (last, bytes) = (light, light.bytes) }
        luminance.append(bytes.luminance)
        red.append(bytes.red)
      }
    }
    self.init(columns: columns, rows: rows, luminance: luminance, red: red)
  }

  /// The same cells with left and right swapped.
  package var mirrored: Cells {
    func mirror(_ values: [UInt8]) -> [UInt8] {
      (0..<rows).flatMap { row in values[row * columns..<(row + 1) * columns].reversed() }
    }
    return Cells(columns: columns, rows: rows, luminance: mirror(luminance), red: mirror(red))
  }
}
