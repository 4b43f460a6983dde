// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

extension Property {
  /// The declaration of the property, the single source of its summary, its element kinds, its type
  /// for each kind, and its default.
  var declared: Declaration {
    switch self {
    // Timing
    case .at:
      Declaration(
        "When the element begins, counted from the start of its parent.",
        Use(.lasting.union([.span]), .time, .number(0)), Use([.marker], .time)
      ).constant
    case .for:
      Declaration("How long the element lives.", Use(.lasting.union([.scene, .span]), .time))
        .constant
    case .stagger:
      Declaration(
        "How much later each child begins than the one before it.",
        Use(.drawn.subtracting([.sequence, .steps]).union([.each]), .time)
      ).constant
    case .timeStep:
      Declaration("Moves the element's clock in steps of this length.", Use(.drawn, .time)).constant
    case .enter:
      Declaration("How the element appears.", Use(.moving, .effects)).constant
    case .exit:
      Declaration("How the element disappears.", Use(.moving, .effects)).constant
    case .transition:
      Declaration("How a clip gives way to the next.", Use(.lasting, .transition)).constant
    case .speed:
      Declaration(
        "How fast a clip or a scene plays; 2 is twice as fast, -1 is backwards.",
        Use(.players, .number, .number(1))
      )
      .constant
    case .time: Declaration("Which time of a clip is played.", Use(.players, .time))
    case .chapter:
      Declaration(
        "The title of the chapter that begins with the step.", Use([.step], .text)
      ).constant
    case .order:
      Declaration(
        "In which order the parts of a text, a formula or an SVG begin.",
        Use([.each], .words(TextOrder.self), .word("start"))
      ).constant

    // Placement
    case .position:
      Declaration(
        "The point of the parent's box where the anchor is placed.",
        Use(.drawn.subtracting(.standingByCoordinates), .point, .percents(50)),
        Use(.standingByCoordinates, .point))
    case .anchor:
      Declaration(
        "The point of the element's own box that is placed at its position.",
        Use(.drawn, .ownPoint, .percents(50)))
    case .translate:
      Declaration(
        "Moves the element from its position.", Use(.moving, .point, .pair(0)))
    case .rotate:
      Declaration(
        "Turns the element clockwise about its pivot.",
        Use(.moving, .angle, .angle(0)))
    case .scale:
      Declaration(
        "Makes the element larger or smaller about its pivot.",
        Use(.moving, .factors, .pair(1)))
    case .skew:
      Declaration(
        "Slants the element about its pivot.", Use(.moving, .angles, .angles(0)))
    case .pivot:
      Declaration(
        "The point that stays where it is when the element turns or is scaled.",
        Use(.drawn, .ownPoint, .percents(50)))
    case .z:
      Declaration(
        "The order in which siblings are painted, from low to high.",
        Use(.drawn, .number, .number(0)))
    case .copies:
      Declaration(
        "How often a `repeat` draws what it holds.", Use([.repeat], .number, .number(3))
      ).constant
    case .stepTranslate:
      Declaration(
        "How far each copy is moved from the one before it.", Use([.repeat], .point, .pair(0)))
    case .stepRotate:
      Declaration(
        "How far each copy is turned from the one before it.", Use([.repeat], .angle, .angle(0)))
    case .stepScale:
      Declaration(
        "How much larger each copy is than the one before it.",
        Use([.repeat], .factors, .pair(1)))
    case .stepOpacity:
      Declaration(
        "The opacity of each copy, as a share of that of the one before it.",
        Use([.repeat], .share, .number(1)))
    case .stepOffset:
      Declaration(
        "How many steps come before the first copy.", Use([.repeat], .number, .number(0)))
    case .size:
      Declaration(
        "Width and height.", Use([.rect], .size, .pair(100)), Use(.groups, .size, .percents(100)),
        Use([.image, .svg, .video, .sequence, .row, .column, .grid, .camera], .size),
        Use([.scene, .output], .pixelSize))
    case .lookAt:
      Declaration("The point that a camera shows in the middle.", Use([.camera], .point))
    case .zoom:
      Declaration(
        "How much a camera enlarges what it shows.", Use([.camera], .number, .number(1)))
    case .grow:
      Declaration(
        "The share that an element takes of what is left in its row or column.",
        Use(.resizable.union([.text]), .number, .number(0)))
    case .minWidth: Declaration("The least width of a box.", Use(.resizable, .lengthX))
    case .maxWidth:
      Declaration("The greatest width of a box.", Use(.resizable.union([.text]), .lengthX))
    case .minHeight: Declaration("The least height of a box.", Use(.resizable, .lengthY))
    case .maxHeight: Declaration("The greatest height of a box.", Use(.resizable, .lengthY))
    case .gap:
      Declaration(
        "The space between neighbors.", Use(.layouts, .lengthPair, .pair(0)),
        Use([.line, .arrow], .length, .number(0)))
    case .padding:
      Declaration("The space around the content.", Use(.layouts, .lengthPair, .pair(0)))
    case .paddingLeft, .paddingTop, .paddingRight, .paddingBottom:
      Declaration(
        "The space on one side of the content, in place of that of `padding`.",
        Use(.layouts, .length, .number(0)))
    case .columns: Declaration("How many columns a grid has.", Use([.grid], .number)).constant
    case .justify:
      Declaration(
        "How a row or column distributes free space among its children.",
        Use(.lines, .word(Distribution.allCases.filter { $0 != .stretch }.map(\.rawValue)))
      ).constant
    case .alignContent:
      Declaration(
        "How a row or column that wraps distributes free space among its lines.",
        Use(.lines, .words(Distribution.self), .word("stretch"))
      ).constant.needs(.wrap)
    case .alignSelf:
      Declaration(
        "How one child is aligned in its row or column, in place of `align`.",
        Use(.drawn, .words(Alignment.self))
      ).constant
    case .align:
      Declaration(
        "How the lines of a text, or the children of a layout, are aligned.",
        Use(.layouts, .words(Alignment.self)), Use([.text, .captions], .words(TextAlign.self))
      ).constant
    case .width: Declaration("Where a text wraps.", Use([.text, .captions], .lengthX))
    case .fitWidth:
      Declaration("The width that a text shrinks to fit.", Use([.text], .lengthX))
    case .along: Declaration("The path that a text follows.", Use([.text], .path))
    case .startOffset:
      Declaration(
        "The place of a text on its path, as a share of the path's length.",
        Use([.text], .share)
      ).needs(.along)
    case .fit:
      Declaration(
        "How a picture fills its box.", Use([.image, .svg], .words(Fit.self), .word("cover")),
        Use([.video], .words(Fit.self), .word("contain")),
        Use([.output], .words(FrameFit.self), .word("contain"))
      ).constant
    case .focus:
      Declaration(
        "The point of a picture that stays in view when its sides are cut.",
        Use([.image, .svg, .video], .ownPoint, .percents(50)))

    // Appearance
    case .opacity:
      Declaration(
        "From 0, transparent, to 1, opaque.", Use(.moving, .share, .number(1)))
    case .blend:
      Declaration(
        "How the element is mixed with what is below it.",
        Use(.drawn, .words(BlendMode.self), .word("normal"))
      ).constant
    case .visible:
      Declaration("Whether the element is drawn.", Use(.drawn.union([.span]), .bool, .bool(true)))
    case .filter:
      Declaration("Filters on the element as a whole.", Use(.drawn, .filters, InitialValue.none))
    case .edge:
      Declaration(
        "What a blur sees beyond the element's box.",
        Use(.resizable, .words(EdgeMode.self), .word("clear"))
      ).constant.needs(.filter)
    case .backdropFilter:
      Declaration(
        "Filters on what is behind the element, inside its form.",
        Use(.drawn.subtracting([.line, .arrow, .polyline]), .filters, InitialValue.none))
    case .shadow:
      Declaration("The shadow of all that it draws.", Use(.drawn, .shadow, InitialValue.none))
    case .clip: Declaration("The outline that cuts the element.", Use(.drawn, .clipping))
    case .style: Declaration("Styles that give it properties.", Use(.lasting, .text)).constant
    case .blur: Declaration("How far a part of a text is blurred.", Use(.parts, .length))
    case .luminance:
      Declaration(
        "Whether the brightness of a mask counts in place of its alpha.",
        Use([.mask], .bool, .bool(false))
      ).constant
    case .invert:
      Declaration("Whether a mask hides what it covers.", Use([.mask], .bool, .bool(false)))
        .constant
    case .fill:
      Declaration(
        "What covers the inside.", Use(.painted.subtracting(.openLines), .paint, .ink),
        Use(.openLines, .paint, InitialValue.none), Use([.each], .paint))
    case .stroke:
      Declaration(
        "What covers the outline.",
        Use(.painted.subtracting(.openLines), .paint, InitialValue.none),
        Use(.openLines, .paint, .ink), Use([.each], .paint))
    case .strokeWidth:
      Declaration(
        "How wide the outline is.", Use(.openLines, .length, .number(4)),
        Use(.painted.subtracting(.openLines), .length, .number(1))
      ).needs(.stroke)
    case .cap:
      Declaration(
        "How lines end.", Use(.painted, .words(StrokeStyle.Cap.self), .word("butt"))
      ).constant.needs(.stroke)
    case .join:
      Declaration(
        "How corners are drawn.", Use(.painted, .words(StrokeStyle.Join.self), .word("miter"))
      ).constant.needs(.stroke)
    case .miterLimit:
      Declaration(
        "How far a pointed corner may reach, as a multiple of the width.",
        Use(.painted, .number, .number(4))
      ).needs(.stroke)
    case .dash:
      Declaration("Lengths of dashes and gaps in turn.", Use(.painted, .lengths)).needs(.stroke)
    case .dashOffset:
      Declaration("Where in its pattern a dash begins.", Use(.painted, .length, .number(0))).needs(
        .dash)
    case .paintOrder:
      Declaration(
        "What is painted first.", Use(.painted, .word(["fill", "stroke"]), .word("fill"))
      ).constant
    case .trim:
      Declaration(
        "The part that is drawn or played.",
        Use(.shapes.union([.text, .math, .part]), .trim, .whole),
        Use(.players, .trim, .whole))
    case .trimOffset:
      Declaration(
        "How far the part that is drawn goes round the outline.",
        Use(.shapes.union([.text]), .share, .number(0))
      ).needs(.trim)
    case .strokeScale:
      Declaration(
        "Whether the stroke grows with the element.",
        Use(.shapes.subtracting([.arrow]), .words(StrokeScale.self), .word("auto"))
      ).constant.needs(.stroke)
    case .mixing:
      Declaration(
        "The color space in which colors mix.",
        Use(.fontHolders.union([.each]), .words(ColorSpace.self), .word("oklab"))
      ).inherited.constant
    case .easing:
      Declaration(
        "The easing of motions that do not name one.",
        Use(.fontHolders.union([.each]), .easing, .word("linear"))
      ).inherited.constant

    // Sound
    case .volume:
      Declaration(
        "How loud it and all in it is: a factor, or a gain in dB.",
        Use(.sounding, .gain, .decibels(0)))
    case .pan:
      Declaration(
        "Where it is heard, from -100%, left, to 100%, right.", Use(.sounding, .pan, .percent(0)))
    case .fadeIn:
      Declaration(
        "How long its sound takes to come.", Use(.players, .time, .time(0))
      ).constant
    case .fadeOut:
      Declaration("How long its sound takes to go.", Use(.players, .time, .time(0))).constant
    case .pitch:
      Declaration(
        "Whether faster sound is higher too.", Use(.players, .word(["keep", "follow"]))
      ).constant
    case .alpha:
      Declaration(
        "What transparency means in a clip.",
        Use([.video], .words(ClipReading.Alpha.self), .word("straight"))
      ).constant
    case .damaged:
      Declaration(
        "Whether a damaged frame shows the last good one or stops the build.",
        Use([.video], .words(ClipReading.Damage.self), .word("hold"))
      ).constant

    // Shapes
    case .radius:
      Declaration(
        "How far the outline is from the center.",
        Use([.circle, .star, .arc], .length, .number(50)), Use([.ellipse], .lengthPair, .number(50))
      )
    case .innerRadius:
      Declaration(
        "How far the dents, or the hole, are from the center.", Use([.star, .arc], .length))
    case .cornerRadius:
      Declaration("How round the corners are.", Use(.cornered, .length, .number(0)))
    case .cornerSmoothing:
      Declaration(
        "How gently the sides turn into the round corners.", Use(.boxes, .share, .number(0))
      ).needs(.cornerRadius)
    case .points:
      Declaration(
        "How many tips a star has; the corners of a line.", Use([.star], .number, .number(5)),
        Use([.polyline, .polygon], .points))
    case .start: Declaration("Where an arc begins.", Use([.arc], .angle, .angle(-90)))
    case .sweep: Declaration("How far an arc goes.", Use([.arc], .angle, .angle(90)))
    case .closed:
      Declaration("Whether an arc goes back to the center.", Use([.arc], .bool, .bool(false)))
    case .from: Declaration("Where a line begins.", Use([.line, .arrow], .point))
    case .to: Declaration("Where a line ends.", Use([.line, .arrow], .point))
    case .route:
      Declaration(
        "How a line gets from one end to the other.",
        Use([.line, .arrow], .words(Link.Route.self), .word("straight"))
      ).constant
    case .head:
      Declaration(
        "What is drawn at the end of an arrow.",
        Use([.arrow], .words(Link.Head.self), .word("triangle"))
      ).constant
    case .tail:
      Declaration(
        "What is drawn at the start of an arrow.",
        Use([.arrow], .words(Link.Head.self), .word("none"))
      ).constant
    case .data: Declaration("SVG path data, or another path.", Use([.path], .path))

    // Text
    case .content:
      Declaration("What a text or a formula says.", Use([.text, .span, .math, .part], .text))
    case .mathStyle:
      Declaration(
        "Whether a formula is set on its own or as in a line of text.",
        Use([.math], .words(MathStyle.self), .word("normal"))
      ).constant
    case .font:
      Declaration("A family, a font file or a list of them.", Use(.fontHolders, .fonts))
        .inherited.constant
    case .fontSize:
      Declaration("The size of letters.", Use(.fontHolders, .length, .number(64))).inherited
    case .fontWeight:
      Declaration("How heavy letters are.", Use(.fontHolders, .weight, .number(400))).inherited
    case .italic:
      Declaration("Whether letters slant.", Use(.fontHolders, .bool, .bool(false))).inherited
    case .features:
      Declaration("OpenType features as CSS writes them.", Use(.fontHolders, .text))
        .inherited.constant
    case .tabular:
      Declaration("Whether all figures are equally wide.", Use(.fontHolders, .bool, .bool(false)))
        .inherited.constant
    case .language:
      Declaration("The language of a text, as a BCP 47 tag.", Use(.fontHolders, .text))
        .inherited.constant
    case .letterSpacing:
      Declaration("Space added after each glyph.", Use(.fontHolders, .fontLength, .number(0)))
        .inherited
    case .direction:
      Declaration(
        "Which way lines of text run.", Use(.fontHolders, .words(TextDirection.self), .word("auto"))
      ).inherited.constant
    case .underline:
      Declaration("Whether a line runs below the text.", Use(.texts, .bool, .bool(false)))
    case .lineHeight:
      Declaration(
        "How far lines are apart, as a share of the font size.",
        Use([.text, .captions], .fontLength, .percent(125)))
    case .wrap:
      Declaration(
        "How a text, row or column that is too long is broken into lines.",
        Use([.text], .words(TextWrap.self), .word("auto")),
        Use([.captions], .words(TextWrap.self), .word("balance")),
        Use(.lines, .bool, .bool(false))
      ).constant
    case .baselineShift:
      Declaration("How far letters are above their line.", Use([.span], .shift, .number(0)))
    case .maxLines:
      Declaration(
        "The number of lines that a text shrinks to fit.",
        Use([.text], .number), Use([.captions], .number, .number(2))
      ).constant

    // Files and scene settings
    case .source:
      Declaration(
        "The file that is played or shown.",
        Use([.image, .svg, .video, .audio, .captions], .text)
      )
      .constant
    case .fps:
      Declaration(
        "The number of pictures per second.", Use([.scene], .frameRate, .number(30)),
        Use([.image], .frameRate)
      ).constant
    case .loop:
      Declaration(
        "Whether, or how often, it plays again from its beginning.",
        Use([.image], .word(["forever", "once"])), Use(.players.union([.output]), .loop)
      ).constant
    case .background: Declaration("What is behind everything in a scene.", Use([.scene], .paint))
    case .tempo: Declaration("Beats a minute.", Use([.scene], .number, .number(120))).constant
    case .seed:
      Declaration("Changes everything random.", Use([.scene], .number, .number(0))).constant
    case .motionBlur:
      Declaration(
        "How long the shutter is open, as an angle.", Use([.scene], .angle, InitialValue.none)
      ).constant
    case .samples:
      Declaration(
        "How often a frame with motion blur is drawn.", Use([.scene], .number, .number(16))
      ).constant.needs(.motionBlur)
    case .title: Declaration("The title in the file.", Use([.scene, .marker], .text)).constant
    case .author: Declaration("Who made it.", Use([.scene], .text)).constant
    case .comment: Declaration("A remark in the file.", Use([.scene], .text)).constant

    // Outputs
    case .codec:
      Declaration(
        "How pictures, or sounds, are encoded.",
        Use([.output], .word(VideoCodec.allCases.filter { $0 != .raw }.map(\.rawValue))),
        Use([.soundTrack], .word(SoundCodec.allCases.map(\.rawValue)))
      ).constant
    case .quality:
      Declaration(
        "How much of the pictures is kept, on the scale of the codec.",
        Use([.output], .number, .number(18))
      ).constant
    case .bitrate: Declaration("Bits a second.", Use([.output, .soundTrack], .bitrate)).constant
    case .profile:
      Declaration(
        "What a player must be able to do.",
        Use([.output], .word(VideoCodec.allCases.flatMap(\.profiles)))
      ).constant
    case .level:
      Declaration("How much a player must be able to do.", Use([.output], .number)).constant
    case .preset:
      Declaration(
        "How long the encoder looks for a smaller file.", Use([.output], .word(Property.presets))
      ).constant
    case .pixelFormat:
      Declaration(
        "How colors are stored.",
        Use([.output], .word(PixelFormat.allCases.filter { $0 != .pal8 }.map(\.rawValue)))
      ).constant
    case .frameRate:
      Declaration(
        "Whether all frames are equally long.", Use([.output], .word(["constant", "variable"]))
      ).constant
    case .copy:
      Declaration(
        "Whether pictures of clips are copied as they are encoded, where they can be.",
        Use([.output], .bool, .bool(false))
      ).constant
    case .audio:
      Declaration("Whether the file has sound.", Use([.output], .word(["none"]))).constant
    case .loudness:
      Declaration(
        "How loud the whole is made, in LUFS; -14 suits the web.", Use([.soundTrack], .number)
      ).constant
    case .peak:
      Declaration(
        "How high the loudest moment may be, in dB.", Use([.soundTrack], .gain, .decibels(-1))
      ).constant
    case .sampleRate:
      Declaration(
        "Samples a second: a number, or a frequency such as 44.1kHz.",
        Use([.soundTrack], .number, .number(48_000))
      ).constant
    case .channels:
      Declaration(
        "How many sounds run side by side: stereo is 2, mono 1.",
        Use([.soundTrack], .word(["stereo", "mono", "1", "2"]), .word("stereo"))
      ).constant
    case .bits:
      Declaration(
        "Bits of a sample of PCM or FLAC.",
        Use([.soundTrack], .word(["16", "24", "32"]), .word("16"))
      ).constant
    case .layout:
      Declaration(
        "Whether a size of its own scales the picture or lays the scene out anew.",
        Use([.output], .word(["scaled", "own"]), .word("scaled"))
      ).constant.needs(.size)
    }
  }

