// SPDX-License-Identifier: MIT

/// The commands for single characters, with the class that TeX and unicode-math assign.
enum MathSymbols {
  static let all: [String: (scalar: Unicode.Scalar, kind: AtomClass)] = {
    var all: [String: (Unicode.Scalar, AtomClass)] = [:]
    func add(_ kind: AtomClass, _ table: String) {
      for entry in table.split(whereSeparator: \.isWhitespace) {
        let parts = entry.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let scalar = parts[1].unicodeScalars.first else { continue }
        all[String(parts[0])] = (scalar, kind)
      }
    }
    add(.ordinary, greek)
    add(.ordinary, ordinary)
    add(.binary, binary)
    add(.relation, relations)
    add(.relation, arrows)
    add(.opening, opening)
    add(.closing, closing)
    add(.punctuation, "ldotp=. cdotp=·")
    add(.inner, "dots=… ldots=… cdots=⋯ dotsc=… dotsb=⋯ dotsm=⋯ dotsi=⋯ dotso=… vdots=⋮ ddots=⋱")
    all["vdots"] = ("⋮", .ordinary)
    return all
  }()

  private static let greek = """
    alpha=α beta=β gamma=γ delta=δ epsilon=ϵ varepsilon=ε zeta=ζ eta=η theta=θ vartheta=ϑ iota=ι
    kappa=κ varkappa=ϰ lambda=λ mu=μ nu=ν xi=ξ omicron=ο pi=π varpi=ϖ rho=ρ varrho=ϱ sigma=σ
    varsigma=ς tau=τ upsilon=υ phi=ϕ varphi=φ chi=χ psi=ψ omega=ω Gamma=Γ Delta=Δ Theta=Θ Lambda=Λ
    Xi=Ξ Pi=Π Sigma=Σ Upsilon=Υ Phi=Φ Psi=Ψ Omega=Ω digamma=ϝ
    """

  private static let ordinary = """
    infty=∞ partial=∂ nabla=∇ forall=∀ exists=∃ nexists=∄ emptyset=∅ varnothing=∅ aleph=ℵ beth=ℶ
    gimel=ℷ hbar=ℏ hslash=ℏ ell=ℓ wp=℘ Re=ℜ Im=ℑ imath=ı jmath=ȷ prime=′ backprime=‵ angle=∠
    measuredangle=∡ triangle=△ square=□ Box=□ blacksquare=■ diamondsuit=♢ heartsuit=♡ clubsuit=♣
    spadesuit=♠ flat=♭ natural=♮ sharp=♯ neg=¬ lnot=¬ top=⊤ bot=⊥ degree=° mho=℧ eth=ð complement=∁
    bigstar=★ checkmark=✓ surd=√ hash=# And=& pounds=£ dag=† ddag=‡ S=§ P=¶ copyright=© AA=Å
    """

  private static let binary = """
    pm=± mp=∓ times=× div=÷ cdot=⋅ ast=∗ star=⋆ circ=∘ bullet=• cap=∩ cup=∪ uplus=⊎ sqcap=⊓ sqcup=⊔
    vee=∨ lor=∨ wedge=∧ land=∧ setminus=∖ smallsetminus=∖ wr=≀ diamond=⋄ oplus=⊕ ominus=⊖ otimes=⊗
    oslash=⊘ odot=⊙ bigcirc=◯ dagger=† ddagger=‡ amalg=⨿ ltimes=⋉ rtimes=⋊ dotplus=∔ boxplus=⊞
    boxminus=⊟ boxtimes=⊠ boxdot=⊡ bigtriangleup=△ bigtriangledown=▽ triangleleft=◁ triangleright=▷
    barwedge=⊼ veebar=⊻ curlywedge=⋏ curlyvee=⋎ intercal=⊺
    """

