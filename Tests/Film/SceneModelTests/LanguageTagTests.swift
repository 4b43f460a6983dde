// SPDX-License-Identifier: MIT
import SceneModel
import SceneTestSupport
import Testing

/// BCP 47 tags and the codes that files store.
@Suite("Language tags", .cpuBudget(seconds: 1)) struct LanguageTagTests {
  @Test(arguments: [
    ("en", "eng", "eng"), ("de-AT", "deu", "ger"), ("zh-Hant-TW", "zho", "chi"),
    ("PT-br", "por", "por"), ("es-419", "spa", "spa"), ("de-1996", "deu", "ger"),
    ("sl-rozaj", "slv", "slv"), ("en-u-ca-gregory", "eng", "eng"), ("eng", "eng", "eng"),
    ("gsw", "gsw", "gsw"), ("iw", "heb", "heb"), ("x-klingon", "und", "und"),
    ("i-klingon", "tlh", "tlh"), ("I-LUX", "ltz", "ltz"), ("i-default", "und", "und"),
    ("sgn-BE-FR", "sgn", "sgn"), ("zh-min-nan", "zho", "chi"), ("en-GB-oed", "eng", "eng"),
    ("en-x-y", "eng", "eng"), ("fr-CA", "fra", "fre"),
  ])
  func tagsHaveCodes(_ text: String, terminology: String, bibliographic: String) throws {
    let tag = try #require(LanguageTag(text))
    #expect(tag.text == text && tag.terminology == terminology)
    #expect(tag.bibliographic == bibliographic)
  }

  @Test(arguments: [
    "", "english", "English", "e", "x", "xx", "en_US", "en-", "-en", "../x", "en us", "12", "e1",
    "i", "i-", "i-english", "i-klingon-de", "uk-UK", "deutsch", "latn", "én", "en-UK", "en-1",
    "en-a1b", String(repeating: "en-", count: 12) + "us",
  ])
  func otherTextsAreNoTags(_ text: String) { #expect(LanguageTag(text) == nil) }

  @Test(
    arguments: [
      ("english", "en"), ("German", "de"), ("BRETON", nil), ("en_US", "en-US"), ("en us", "en-us"),
      ("en-UK", "en-GB"), ("EN_uk", "EN-GB"), ("uk-UK", "uk-UA"), ("UK_uk", "UK-UA"),
      ("English (US)", nil), ("klingon", nil), ("", nil),
      ("-", nil), ("mandarin", "zh"), ("cantonese", "yue"), ("Deutsch", "de"), ("FRANÇAIS", "fr"),
      ("Bahasa Indonesia", "id"), ("Tiếng Việt", "vi"), ("हिन्दी", "hi"), ("日本語", "ja"),
      ("Русский", "ru"), ("العربية", "ar"), ("Bahasa", nil),
    ] as [(String, String?)])
  func namesHaveTags(_ text: String, tag: String?) {
    #expect(LanguageTag.intended(by: text)?.text == tag)
  }
}
