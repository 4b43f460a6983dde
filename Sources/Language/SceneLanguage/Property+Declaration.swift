// SPDX-License-Identifier: MIT
import SceneGraphics
import SceneIR

extension Property {
  /// The declaration of the property, the single source of its element kinds, its type for each
  /// kind, and its default.
  var declared: Declaration {
    switch self {
    // Timing
    case .at:
      Declaration(
        Use(.lasting.union([.span, .expect]), .time, default: .number(0)), Use([.marker], .time)
      ).constant
    case .for: Declaration(Use(.lasting.union([.scene, .span, .expect]), .time)).constant
    case .stagger:
      Declaration(Use(.placed.subtracting([.sequence, .steps]).union([.each]), .time)).constant
    case .timeStep: Declaration(Use(.drawn, .time)).constant
    case .enter: Declaration(Use(.moving, .effects)).constant
    case .exit: Declaration(Use(.moving, .effects)).constant
    case .transition: Declaration(Use(.lasting, .transition)).constant
    case .overlap:
      Declaration(
        Use([.sequence], .words(ClipOverlap.self), default: .word("inside"))
      ).constant
    case .speed:
      Declaration(
        Use(.players, .number, default: .number(1)),
        Use([.particles], .varied(.number), default: .number(100)))
    case .time: Declaration(Use(.players, .time))
    case .chapter: Declaration(Use([.step], .text)).constant
    case .order:
      Declaration(
        Use([.each], .words(TextOrder.self), default: .word("start")),
        Use([.particles], .words(ParticleOrder.self), default: .word("oldest"))
      ).constant

    // Placement
    case .position:
      Declaration(
        Use(.placed.subtracting(.standingByCoordinates), .point, default: .percents(50)),
        Use(.placed.intersection(.standingByCoordinates), .point))
    case .anchor: Declaration(Use(.placed, .ownPoint, default: .percents(50)))
    case .translate: Declaration(Use(.moving, .point, default: .pair(0)))
    case .rotate:
      Declaration(
        Use(.moving, .angle, default: .angle(0)),
        Use([.particles], .varied(.angle), default: .angle(0)))
    case .scale:
      Declaration(
        Use(.moving, .factors, default: .pair(1)),
        Use([.particles], .varied(.number), default: .number(1)))
    case .skew: Declaration(Use(.moving, .angles, default: .angles(0)))
    case .pivot: Declaration(Use(.placed, .ownPoint, default: .percents(50)))
    case .z: Declaration(Use(.drawn, .number, default: .number(0)))
    case .rotateX, .rotateY: Declaration(Use(.moving, .angle, default: .angle(0)))
    case .translateZ: Declaration(Use(.moving, .length, default: .number(0)))
    case .perspective:
      Declaration(
        Use([.scene], .perspective, default: .word("auto")), Use(.spaces, .perspective))
    case .perspectiveOrigin:
      Declaration(Use(.spaces.union([.scene]), .point, default: .percents(50)))
    case .backface:
      Declaration(Use(.placed, .words(Backface.self), default: .word("visible"))).constant
    case .copies: Declaration(Use([.repeat], .number, default: .number(3))).constant
    case .stepTranslate: Declaration(Use([.repeat], .point, default: .pair(0)))
    case .stepRotateX, .stepRotateY: Declaration(Use([.repeat], .angle, default: .angle(0)))
    case .stepTranslateZ: Declaration(Use([.repeat], .length, default: .number(0)))
    case .stepRotate: Declaration(Use([.repeat], .angle, default: .angle(0)))
    case .stepScale: Declaration(Use([.repeat], .factors, default: .pair(1)))
    case .stepOpacity: Declaration(Use([.repeat], .share, default: .number(1)))
    case .stepOffset: Declaration(Use([.repeat], .number, default: .number(0)))
    case .size:
      Declaration(
        Use([.rect], .size, default: .pair(100), in: .atLeast(0)),
        Use(.groups, .size, default: .percents(100), in: .atLeast(0)),
        Use([.particles], .varied(.factors), default: .number(8), in: .atLeast(0)),
        Use(
          [.image, .svg, .video, .sequence, .row, .column, .grid, .camera], .size, in: .atLeast(0)),
        Use([.scene, .output], .pixelSize))
    case .lookAt: Declaration(Use([.camera], .point))
    case .zoom: Declaration(Use([.camera], .number, default: .number(1)))
    case .dolly, .aperture: Declaration(Use([.camera], .length, default: .number(0)))
    case .orbit: Declaration(Use([.camera], .angles, default: .angles(0)))
    case .focusDistance:
      Declaration(Use([.camera], .length, default: .percent(100))).needs(.aperture)
    case .grow: Declaration(Use(.resizable.union([.text]), .number, default: .number(0)))
    case .minWidth: Declaration(Use(.resizable, .lengthX))
    case .maxWidth: Declaration(Use(.resizable.union([.text]), .lengthX))
    case .minHeight: Declaration(Use(.resizable, .lengthY))
    case .maxHeight: Declaration(Use(.resizable, .lengthY))
    case .gap:
      Declaration(
        Use(.layouts, .lengthPair, default: .pair(0)),
        Use([.line, .arrow], .length, default: .number(0)))
    case .padding:
      Declaration(
        Use(.layouts, .lengthPair, default: .pair(0), in: .atLeast(0)),
        Use(
          [.text, .captions], .fontLengthPair, default: .percentPair(30, 10), in: .atLeast(0)))
    case .paddingLeft, .paddingTop, .paddingRight, .paddingBottom:
      Declaration(Use(.layouts, .length, default: .number(0), in: .atLeast(0)))
    case .columns: Declaration(Use([.grid], .number)).constant
    case .justify:
      Declaration(
        Use(.lines, .word(Distribution.allCases.filter { $0 != .stretch }.map(\.rawValue)))
      ).constant
    case .alignContent:
      Declaration(
        Use(.lines, .words(Distribution.self), default: .word("stretch"))
      ).constant.needs(.wrap)
    case .alignSelf: Declaration(Use(.placed, .words(Alignment.self))).constant
    case .align:
      Declaration(
        Use(.layouts, .words(Alignment.self)), Use([.text, .captions], .words(TextAlign.self))
      ).constant
    case .width: Declaration(Use([.text, .captions], .lengthX))
    case .fitWidth: Declaration(Use([.text], .lengthX))
    case .along: Declaration(Use([.text], .path))
    case .alongShape:
      Declaration(
        Use([.text], .words(LetterShape.self), default: .word("rigid"))
      ).constant.needs(.along)
    case .startOffset: Declaration(Use([.text], .length)).needs(.along)
    case .fit:
      Declaration(
        Use([.image, .svg], .words(Fit.self), default: .word("cover")),
        Use([.video], .words(Fit.self), default: .word("contain")),
        Use([.output], .words(FrameFit.self), default: .word("contain"))
      ).constant
    case .focus: Declaration(Use([.image, .svg, .video], .ownPoint, default: .percents(50)))

    case .imageRendering:
      Declaration(
        Use(.drawn.union([.scene]), .words(ImageRendering.self), default: .word("auto"))
      ).inherited.constant

    // Appearance
    case .opacity:
      Declaration(
        Use(.moving, .share, default: .number(1)),
        Use([.particles], .varied(.share), default: .number(1)))
    case .blend: Declaration(Use(.drawn, .words(BlendMode.self), default: .word("normal"))).constant
    case .light: Declaration(Use(.placed, .words(Light.self), default: .word("srgb"))).constant
    case .visible: Declaration(Use(.drawn.union([.span]), .bool, default: .bool(true)))
    case .filter: Declaration(Use(.drawn, .filters, default: InitialValue.none))
    case .edge:
      Declaration(
        Use(.resizable, .words(EdgeMode.self), default: .word("clear"))
      ).constant.needs(.filter)
    case .backdropFilter:
      Declaration(
        Use(.placed.subtracting([.line, .arrow, .polyline]), .filters, default: InitialValue.none))
    case .shadow: Declaration(Use(.drawn, .shadow, default: InitialValue.none))
    case .clip: Declaration(Use(.drawn, .clipping))
    case .style: Declaration(Use(.lasting, .text)).constant
    case .blur: Declaration(Use(.parts, .length, in: .atLeast(0)))
    case .luminance: Declaration(Use([.mask], .bool, default: .bool(false))).constant
    case .invert: Declaration(Use([.mask], .bool, default: .bool(false))).constant
    case .fill:
      Declaration(
        Use(.painted.subtracting(.openLines), .paint, default: .ink),
        Use(.openLines, .paint, default: InitialValue.none), Use([.each], .paint),
        Use([.particles], .varied(.color), default: .ink))
    case .stroke:
      Declaration(
        Use(.stroked.subtracting(.openLines), .paint, default: InitialValue.none),
        Use(.openLines, .paint, default: .ink), Use([.each], .paint))
    case .strokeWidth:
      Declaration(
        Use(.openLines, .length, default: .number(4), in: .atLeast(0)),
        Use(.stroked.subtracting(.openLines), .length, default: .number(1), in: .atLeast(0))
      ).needs(.stroke)
    case .cap:
      Declaration(
        Use(.stroked, .words(StrokeStyle.Cap.self), default: .word("butt"))
      ).constant.needs(.stroke)
    case .join:
      Declaration(
        Use(.stroked, .words(StrokeStyle.Join.self), default: .word("miter"))
      ).constant.needs(.stroke)
    case .miterLimit:
      Declaration(Use(.stroked, .number, default: .number(4), in: .atLeast(0))).needs(.stroke)
    case .dash: Declaration(Use(.stroked, .lengths, in: .atLeast(0))).needs(.stroke)
    case .dashOffset: Declaration(Use(.stroked, .length, default: .number(0))).needs(.dash)
    case .paintOrder:
      Declaration(Use(.stroked, .word(["fill", "stroke"]), default: .word("fill"))).constant
    case .trim:
      Declaration(
        Use(.shapes.union([.text, .math, .part]), .trim, default: .whole),
        Use(.players, .trim, default: .whole))
    case .trimOffset:
      Declaration(Use(.shapes.union([.text]), .share, default: .number(0))).needs(.trim)
    case .strokeScale:
      Declaration(
        Use(.shapes.subtracting([.arrow]), .words(StrokeScale.self), default: .word("auto"))
      ).constant.needs(.stroke)
    case .taper: Declaration(Use(.shapes, .factors, default: .percents(0))).needs(.stroke)
    case .strokeProfile: Declaration(Use(.shapes, .numbers)).needs(.stroke)
    case .profileOf:
      Declaration(Use(.shapes, .words(ProfileSpan.self), default: .word("path"))).constant
    case .rough: Declaration(Use(.roughened, .number, default: .number(0))).inherited
    case .roughSeed:
      Declaration(Use(.roughened, .number, default: .number(0))).inherited.needs(.rough)
    case .boil: Declaration(Use(.roughened, .time)).inherited.constant.needs(.rough)
    case .mixing:
      Declaration(
        Use(.fontHolders.union([.each]), .words(ColorSpace.self), default: .word("oklab"))
      ).inherited.constant
    case .easing:
      Declaration(
        Use(.fontHolders.union([.each]), .easing, default: .word("linear"))
      ).inherited.constant

    // Sound
    case .volume: Declaration(Use(.sounding, .gain, default: .decibels(0)))
    case .pan: Declaration(Use(.sounding, .pan, default: .percent(0)))
    case .fadeIn: Declaration(Use(.voices, .time, default: .time(0))).constant
    case .fadeOut: Declaration(Use(.voices, .time, default: .time(0))).constant
    case .speech: Declaration(Use(.players, .bool, default: .bool(false))).constant
    case .pitch: Declaration(Use(.players, .word(["keep", "follow"]))).constant
    // Accessibility
    case .alt: Declaration(Use(.described, .text)).constant
    case .decorative: Declaration(Use(.described, .bool, default: .bool(false))).constant

    // Decoding of clips
    case .alpha:
      Declaration(
        Use([.video], .words(ClipReading.Alpha.self), default: .word("straight"))
      ).constant
    case .damaged:
      Declaration(Use([.video], .words(ClipReading.Damage.self), default: .word("hold"))).constant
    case .blendFrames: Declaration(Use([.video], .bool, default: .bool(false))).constant
    case .placeholder: Declaration(Use(.players, .time)).constant

    // Shapes
    case .radius:
      Declaration(
        Use([.circle, .star, .arc], .length, default: .number(50), in: .atLeast(0)),
        Use([.ellipse], .lengthPair, default: .number(50), in: .atLeast(0)))
    case .innerRadius: Declaration(Use([.star, .arc], .length, in: .atLeast(0)))
    case .cornerRadius:
      Declaration(
        Use(.cornered, .length, default: .number(0), in: .atLeast(0)),
        Use([.text, .captions], .fontLength, default: .number(0), in: .atLeast(0)))
    case .cornerSmoothing:
      Declaration(Use(.boxes, .share, default: .number(0))).needs(.cornerRadius)
    case .points:
      Declaration(Use([.star], .number, default: .number(5)), Use([.polyline, .polygon], .points))
    case .start: Declaration(Use([.arc], .angle, default: .angle(-90)))
    case .sweep: Declaration(Use([.arc], .angle, default: .angle(90)))
    case .closed: Declaration(Use([.arc], .bool, default: .bool(false)))
    case .from:
      Declaration(
        Use([.line, .arrow], .point), Use([.particles], .emitter, default: .percents(50)),
        Use([.output], .time))
    case .to: Declaration(Use([.line, .arrow], .point), Use([.output], .time))
    case .route:
      Declaration(
        Use([.line, .arrow], .words(Link.Route.self), default: .word("straight"))
      ).constant
    case .head:
      Declaration(Use([.arrow], .words(Link.Head.self), default: .word("triangle"))).constant
    case .tail: Declaration(Use([.arrow], .words(Link.Head.self), default: .word("none"))).constant
    case .data: Declaration(Use([.path], .path))

    // Particles
    case .emit:
      Declaration(
        Use([.particles], .words(ParticleEmission.self), default: .word("area"))
      ).constant
    case .rate: Declaration(Use([.particles], .rate))
    case .burst: Declaration(Use([.particles], .number)).constant
    case .emitFor: Declaration(Use([.particles], .time)).constant
    case .prewarm: Declaration(Use([.particles], .time, default: .time(0))).constant
    case .life: Declaration(Use([.particles], .varied(.time), default: .time(1))).constant
    case .heading: Declaration(Use([.particles], .varied(.angle), default: .angle(-90)))
    case .spread: Declaration(Use([.particles], .angle, in: .atLeast(0)))
    case .inherit: Declaration(Use([.particles], .share, default: .number(0)))
    case .gravity: Declaration(Use([.particles], .lengthPair, default: .pair(0)))
    case .drag:
      Declaration(Use([.particles], .varied(.number), default: .number(0), in: .atLeast(0)))
    case .turbulence: Declaration(Use([.particles], .varied(.number), default: .number(0)))
    case .turbulenceScale: Declaration(Use([.particles], .length, default: .number(200)))
    case .shape:
      Declaration(
        Use([.particles], .words(ParticleShape.self), default: .word("circle"))
      ).constant
    case .stretch: Declaration(Use([.particles], .time, default: .time(0)))
    case .orient:
      Declaration(
        Use([.particles], .words(ParticleOrientation.self), default: .word("none"))
      ).constant

    // Text
    case .content: Declaration(Use([.text, .span, .math, .part, .description], .text))
    case .mathStyle:
      Declaration(Use([.math], .words(MathStyle.self), default: .word("normal"))).constant
    case .font: Declaration(Use(.fontHolders, .fonts)).inherited.constant
    case .fontSize:
      Declaration(Use(.fontHolders, .length, default: .number(64), in: .atLeast(0))).inherited
    case .fontWeight: Declaration(Use(.fontHolders, .weight, default: .number(400))).inherited
    case .fontWidth: Declaration(Use(.fontHolders, .number, default: .percent(100))).inherited
    case .fontAxes: Declaration(Use(.fontHolders, .axes)).inherited
    case .opticalSize:
      Declaration(Use(.fontHolders, .opticalSize, default: InitialValue.none)).inherited
    case .italic: Declaration(Use(.fontHolders, .bool, default: .bool(false))).inherited
    case .features: Declaration(Use(.fontHolders, .text)).inherited.constant
    case .tabular: Declaration(Use(.fontHolders, .bool, default: .bool(false))).inherited.constant
    case .language:
      Declaration(Use(.fontHolders.union([.description]), .text)).inherited.constant
    case .syntax: Declaration(Use([.text], .text)).constant
    case .syntaxColors: Declaration(Use([.text], .colors)).needs(.syntax)
    case .letterSpacing: Declaration(Use(.fontHolders, .fontLength, default: .number(0))).inherited
    case .direction:
      Declaration(
        Use(.fontHolders, .words(TextDirection.self), default: .word("auto"))
      ).inherited.constant
    case .underline: Declaration(Use(.texts, .bool, default: .bool(false)))
    case .lineHeight:
      Declaration(
        Use([.text, .captions], .fontLength, default: .percent(125), in: .atLeast(0)))
    case .wrap:
      Declaration(
        Use([.text], .words(TextWrap.self), default: .word("auto")),
        Use([.captions], .words(TextWrap.self), default: .word("balance")),
        Use(.lines, .bool, default: .bool(false))
      ).constant
    case .baselineShift: Declaration(Use([.span], .shift, default: .number(0)))
    case .maxLines:
      Declaration(Use([.text], .number), Use([.captions], .number, default: .number(2))).constant

    // Files and scene settings
    case .kind:
      Declaration(
        Use([.captions], .word(CaptionKind.written.map(\.rawValue)), default: .word("captions"))
      ).constant
    case .label: Declaration(Use([.captions], .text)).constant
    case .source:
      Declaration(
        Use([.image, .svg, .video, .audio, .captions, .description], .text)
      ).constant
    case .fps:
      Declaration(
        Use([.scene], .frameRate, default: .number(30)), Use([.image, .output], .frameRate)
      ).constant
    case .loop:
      Declaration(
        Use([.image], .word(["forever", "once"])), Use(.players.union([.output]), .loop)
      ).constant
    case .background:
      Declaration(
        Use([.scene], .paint), Use([.text, .captions], .paint, default: InitialValue.none))
    case .tempo: Declaration(Use([.scene], .number, default: .number(120))).constant
    case .seed: Declaration(Use([.scene, .particles], .number, default: .number(0))).constant
    case .motionBlur: Declaration(Use([.scene], .angle, default: InitialValue.none)).constant
    case .samples:
      Declaration(Use([.scene], .number, default: .number(16))).constant.needs(.motionBlur)
    case .flashLimit:
      Declaration(Use([.scene], .words(FlashLimit.self), default: .word("web"))).constant
    case .title: Declaration(Use([.scene, .marker, .expect], .text)).constant
    case .author: Declaration(Use([.scene], .text)).constant
    case .comment: Declaration(Use([.scene], .text)).constant

    // Expectations
    case .golden: Declaration(Use([.expect], .times)).constant
    case .tolerance:
      Declaration(Use([.expect], .number, default: .number(0))).constant.needs(.golden)

    // Projects
    case .root: Declaration(Use([.project], .text)).constant
    case .fonts: Declaration(Use([.project], .files)).constant
    case .params, .limits: Declaration(Use([.project], .record)).constant

    // Outputs
    case .codec:
      Declaration(
        Use([.output], .word(VideoCodec.allCases.filter { $0 != .raw }.map(\.rawValue))),
        Use([.soundTrack], .word(SoundCodec.allCases.map(\.rawValue)))
      ).constant
    case .quality: Declaration(Use([.output], .number, default: .number(18))).constant
    case .bitrate: Declaration(Use([.output, .soundTrack], .bitrate)).constant
    case .profile:
      Declaration(Use([.output], .word(VideoCodec.allCases.flatMap(\.profiles)))).constant
    case .level: Declaration(Use([.output], .number)).constant
    case .preset: Declaration(Use([.output], .word(Property.presets))).constant
    case .pixelFormat:
      Declaration(
        Use([.output], .word(PixelFormat.allCases.filter { $0 != .pal8 }.map(\.rawValue)))
      ).constant
    case .frameRate: Declaration(Use([.output], .word(["constant", "variable"]))).constant
    case .copy: Declaration(Use([.output], .bool, default: .bool(false))).constant
    case .audio: Declaration(Use([.output], .word(["none"]))).constant
    case .loudness: Declaration(Use([.soundTrack], .number)).constant
    case .peak: Declaration(Use([.soundTrack], .gain, default: .decibels(-1))).constant
    case .sampleRate: Declaration(Use([.soundTrack], .number, default: .number(48_000))).constant
    case .channels:
      Declaration(
        Use([.soundTrack], .word(["stereo", "mono", "1", "2"]), default: .word("stereo"))
      ).constant
    case .bits:
      Declaration(Use([.soundTrack], .word(["16", "24", "32"]), default: .word("16"))).constant
    case .captions:
      Declaration(Use([.output], .words(CaptionUse.self), default: .word("burned"))).constant
    case .described:
      Declaration(Use([.output], .words(DescribedUse.self), default: .word("none"))).constant
    case .layout:
      Declaration(
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
  /// The properties that exclude this one: `time` excludes the properties that it replaces, and a
  /// text on a path has one line, which no width wraps.
  package var excluded: [Property] {
    switch self {
    case .time: [.trim, .speed, .loop]
    case .trim, .speed, .loop: [.time]
    case .along: [.width, .maxWidth]
    case .width, .maxWidth: [.along]
    default: []
    }
  }
}
