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
        "The start time of the element, relative to the start of its parent.",
        Use(.lasting.union([.span]), .time, default: .number(0)), Use([.marker], .time)
      ).constant
    case .for:
      Declaration("The duration of the element.", Use(.lasting.union([.scene, .span]), .time))
        .constant
    case .stagger:
      Declaration(
        "The delay between the starts of successive children.",
        Use(.drawn.subtracting([.sequence, .steps]).union([.each]), .time)
      ).constant
    case .timeStep:
      Declaration("Quantizes the element's clock to steps of this length.", Use(.drawn, .time))
        .constant
    case .enter:
      Declaration("The effect with which the element appears.", Use(.moving, .effects)).constant
    case .exit:
      Declaration("The effect with which the element disappears.", Use(.moving, .effects)).constant
    case .transition:
      Declaration("The transition from the previous clip.", Use(.lasting, .transition)).constant
    case .speed:
      Declaration(
        "The playback speed of a clip or scene; 2 is double speed, -1 plays backward.",
        Use(.players, .number, default: .number(1))
      )
      .constant
    case .time: Declaration("The playback position in a clip over time.", Use(.players, .time))
    case .chapter:
      Declaration(
        "The title of the chapter that starts with the step.", Use([.step], .text)
      ).constant
    case .order:
      Declaration(
        "The order in which the parts of a text, formula or SVG start.",
        Use([.each], .words(TextOrder.self), default: .word("start"))
      ).constant

    // Placement
    case .position:
      Declaration(
        "The point of the parent's box at which the anchor is placed.",
        Use(.drawn.subtracting(.standingByCoordinates), .point, default: .percents(50)),
        Use(.standingByCoordinates, .point))
    case .anchor:
      Declaration(
        "The point of the element's own box that is placed at its position.",
        Use(.drawn, .ownPoint, default: .percents(50)))
    case .translate:
      Declaration(
        "Moves the element relative to its position.", Use(.moving, .point, default: .pair(0)))
    case .rotate:
      Declaration(
        "Rotates the element clockwise around its pivot.",
        Use(.moving, .angle, default: .angle(0)))
    case .scale:
      Declaration(
        "Scales the element relative to its pivot.",
        Use(.moving, .factors, default: .pair(1)))
    case .skew:
      Declaration(
        "Skews the element relative to its pivot.", Use(.moving, .angles, default: .angles(0)))
    case .pivot:
      Declaration(
        "The fixed point of rotation and scaling.",
        Use(.drawn, .ownPoint, default: .percents(50)))
    case .z:
      Declaration(
        "The stacking order among siblings; higher values are in front.",
        Use(.drawn, .number, default: .number(0)))
    case .copies:
      Declaration(
        "The number of copies that a `repeat` draws.", Use([.repeat], .number, default: .number(3))
      ).constant
    case .stepTranslate:
      Declaration(
        "The translation from each copy to the next.", Use([.repeat], .point, default: .pair(0)))
    case .stepRotate:
      Declaration(
        "The rotation from each copy to the next.", Use([.repeat], .angle, default: .angle(0)))
    case .stepScale:
      Declaration(
        "The scale factor from each copy to the next.",
        Use([.repeat], .factors, default: .pair(1)))
    case .stepOpacity:
      Declaration(
        "The opacity factor from each copy to the next.",
        Use([.repeat], .share, default: .number(1)))
    case .stepOffset:
      Declaration(
        "The number of steps before the first copy.", Use([.repeat], .number, default: .number(0)))
    case .size:
      Declaration(
        "The width and height.", Use([.rect], .size, default: .pair(100)),
        Use(.groups, .size, default: .percents(100)),
        Use([.image, .svg, .video, .sequence, .row, .column, .grid, .camera], .size),
        Use([.scene, .output], .pixelSize))
    case .lookAt:
      Declaration("The point at the center of the camera's view.", Use([.camera], .point))
    case .zoom:
      Declaration(
        "The magnification of the camera.", Use([.camera], .number, default: .number(1)))
    case .grow:
      Declaration(
        "The element's share of the free space in its row or column.",
        Use(.resizable.union([.text]), .number, default: .number(0)))
    case .minWidth: Declaration("The minimum width of a box.", Use(.resizable, .lengthX))
    case .maxWidth:
      Declaration("The maximum width of a box.", Use(.resizable.union([.text]), .lengthX))
    case .minHeight: Declaration("The minimum height of a box.", Use(.resizable, .lengthY))
    case .maxHeight: Declaration("The maximum height of a box.", Use(.resizable, .lengthY))
    case .gap:
      Declaration(
        "The space between neighboring children.", Use(.layouts, .lengthPair, default: .pair(0)),
        Use([.line, .arrow], .length, default: .number(0)))
    case .padding:
      Declaration("The space around the content.", Use(.layouts, .lengthPair, default: .pair(0)))
    case .paddingLeft, .paddingTop, .paddingRight, .paddingBottom:
      Declaration(
        "The space on one side of the content, overriding `padding`.",
        Use(.layouts, .length, default: .number(0)))
    case .columns: Declaration("The number of columns of a grid.", Use([.grid], .number)).constant
    case .justify:
      Declaration(
        "How a row or column distributes free space among its children.",
        Use(.lines, .word(Distribution.allCases.filter { $0 != .stretch }.map(\.rawValue)))
      ).constant
    case .alignContent:
      Declaration(
        "How a wrapping row or column distributes free space among its lines.",
        Use(.lines, .words(Distribution.self), default: .word("stretch"))
      ).constant.needs(.wrap)
    case .alignSelf:
      Declaration(
        "The alignment of one child in its row or column, overriding `align`.",
        Use(.drawn, .words(Alignment.self))
      ).constant
    case .align:
      Declaration(
        "The alignment of the lines of a text or the children of a layout.",
        Use(.layouts, .words(Alignment.self)), Use([.text, .captions], .words(TextAlign.self))
      ).constant
    case .width: Declaration("The width at which a text wraps.", Use([.text, .captions], .lengthX))
    case .fitWidth:
      Declaration("The width that a text shrinks to fit.", Use([.text], .lengthX))
    case .along: Declaration("The path that a text follows.", Use([.text], .path))
    case .startOffset:
      Declaration(
        "The start of a text on its path, as a fraction of the path's length.",
        Use([.text], .share)
      ).needs(.along)
    case .fit:
      Declaration(
        "How an image or video fills its box.",
        Use([.image, .svg], .words(Fit.self), default: .word("cover")),
        Use([.video], .words(Fit.self), default: .word("contain")),
        Use([.output], .words(FrameFit.self), default: .word("contain"))
      ).constant
    case .focus:
      Declaration(
        "The point of an image or video that stays visible when it is cropped.",
        Use([.image, .svg, .video], .ownPoint, default: .percents(50)))

    // Appearance
    case .opacity:
      Declaration(
        "The opacity, from 0 (transparent) to 1 (opaque).",
        Use(.moving, .share, default: .number(1)))
    case .blend:
      Declaration(
        "How the element is blended with its backdrop.",
        Use(.drawn, .words(BlendMode.self), default: .word("normal"))
      ).constant
    case .visible:
      Declaration(
        "Whether the element is drawn.", Use(.drawn.union([.span]), .bool, default: .bool(true)))
    case .filter:
      Declaration(
        "Filters applied to the element as a whole.",
        Use(.drawn, .filters, default: InitialValue.none))
    case .edge:
      Declaration(
        "How a blur extends the content beyond the element's box.",
        Use(.resizable, .words(EdgeMode.self), default: .word("clear"))
      ).constant.needs(.filter)
    case .backdropFilter:
      Declaration(
        "Filters applied to the backdrop within the element's outline.",
        Use(.drawn.subtracting([.line, .arrow, .polyline]), .filters, default: InitialValue.none))
    case .shadow:
      Declaration(
        "The shadow of the element as a whole.", Use(.drawn, .shadow, default: InitialValue.none))
    case .clip: Declaration("The outline that clips the element.", Use(.drawn, .clipping))
    case .style: Declaration("The styles applied to the element.", Use(.lasting, .text)).constant
    case .blur: Declaration("The blur radius of a part of a text.", Use(.parts, .length))
    case .luminance:
      Declaration(
        "Whether a mask uses luminance instead of alpha.",
        Use([.mask], .bool, default: .bool(false))
      ).constant
    case .invert:
      Declaration(
        "Whether a mask hides the area that it covers.", Use([.mask], .bool, default: .bool(false))
      )
      .constant
    case .fill:
      Declaration(
        "The paint of the interior.", Use(.painted.subtracting(.openLines), .paint, default: .ink),
        Use(.openLines, .paint, default: InitialValue.none), Use([.each], .paint))
    case .stroke:
      Declaration(
        "The paint of the outline.",
        Use(.painted.subtracting(.openLines), .paint, default: InitialValue.none),
        Use(.openLines, .paint, default: .ink), Use([.each], .paint))
    case .strokeWidth:
      Declaration(
        "The width of the stroke.", Use(.openLines, .length, default: .number(4)),
        Use(.painted.subtracting(.openLines), .length, default: .number(1))
      ).needs(.stroke)
    case .cap:
      Declaration(
        "The shape of line ends.",
        Use(.painted, .words(StrokeStyle.Cap.self), default: .word("butt"))
      ).constant.needs(.stroke)
    case .join:
      Declaration(
        "The shape of corners.",
        Use(.painted, .words(StrokeStyle.Join.self), default: .word("miter"))
      ).constant.needs(.stroke)
    case .miterLimit:
      Declaration(
        "The maximum length of a mitered corner, as a multiple of the stroke width.",
        Use(.painted, .number, default: .number(4))
      ).needs(.stroke)
    case .dash:
      Declaration("The alternating lengths of dashes and gaps.", Use(.painted, .lengths)).needs(
        .stroke)
    case .dashOffset:
      Declaration(
        "The offset at which the dash pattern starts.", Use(.painted, .length, default: .number(0))
      ).needs(
        .dash)
    case .paintOrder:
      Declaration(
        "Whether fill or stroke is painted first.",
        Use(.painted, .word(["fill", "stroke"]), default: .word("fill"))
      ).constant
    case .trim:
      Declaration(
        "The part that is drawn or played.",
        Use(.shapes.union([.text, .math, .part]), .trim, default: .whole),
        Use(.players, .trim, default: .whole))
    case .trimOffset:
      Declaration(
        "Shifts the trimmed part along the outline.",
        Use(.shapes.union([.text]), .share, default: .number(0))
      ).needs(.trim)
    case .strokeScale:
      Declaration(
        "Whether the stroke width scales with the element.",
        Use(.shapes.subtracting([.arrow]), .words(StrokeScale.self), default: .word("auto"))
      ).constant.needs(.stroke)
    case .mixing:
      Declaration(
        "The color space for mixing colors.",
        Use(.fontHolders.union([.each]), .words(ColorSpace.self), default: .word("oklab"))
      ).inherited.constant
    case .easing:
      Declaration(
        "The default easing of motions.",
        Use(.fontHolders.union([.each]), .easing, default: .word("linear"))
      ).inherited.constant

    // Sound
    case .volume:
      Declaration(
        "The volume of the element and its children, as a factor or a gain in dB.",
        Use(.sounding, .gain, default: .decibels(0)))
    case .pan:
      Declaration(
        "The stereo position, from -100% (left) to 100% (right).",
        Use(.sounding, .pan, default: .percent(0))
      )
    case .fadeIn:
      Declaration(
        "The duration of the fade-in of the sound.", Use(.players, .time, default: .time(0))
      ).constant
    case .fadeOut:
      Declaration(
        "The duration of the fade-out of the sound.", Use(.players, .time, default: .time(0))
      )
      .constant
    case .pitch:
      Declaration(
        "Whether the pitch of a sound follows its speed.", Use(.players, .word(["keep", "follow"]))
      ).constant
    case .alpha:
      Declaration(
        "How the alpha channel of a clip is read.",
        Use([.video], .words(ClipReading.Alpha.self), default: .word("straight"))
      ).constant
    case .damaged:
      Declaration(
        "Whether a damaged frame repeats the last valid one or fails the build.",
        Use([.video], .words(ClipReading.Damage.self), default: .word("hold"))
      ).constant

    // Shapes
    case .radius:
      Declaration(
        "The distance from the center to the outline.",
        Use([.circle, .star, .arc], .length, default: .number(50)),
        Use([.ellipse], .lengthPair, default: .number(50))
      )
    case .innerRadius:
      Declaration(
        "The distance from the center to the dents or the hole.", Use([.star, .arc], .length))
    case .cornerRadius:
      Declaration("The radius of the corners.", Use(.cornered, .length, default: .number(0)))
    case .cornerSmoothing:
      Declaration(
        "How smoothly the sides blend into rounded corners.",
        Use(.boxes, .share, default: .number(0))
      ).needs(.cornerRadius)
    case .points:
      Declaration(
        "The number of points of a star, or the vertices of a line.",
        Use([.star], .number, default: .number(5)),
        Use([.polyline, .polygon], .points))
    case .start:
      Declaration("The start angle of an arc.", Use([.arc], .angle, default: .angle(-90)))
    case .sweep:
      Declaration("The angle that an arc spans.", Use([.arc], .angle, default: .angle(90)))
    case .closed:
      Declaration(
        "Whether an arc is closed through the center.", Use([.arc], .bool, default: .bool(false)))
    case .from: Declaration("The start point of a line.", Use([.line, .arrow], .point))
    case .to: Declaration("The end point of a line.", Use([.line, .arrow], .point))
    case .route:
      Declaration(
        "The route of a line between its end points.",
        Use([.line, .arrow], .words(Link.Route.self), default: .word("straight"))
      ).constant
    case .head:
      Declaration(
        "The shape at the end of an arrow.",
        Use([.arrow], .words(Link.Head.self), default: .word("triangle"))
      ).constant
    case .tail:
      Declaration(
        "The shape at the start of an arrow.",
        Use([.arrow], .words(Link.Head.self), default: .word("none"))
      ).constant
    case .data: Declaration("SVG path data, or another path.", Use([.path], .path))

    // Text
    case .content:
      Declaration(
        "The text, or the source of a formula.", Use([.text, .span, .math, .part], .text))
    case .mathStyle:
      Declaration(
        "Whether a formula is typeset in display or inline style.",
        Use([.math], .words(MathStyle.self), default: .word("normal"))
      ).constant
    case .font:
      Declaration("A font family, a font file, or a list of them.", Use(.fontHolders, .fonts))
        .inherited.constant
    case .fontSize:
      Declaration("The font size.", Use(.fontHolders, .length, default: .number(64))).inherited
    case .fontWeight:
      Declaration("The font weight.", Use(.fontHolders, .weight, default: .number(400))).inherited
    case .italic:
      Declaration("Whether the font is italic.", Use(.fontHolders, .bool, default: .bool(false)))
        .inherited
    case .features:
      Declaration("OpenType features in CSS syntax.", Use(.fontHolders, .text))
        .inherited.constant
    case .tabular:
      Declaration(
        "Whether all digits have the same width.", Use(.fontHolders, .bool, default: .bool(false))
      )
      .inherited.constant
    case .language:
      Declaration("The language of a text, as a BCP 47 tag.", Use(.fontHolders, .text))
        .inherited.constant
    case .letterSpacing:
      Declaration(
        "Extra space after each glyph.", Use(.fontHolders, .fontLength, default: .number(0))
      )
      .inherited
    case .direction:
      Declaration(
        "The direction of a text.",
        Use(.fontHolders, .words(TextDirection.self), default: .word("auto"))
      ).inherited.constant
    case .underline:
      Declaration("Whether the text is underlined.", Use(.texts, .bool, default: .bool(false)))
    case .lineHeight:
      Declaration(
        "The line height, as a multiple of the font size.",
        Use([.text, .captions], .fontLength, default: .percent(125)))
    case .wrap:
      Declaration(
        "How a text, row or column wraps into lines.",
        Use([.text], .words(TextWrap.self), default: .word("auto")),
        Use([.captions], .words(TextWrap.self), default: .word("balance")),
        Use(.lines, .bool, default: .bool(false))
      ).constant
    case .baselineShift:
      Declaration(
        "The vertical shift of letters from their baseline.",
        Use([.span], .shift, default: .number(0)))
    case .maxLines:
      Declaration(
        "The number of lines that a text shrinks to fit.",
        Use([.text], .number), Use([.captions], .number, default: .number(2))
      ).constant

    // Files and scene settings
    case .source:
      Declaration(
        "The file to play or show.",
        Use([.image, .svg, .video, .audio, .captions], .text)
      )
      .constant
    case .fps:
      Declaration(
        "The frame rate, in frames per second.", Use([.scene], .frameRate, default: .number(30)),
        Use([.image], .frameRate)
      ).constant
    case .loop:
      Declaration(
        "Whether, or how often, the element repeats.",
        Use([.image], .word(["forever", "once"])), Use(.players.union([.output]), .loop)
      ).constant
    case .background: Declaration("The background of a scene.", Use([.scene], .paint))
    case .tempo:
      Declaration("The tempo, in beats per minute.", Use([.scene], .number, default: .number(120)))
        .constant
    case .seed:
      Declaration("The seed of all random values.", Use([.scene], .number, default: .number(0)))
        .constant
    case .motionBlur:
      Declaration(
        "The shutter angle of motion blur.", Use([.scene], .angle, default: InitialValue.none)
      ).constant
    case .samples:
      Declaration(
        "The number of samples per frame for motion blur.",
        Use([.scene], .number, default: .number(16))
      ).constant.needs(.motionBlur)
    case .title:
      Declaration("The title in the file's metadata.", Use([.scene, .marker], .text)).constant
    case .author: Declaration("The author in the file's metadata.", Use([.scene], .text)).constant
    case .comment: Declaration("The comment in the file's metadata.", Use([.scene], .text)).constant

    // Outputs
    case .codec:
      Declaration(
        "The codec of the video or audio.",
        Use([.output], .word(VideoCodec.allCases.filter { $0 != .raw }.map(\.rawValue))),
        Use([.soundTrack], .word(SoundCodec.allCases.map(\.rawValue)))
      ).constant
    case .quality:
      Declaration(
        "The video quality, on the scale of the codec.",
        Use([.output], .number, default: .number(18))
      ).constant
    case .bitrate:
      Declaration("The bit rate, in bits per second.", Use([.output, .soundTrack], .bitrate))
        .constant
    case .profile:
      Declaration(
        "The codec profile, which sets the features that a player must support.",
        Use([.output], .word(VideoCodec.allCases.flatMap(\.profiles)))
      ).constant
    case .level:
      Declaration(
        "The codec level, which sets the performance that a player must provide.",
        Use([.output], .number)
      ).constant
    case .preset:
      Declaration(
        "The trade-off between encoding time and file size.",
        Use([.output], .word(Property.presets))
      ).constant
    case .pixelFormat:
      Declaration(
        "The pixel format: color model, chroma subsampling and bit depth.",
        Use([.output], .word(PixelFormat.allCases.filter { $0 != .pal8 }.map(\.rawValue)))
      ).constant
    case .frameRate:
      Declaration(
        "Whether all frames have the same duration.",
        Use([.output], .word(["constant", "variable"]))
      ).constant
    case .copy:
      Declaration(
        "Whether frames of clips are copied without encoding where possible.",
        Use([.output], .bool, default: .bool(false))
      ).constant
    case .audio:
      Declaration("Whether the file has an audio track.", Use([.output], .word(["none"]))).constant
    case .loudness:
      Declaration(
        "The integrated loudness, in LUFS; use -14 for the web.", Use([.soundTrack], .number)
      ).constant
    case .peak:
      Declaration(
        "The maximum true peak, in dB.", Use([.soundTrack], .gain, default: .decibels(-1))
      ).constant
    case .sampleRate:
      Declaration(
        "The sample rate: a number, or a frequency such as 44.1kHz.",
        Use([.soundTrack], .number, default: .number(48_000))
      ).constant
    case .channels:
      Declaration(
        "The number of audio channels: 1 is mono, 2 is stereo.",
        Use([.soundTrack], .word(["stereo", "mono", "1", "2"]), default: .word("stereo"))
      ).constant
    case .bits:
      Declaration(
        "The bit depth of PCM or FLAC samples.",
        Use([.soundTrack], .word(["16", "24", "32"]), default: .word("16"))
      ).constant
    case .layout:
      Declaration(
        "Whether a different output size scales the frame or lays out the scene again.",
        Use([.output], .word(["scaled", "own"]), default: .word("scaled"))
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
