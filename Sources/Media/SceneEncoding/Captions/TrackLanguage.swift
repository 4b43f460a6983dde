// SPDX-License-Identifier: MIT

/// The language of a track in the three letters of ISO 639-2, which files store.
struct TrackLanguage {
  /// The terminology code, which MP4 requires, such as `deu`; `und` for an unknown language.
  let terminology: String
  /// The bibliographic code, which Matroska requires, such as `ger`.
  var bibliographic: String { TrackLanguage.bibliographic[terminology] ?? terminology }

  /// Converts a BCP 47 tag, whose first part is a code with two or three letters.
  init(_ tag: String) {
    let first = (tag.split(separator: "-").first ?? "").lowercased()
    terminology =
      TrackLanguage.terminology[first]
      ?? (first.utf8.count == 3 && first.allSatisfy { ("a"..."z").contains($0) } ? first : "und")
  }

  private static let terminology = Dictionary(
    uniqueKeysWithValues: codes.split(whereSeparator: \.isWhitespace).map {
      (String($0.prefix(2)), String($0.suffix(3)))
    })
  private static let bibliographic = Dictionary(
    uniqueKeysWithValues: otherCodes.split(whereSeparator: \.isWhitespace).map {
      (String($0.prefix(3)), String($0.suffix(3)))
    })

  /// The codes of ISO 639-1, each followed by the code of ISO 639-2/T.
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
    """

  /// The codes of ISO 639-2/T that differ from those of ISO 639-2/B, which follow them.
  private static let otherCodes = """
    bodtib cescze cymwel deuger ellgre eusbaq fasper frafre hyearm islice katgeo mkdmac
    mrimao msamay myabur nlddut ronrum slkslo sqialb zhochi
    """
}