  private static let relations = """
    le=≤ leq=≤ ge=≥ geq=≥ ne=≠ neq=≠ equiv=≡ approx=≈ sim=∼ simeq=≃ cong=≅ propto=∝ varpropto=∝
    ll=≪ gg=≫ lll=⋘ ggg=⋙ prec=≺ succ=≻ preceq=⪯ succeq=⪰ subset=⊂ supset=⊃ subseteq=⊆ supseteq=⊇
    subsetneq=⊊ supsetneq=⊋ nsubseteq=⊈ nsupseteq=⊉ sqsubset=⊏ sqsupset=⊐ sqsubseteq=⊑ sqsupseteq=⊒
    in=∈ ni=∋ owns=∋ notin=∉ mid=∣ nmid=∤ parallel=∥ nparallel=∦ perp=⟂ vdash=⊢ dashv=⊣ models=⊧
    vDash=⊨ Vdash=⊩ asymp=≍ doteq=≐ bowtie=⋈ smile=⌣ frown=⌢ leqslant=⩽ geqslant=⩾ lesssim=≲
    gtrsim=≳ lessgtr=≶ gtrless=≷ triangleq=≜ coloneq=≔ coloneqq=≔ eqcolon=≕ approxeq=≊ nless=≮
    ngtr=≯ nleq=≰ ngeq=≱ ncong=≇ nsim=≁ trianglelefteq=⊴ trianglerighteq=⊵ vartriangleleft=⊲
    vartriangleright=⊳ between=≬ pitchfork=⋔ backsim=∽ eqsim=≂ risingdotseq=≓ fallingdotseq=≒
    circeq=≗ bumpeq=≏ therefore=∴ because=∵
    """

  private static let arrows = """
    to=→ rightarrow=→ gets=← leftarrow=← leftrightarrow=↔ uparrow=↑ downarrow=↓ updownarrow=↕
    Rightarrow=⇒ Leftarrow=⇐ Leftrightarrow=⇔ Uparrow=⇑ Downarrow=⇓
    Updownarrow=⇕ mapsto=↦ longmapsto=⟼ longrightarrow=⟶ longleftarrow=⟵ longleftrightarrow=⟷
    Longrightarrow=⟹ Longleftarrow=⟸ Longleftrightarrow=⟺ hookrightarrow=↪ hookleftarrow=↩
    rightharpoonup=⇀ rightharpoondown=⇁ leftharpoonup=↼ leftharpoondown=↽ rightleftharpoons=⇌
    leftrightharpoons=⇋ nearrow=↗ searrow=↘ swarrow=↙ nwarrow=↖ rightsquigarrow=⇝ leadsto=⇝
    twoheadrightarrow=↠ rightarrowtail=↣ nrightarrow=↛ nleftarrow=↚ nRightarrow=⇏ nLeftarrow=⇍
    rightrightarrows=⇉ leftleftarrows=⇇ upharpoonright=↾ circlearrowleft=↺ circlearrowright=↻
    """

  private static let opening = """
    lbrace={ lbrack=[ lparen=( langle=⟨ lceil=⌈ lfloor=⌊ lvert=| lVert=‖ llbracket=⟦ lgroup=⟮
    ulcorner=⌜ llcorner=⌞
    """

  private static let closing = """
    rbrace=} rbrack=] rparen=) rangle=⟩ rceil=⌉ rfloor=⌋ rvert=| rVert=‖ rrbracket=⟧ rgroup=⟯
    urcorner=⌝ lrcorner=⌟
    """

  /// Sums and similar operators, with scripts above and below in display style.
  static let largeOperators: [String: Unicode.Scalar] = [
    "sum": "∑", "prod": "∏", "coprod": "∐", "bigcup": "⋃", "bigcap": "⋂", "bigvee": "⋁",
    "bigwedge": "⋀", "bigoplus": "⨁", "bigotimes": "⨂", "bigodot": "⨀", "biguplus": "⨄",
    "bigsqcup": "⨆",
  ]

  /// Integrals, with scripts to the right.
  static let integrals: [String: Unicode.Scalar] = [
    "int": "∫", "iint": "∬", "iiint": "∭", "oint": "∮", "oiint": "∯", "oiiint": "∰", "iiiint": "⨌",
  ]

