// SPDX-License-Identifier: MIT

/// A language as a BCP 47 tag, such as `pt-BR`.
package struct LanguageTag: Hashable, Sendable {
  /// The maximum length of a tag, as recommended by RFC 5646 for buffers.
  private static let longest = 35

  package let text: String
  private let primary: String

  /// Creates a tag; `nil` if the text is not well-formed (RFC 5646), or if its language cannot
  /// exist: languages have two letters of ISO 639-1 or three letters. A private tag begins with
  /// `x-`, and tags of the former registry (RFC 3066) with `i-`.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isWellFormed =
      text.utf8.count <= LanguageTag.longest
      && parts.allSatisfy { part in
        (1...8).contains(part.utf8.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
    // A single character begins an extension, whose parts are longer unless it is private.
    let isCut =
      parts.last?.utf8.count == 1 && !parts.dropLast().contains { $0.lowercased() == "x" }
    guard isWellFormed, !isCut, let first = parts.first?.lowercased() else { return nil }
    if first == "i", let language = LanguageTag.formerTags[text.lowercased()] {
      self.text = text
      primary = language
      return
    }
    let isKnown =
      switch first.utf8.count {
      case 1: first == "x"
      case 2: LanguageTag.terminologyCodes[first] != nil
      case 3: first.allSatisfy(\.isLetter)
      default: false
      }
    // Scripts, regions and variants; a single character begins an extension.
    let subtags = parts.dropFirst().prefix { $0.utf8.count > 1 }
    guard isKnown, first == "x" || subtags.allSatisfy(LanguageTag.isSubtag) else { return nil }
    self.text = text
    primary = first
  }

  /// Returns whether a subtag has the form of a language extension, a script, a region or a
  /// variant.
  private static func isSubtag(_ part: Substring) -> Bool {
    let areLetters = part.allSatisfy(\.isLetter)
    switch part.utf8.count {
    case 2: return areLetters && part.lowercased() != "uk"
    case 3: return areLetters || part.allSatisfy(\.isNumber)
    case 4: return areLetters || part.first?.isNumber == true
    default: return true
    }
  }

  /// Returns the tag that an invalid tag probably means: an English or native name of a language, a
  /// tag with `_`, or `uk` as a region, which is Ukraine for Ukrainian. Returns `nil` for other
  /// texts.
  package static func intended(by text: String) -> LanguageTag? {
    var parts = text.split { "-_ ".contains($0) }.map(String.init)
    guard let first = parts.first else { return nil }
    if let tag = names[text.lowercased()] { return LanguageTag(tag) }
    if let tag = names[first.lowercased()] {
      // Further words, as in "English (US)", are ambiguous.
      return parts.count == 1 ? LanguageTag(tag) : nil
    }
    if parts.count > 1, parts[1].lowercased() == "uk" {
      parts[1] = first.lowercased() == "uk" ? "UA" : "GB"
    }
    return LanguageTag(parts.joined(separator: "-"))
  }

  /// The code of ISO 639-2/T, which MP4 requires, such as `deu`; `und` for a private language.
  package var terminology: String {
    LanguageTag.terminologyCodes[primary] ?? (primary.utf8.count == 3 ? primary : "und")
  }

  /// The code of ISO 639-2/B, which Matroska requires, such as `ger`.
  package var bibliographic: String {
    LanguageTag.bibliographicCodes[terminology] ?? terminology
  }

  /// The irregular tags of RFC 5646 that begin with `i-`, with the codes of their languages.
  private static let formerTags = [
    "i-ami": "ami", "i-bnn": "bnn", "i-default": "und", "i-enochian": "und", "i-hak": "hak",
    "i-klingon": "tlh", "i-lux": "lb", "i-mingo": "und", "i-navajo": "nv", "i-pwn": "pwn",
    "i-tao": "tao", "i-tay": "tay", "i-tsu": "tsu",
  ]

  private static let terminologyCodes = pairs(of: codes, lengths: 2)
  private static let bibliographicCodes = pairs(of: otherCodes, lengths: 3)

  /// Returns the last three letters of each word, by its first `lengths` letters.
  private static func pairs(of words: String, lengths: Int) -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: words.split(whereSeparator: \.isWhitespace).map {
        (String($0.prefix(lengths)), String($0.suffix(3)))
      })
  }

  /// The codes of ISO 639-1, each followed by the code of ISO 639-2/T. The last line has the former
  /// codes of the registry of BCP 47.
  private static let codes = """
    aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel
    bgbul bhbih bibis bmbam bnben bobod brbre bsbos cacat ceche chcha cocos crcre csces
    cuchu cvchv cycym dadan dedeu dvdiv dzdzo eeewe elell eneng eoepo esspa etest eueus
    fafas ffful fifin fjfij fofao frfra fyfry gagle gdgla glglg gngrn guguj gvglv hahau
    heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk
    ioido isisl itita iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan
    kokor krkau kskas kukur kvkom kwcor kykir lalat lbltz lglug lilim lnlin lolao ltlit
    lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt mymya nanau nbnob
    ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs
    papan pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd
    sesme sgsag sisin skslk slslv smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe
    swswa tatam tetel tgtgk ththa titir tktuk tltgl tntsn toton trtur tstso tttat twtwi
    tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha
    zhzho zuzul
    inind iwheb jiyid jwjav moron shhbs
    """

  /// The codes of ISO 639-2/T that differ from those of ISO 639-2/B, which follow them.
  private static let otherCodes = """
    bodtib cescze cymwel deuger ellgre eusbaq fasper frafre hyearm islice katgeo mkdmac
    mrimao msamay myabur nlddut ronrum slkslo sqialb zhochi
    """

  /// English and native names of languages with their tags.
  private static let names = Dictionary(
    (englishNames + "\n" + ownNames).split { ",\n".contains($0) }.compactMap { entry in
      entry.lastIndex(of: " ").map {
        (String(entry[..<$0]), String(entry[entry.index(after: $0)...]))
      }
    }, uniquingKeysWith: { first, _ in first })

  private static let englishNames = """
    afrikaans af,albanian sq,amharic am,arabic ar,armenian hy,azerbaijani az,basque eu
    belarusian be,bengali bn,bosnian bs,bulgarian bg,burmese my,cantonese yue,catalan ca
    chinese zh,croatian hr,czech cs,danish da,dutch nl,english en,esperanto eo,estonian et
    farsi fa,filipino fil,finnish fi,flemish nl,french fr,galician gl,georgian ka,german de
    greek el,gujarati gu,hebrew he,hindi hi,hungarian hu,icelandic is,indonesian id,irish ga
    italian it,japanese ja,kannada kn,kazakh kk,khmer km,korean ko,kurdish ku,lao lo,latin la
    latvian lv,lithuanian lt,macedonian mk,malay ms,malayalam ml,maltese mt,mandarin zh
    marathi mr,mongolian mn,nepali ne,norwegian no,pashto ps,persian fa,polish pl
    portuguese pt,punjabi pa,romanian ro,russian ru,serbian sr,sinhala si,slovak sk
    slovenian sl,somali so,spanish es,swahili sw,swedish sv,tagalog tl,tamil ta,telugu te
    thai th,tibetan bo,turkish tr,ukrainian uk,urdu ur,uzbek uz,vietnamese vi,welsh cy
    yiddish yi,zulu zu
    """

  /// The native names of languages, in lower case.
  private static let ownNames = """
    bahasa indonesia id,bahasa melayu ms,basa jawa jv,català ca,cymraeg cy,čeština cs,dansk da
    deutsch de,eesti et,español es,castellano es,euskara eu,français fr,gaeilge ga,galego gl
    hausa ha,hrvatski hr,igbo ig,íslenska is,italiano it,kiswahili sw,kurdî ku,latviešu lv
    lietuvių lt,magyar hu,malti mt,nederlands nl,norsk no,bokmål nb,nynorsk nn,o‘zbek uz
    oʻzbekcha uz,polski pl,português pt,română ro,shqip sq,slovenčina sk,slovenščina sl,soomaali so
    suomi fi,svenska sv,tiếng việt vi,türkçe tr,azərbaycan az,yorùbá yo,isizulu zu
    ελληνικά el,беларуская be,български bg,қазақша kk,македонски mk,монгол mn,русский ru
    српски sr,українська uk,հայերեն hy,ქართული ka,עברית he,ייִדיש yi
    العربية ar,اردو ur,فارسی fa,پښتو ps,አማርኛ am,ትግርኛ ti
    हिन्दी hi,हिंदी hi,मराठी mr,नेपाली ne,বাংলা bn,ਪੰਜਾਬੀ pa,ગુજરાતી gu,ଓଡ଼ିଆ or,தமிழ் ta
    తెలుగు te,ಕನ್ನಡ kn,മലയാളം ml,සිංහල si,ไทย th,ລາວ lo,မြန်မာ my,ဗမာစာ my,ខ្មែរ km
    中文 zh,汉语 zh,漢語 zh,普通话 zh,粵語 yue,粤语 yue,日本語 ja,한국어 ko,བོད་ཡིག bo
    """
}