  /// The presets of x264, fastest first.
  package static let presets = [
    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
    "veryslow", "placebo",
  ]
}

extension Property {
  /// The properties that exclude this one: `time` excludes the properties that it replaces.
  package var excluded: [Property] {
    let parts: [Property] = [.trim, .speed, .loop]
    return self == .time ? parts : parts.contains(self) ? [.time] : []
  }
}

extension Set<ElementKind> {
  static let lasting = Set(ElementKind.allCases.filter(\.hasLife))
  /// The kinds that play media with a clock of their own; a scene used as an element counts as a
  /// video.
  static let players: Self = [.video, .audio]
  /// The kinds that have sound or may contain elements with sound.
  static let sounding = players.union(layouts).union(groups).union([.scene, .sequence, .camera])
  static let drawn = Set(ElementKind.allCases.filter(\.isDrawn))
  static let shapes = Set(ElementKind.allCases.filter(\.isShape))
  static let openLines = Set(ElementKind.allCases.filter(\.isOpenLine))
  static let standingByCoordinates = Set(ElementKind.allCases.filter(\.standsByCoordinates))
  static let groups = Set(ElementKind.allCases.filter(\.isGroup))
  static let layouts = Set(ElementKind.allCases.filter(\.isLayout))
  /// Layouts with a main and a cross axis.
  static let lines: Self = [.row, .column]
  /// The kinds with a resizable box.
  static let resizable = layouts.union(groups).union([
    .rect, .image, .svg, .video, .sequence, .camera,
  ])
  /// The parts of a text that can move separately.
  static let parts: Self = [.each, .span]
  /// The kinds that can be animated as a whole.
  static let moving = drawn.union(parts)
  static let texts: Self = [.text, .span, .captions]
  /// The kinds with a rectangular box.
  static let boxes = layouts.union([.rect, .image, .video])
  /// The kinds whose corners can be rounded.
  static let cornered = boxes.union([.path, .polyline, .polygon, .star])
  /// The kinds with a fill and a stroke.
  static let painted = shapes.union(texts).union(layouts).union([.math, .part])
  /// The kinds that can set the font of the texts inside them.
  static let fontHolders = drawn.union([.scene, .span])
}