  /// Named operators; `true` for those with scripts above and below in display style.
  static let names: [String: (text: String, hasLimits: Bool)] = {
    var all: [String: (String, Bool)] = [:]
    let plain = """
      sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan exp log ln lg arg deg dim hom
      ker
      """
    for name in plain.split(whereSeparator: \.isWhitespace) {
      all[String(name)] = (String(name), false)
    }
    for name in ["det", "gcd", "inf", "lim", "max", "min", "sup", "Pr"] { all[name] = (name, true) }
    all["liminf"] = ("lim inf", true)
    all["limsup"] = ("lim sup", true)
    return all
  }()

  /// Accents, as combining characters.
  static let accents: [String: Unicode.Scalar] = [
    "hat": "\u{302}", "check": "\u{30C}", "tilde": "\u{303}", "acute": "\u{301}",
    "grave": "\u{300}", "dot": "\u{307}", "ddot": "\u{308}", "dddot": "\u{20DB}",
    "breve": "\u{306}", "bar": "\u{304}", "vec": "\u{20D7}", "mathring": "\u{30A}",
  ]

  /// Accents that are stretched to the width of their base.
  static let wideAccents: [String: (scalar: Unicode.Scalar, isBelow: Bool)] = [
    "widehat": ("\u{302}", false), "widetilde": ("\u{303}", false),
    "overrightarrow": ("\u{20D7}", false), "overleftarrow": ("\u{20D6}", false),
    "overleftrightarrow": ("\u{20E1}", false), "widecheck": ("\u{30C}", false),
  ]

  /// Braces with scripts above or below.
  static let braces: [String: (scalar: Unicode.Scalar, isBelow: Bool)] = [
    "overbrace": ("⏞", false), "underbrace": ("⏟", true), "overbracket": ("⎴", false),
    "underbracket": ("⎵", true), "overparen": ("⏜", false), "underparen": ("⏝", true),
  ]

  static let alphabets: [String: MathAlphabet] = [
    "mathrm": .upright, "mathit": .italic, "mathbf": .bold, "boldsymbol": .boldItalic,
    "bm": .boldItalic, "pmb": .boldItalic, "symbf": .bold, "mathbb": .doubleStruck,
    "mathcal": .script,
    "mathscr": .script, "mathfrak": .fraktur, "mathsf": .sans, "mathtt": .monospace,
    "mathnormal": .italic,
  ]

  /// Commands for literal text in an alphabet.
  static let textAlphabets: [String: MathAlphabet] = [
    "textrm": .upright, "textnormal": .upright, "textup": .upright, "textmd": .upright,
    "textbf": .bold, "textit": .italic, "textsl": .italic, "emph": .italic, "textsf": .sans,
    "texttt": .monospace,
  ]

  /// Commands that set the alphabet of the rest of the group.
  static let alphabetSwitches: [String: MathAlphabet] = [
    "rm": .upright, "bf": .bold, "it": .italic, "sf": .sans, "tt": .monospace,
  ]

  /// Arrows that are as wide as their labels.
  static let labeledArrows: [String: Unicode.Scalar] = [
    "xrightarrow": "→", "xleftarrow": "←", "xleftrightarrow": "↔", "xRightarrow": "⇒",
    "xLeftarrow": "⇐", "xLeftrightarrow": "⇔", "xmapsto": "↦", "xhookrightarrow": "↪",
    "xhookleftarrow": "↩", "xrightharpoonup": "⇀", "xrightharpoondown": "⇁",
    "xleftharpoonup": "↼", "xleftharpoondown": "↽", "xrightleftharpoons": "⇌",
    "xleftrightharpoons": "⇋", "xtwoheadrightarrow": "↠", "xtwoheadleftarrow": "↞",
    "xlongequal": "=", "xtofrom": "⇄",
  ]

  /// Arrows above or below content, as wide as the content.
  static let coveringArrows: [String: (scalar: Unicode.Scalar, isBelow: Bool)] = [
    "underrightarrow": ("→", true), "underleftarrow": ("←", true),
    "underleftrightarrow": ("↔", true), "Overrightarrow": ("⇒", false),
    "overrightharpoon": ("⇀", false), "overleftharpoon": ("↼", false),
  ]

