// SPDX-License-Identifier: MIT

/// The code of a diagnostic. A code never changes its meaning.
///
/// The first letter is the severity; the second digit the family: 1 syntax, 2 names, 3 values, 4
/// time, 5 assets, 6 limits, 7 expectations, 8 output, 9 scenec itself.
package enum Code: String, Hashable, Sendable, CaseIterable {
  case invalidUTF8 = "E0101"
  case unexpectedCharacter = "E0102"
  case unterminatedString = "E0103"
  case invalidEscape = "E0104"
  case newlineInInterpolation = "E0105"
  case unterminatedComment = "E0106"
  case invalidNumber = "E0107"
  case invalidColor = "E0108"
  case unexpectedToken = "E0109"
  case unclosedBracket = "E0110"
  case braceOnNextLine = "E0111"
  case chainedOperator = "E0112"
  case missingSeparator = "E0113"
  case tweenNeedsParentheses = "E0114"

  case unknownProperty = "E0201"
  case unknownElement = "E0202"
  case unknownName = "E0203"
  case propertyTwice = "E0204"
  case nameTwice = "E0205"
  case propertyElsewhere = "E0206"
  case unknownFunction = "E0207"
  case unknownMember = "E0208"
  case cycle = "E0209"
  case misplacedElement = "E0210"
  case noScene = "E0211"
  case unknownScene = "E0212"
  case misplacedDeclaration = "E0213"

  case typeMismatch = "E0301"
  case operandMismatch = "E0302"
  case wrongArguments = "E0303"
  case unknownWord = "E0304"
  case outOfRange = "E0305"
  case notConstant = "E0306"
  case indexOutOfRange = "E0307"
  case notFinite = "E0308"
  case missingProperty = "E0309"
  case notMixable = "E0310"
  case recursion = "E0311"

  case noLength = "E0401"
  case keysOutOfOrder = "E0402"
  case invalidFrameRate = "E0403"
  case emptyMotion = "E0404"

  case fileNotFound = "E0501"
  case outsideRoot = "E0502"
  case undecodable = "E0503"
  case unknownFont = "E0504"
  case invalidPathData = "E0505"
  case invalidFormula = "E0512"
  case noPictures = "E0508"
  case noSound = "E0509"
  case noOutline = "E0510"

  case limitExceeded = "E0601"

  case oddSize = "E0801"
  case invalidOutputSetting = "E0802"
  case transparentOutput = "E0803"

  case internalError = "E0901"

  case unusedName = "W0201"
  case shadowsBuiltIn = "W0202"
  case uselessAllow = "W0203"

  case neverSeen = "W0301"
  case textOffCanvas = "W0302"
  case outsideSafeArea = "W0303"
  case textOverText = "W0304"
  case lowContrast = "W0305"
  case smallText = "W0306"
  case shareOutOfRange = "W0307"
  case notInvertible = "W0308"
  case strayClip = "W0309"
  case idleProperty = "W0310"
  case foreignView = "W0311"
  case textBeyondPath = "W0312"

  case keyOutsideLife = "W0401"
  case openLoop = "W0402"
  case nothingMoves = "W0403"
  case fastCaption = "W0404"
  case sequenceGap = "W0405"
  case longTransition = "W0406"
  case clipEnds = "W0407"
  case soundCut = "W0408"
  case unevenPictures = "W0409"
  case longFade = "W0410"
  case trimBeyond = "W0412"
  case nothingShown = "W0413"
  case pitchFollows = "W0414"
  case emptyStep = "W0415"

  case otherFont = "W0503"
  case missingGlyph = "W0504"
  case enlargedImage = "W0505"
  case incompleteImage = "W0506"
  case interlaced = "W0507"
  case mappedRange = "W0508"
  case notCopied = "W0509"
  case neverHeard = "W0510"
  case noBeat = "W0511"
  case limitedSound = "W0512"
  case idleDrawing = "W0513"
  case ignoredMarkup = "W0514"
  case idleAxis = "W0515"
  case flashes = "W0516"
  case placeholder = "W0517"
  case trackWithoutLanguage = "W0518"
  case descriptionOverSpeech = "W0519"
  case invalidSamples = "W0520"

  case expectationFails = "W0701"
  case notProven = "W0702"
  case unknownContrast = "W0703"
  case goldenDiffers = "W0704"

  /// Whether the diagnostic requires the audio mix or the frames, so that only a build reports it,
  /// not a check.
  package var needsBuild: Bool {
    self == .limitedSound || self == .flashes || self == .goldenDiffers
  }

  /// Whether the error may follow from a syntax error anywhere in the file, such as an unknown name
  /// whose declaration is broken.
  package var mayFollowFromSyntax: Bool {
    switch self {
    case .missingProperty, .wrongArguments, .unknownWord, .noLength: true
    default: rawValue.hasPrefix("E02")
    }
  }

  package var severity: Severity { rawValue.hasPrefix("E") ? .error : .warning }
}

/// The severity of a diagnostic; an error prevents a build.
package enum Severity: String, Hashable, Sendable {
  case error, warning
}