  /// Spaces in math units, 18 to an em of the style.
  static let spaces: [String: Double] = [
    ",": 3, "thinspace": 3, ":": 4, ">": 4, "medspace": 4, ";": 5, "thickspace": 5, "!": -3,
    "negthinspace": -3, "negmedspace": -4, "negthickspace": -5,
  ]

  /// Spaces in em of the surrounding text, with the same width in scripts.
  static let textSpaces: [String: Double] = [
    "quad": 1, "qquad": 2, "enspace": 0.5, " ": 1.0 / 3, "\n": 1.0 / 3, "~": 1.0 / 3,
  ]

  static let styles: [String: FormulaStyle] = [
    "displaystyle": .display, "textstyle": .text, "scriptstyle": .script,
    "scriptscriptstyle": .scriptScript,
  ]

  /// The heights of bracket sizes in em, as in amsmath, with the class of each command.
  static let sizes: [String: (height: Double, kind: AtomClass)] = {
    var all: [String: (Double, AtomClass)] = [:]
    for (word, height) in [("big", 1.2), ("Big", 1.8), ("bigg", 2.4), ("Bigg", 3.0)] {
      all[word] = (height, .ordinary)
      all[word + "l"] = (height, .opening)
      all[word + "r"] = (height, .closing)
      all[word + "m"] = (height, .relation)
    }
    return all
  }()

  /// The brackets that may follow `\left`, `\right`, `\middle` and `\big`, besides single
  /// characters.
  static let brackets: [String: Unicode.Scalar] = [
    "{": "{", "}": "}", "|": "‖", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]",
    "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋",
    "vert": "|", "Vert": "‖", "lvert": "|", "rvert": "|", "lVert": "‖", "rVert": "‖",
    "uparrow": "↑", "downarrow": "↓", "updownarrow": "↕", "Uparrow": "⇑", "Downarrow": "⇓",
    "Updownarrow": "⇕", "backslash": "\\", "llbracket": "⟦", "rrbracket": "⟧", "lgroup": "⟮",
    "rgroup": "⟯", "ulcorner": "⌜", "urcorner": "⌝", "llcorner": "⌞", "lrcorner": "⌟",
  ]

  /// Plain characters that map to another character or class.
  static let characters: [Unicode.Scalar: (scalar: Unicode.Scalar, kind: AtomClass)] = {
    var all: [Unicode.Scalar: (Unicode.Scalar, AtomClass)] = [
      "+": ("+", .binary), "-": ("−", .binary), "*": ("∗", .binary), "=": ("=", .relation),
      "<": ("<", .relation), ">": (">", .relation), ":": ("∶", .relation),
      "(": ("(", .opening), "[": ("[", .opening), ")": (")", .closing), "]": ("]", .closing),
      "!": ("!", .closing), "?": ("?", .closing), ",": (",", .punctuation),
      ";": (";", .punctuation), "'": ("′", .ordinary), "…": ("…", .inner), "−": ("−", .binary),
      "·": ("⋅", .binary), "@": ("@", .ordinary), "`": ("‘", .ordinary),
    ]
    // A character that has a command gets the class of that command.
    for (name, entry) in MathSymbols.all where entry.scalar.value > 0x7F && name != "perp" {
      all[entry.scalar] = all[entry.scalar] ?? entry
    }
    return all
  }()

  /// The negated relations for `\not`.
  static let negations: [Unicode.Scalar: Unicode.Scalar] = [
    "=": "≠", "∈": "∉", "∋": "∌", "<": "≮", ">": "≯", "≤": "≰", "≥": "≱", "∼": "≁", "≈": "≉",
    "≡": "≢", "⊂": "⊄", "⊃": "⊅", "⊆": "⊈", "⊇": "⊉", "∣": "∤", "∥": "∦", "≅": "≇", "≃": "≄",
    "→": "↛", "←": "↚", "⇒": "⇏", "⇐": "⇍", "⊢": "⊬", "⊨": "⊭", "∃": "∄",
  ]
}
