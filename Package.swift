// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Sets the paths of a layer's targets: `Sources/<layer>/<target>` for sources and
/// `Tests/<layer>/<target>` for tests. A target imports only targets of its own and earlier layers.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
  for target in targets {
    target.path = "\(target.isTest ? "Tests" : "Sources")/\(name)/\(target.name)"
  }
  return targets
}

/// A Swift target with the shared settings.
func scene(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The linker settings of executables that include the Swift runtime. Only linking differs, so both
/// kinds of executables share the same object files. The archives are those that objects compiled
/// for the dynamic runtime do not reference.
let staticRuntime = [
  "-static-stdlib", "-Xlinker", "--start-group", "-lCoreFoundation", "-l_FoundationICU",
  "-l_FoundationCShims", "-l_FoundationCollections", "-Xlinker", "--end-group", "-lstdc++",
]
let isStatic = Context.environment["SCENEC_STATIC"] != nil

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: settings,
    linkerSettings: isStatic ? [.unsafeFlags(staticRuntime)] : [])
}

/// An example program that uses the library.
func example(_ name: String, _ folder: String) -> Target {
  .executableTarget(
    name: "example-\(name)", dependencies: ["Scenec"], path: "Examples/library/\(folder)",
    swiftSettings: settings)
}

/// Tests of a target. Optimizing them doubles the time to compile them, so only tests with long
/// loops over samples are optimized. Loops over pixels are in `SceneTestSupport`.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], isOptimized: Bool = false
) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies,
    swiftSettings: settings + (isOptimized ? [] : [.unsafeFlags(["-Onone"])]))
}

let targets: [[Target]] = [
  floor(
    "Base",
    [
      scene("SceneText"),
      scene("SceneResources", ["CResources"]),
      scene("SceneGraphics", ["CClipper"]),
      scene("SceneDiagnostics", ["SceneText"]),
      tests("SceneText", ["SceneText", "SceneTestSupport"]),
      tests("SceneGraphics", ["SceneGraphics", "SceneTestSupport"]),
    ]),
  floor(
    "Film",
    [
      scene("SceneIR", ["SceneGraphics"]),
      scene("SceneMath", ["SceneText", "SceneGraphics"]),
      scene(
        "SceneModel",
        ["SceneText", "SceneGraphics", "SceneIR", "SceneMath", "CResources", "SceneResources"],
        exclude: ["references.txt"]),
      scene(
        "SceneLower",
        ["SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel"]),
      scene("SceneFlash", ["SceneGraphics", "SceneIR", "SceneModel", "CPixels"]),
      tests("SceneIR", ["SceneGraphics", "SceneIR", "SceneTestSupport"]),
      tests("SceneMath", ["SceneGraphics", "SceneMath", "SceneTestSupport"]),
      tests(
        "SceneModel",
        ["SceneText", "SceneGraphics", "SceneIR", "SceneModel", "SceneTestSupport"]),
      tests(
        "SceneFlash",
        ["SceneFlash", "SceneGraphics", "SceneIR", "SceneModel", "SceneTestSupport"]),
      tests(
        "SceneLower",
        [
          "SceneText", "SceneGraphics", "SceneIR", "SceneModel", "SceneCheck", "SceneLower",
          "SceneTestSupport",
        ]),
    ]),
  floor(
    "Language",
    [
      scene("SceneSyntax", ["SceneText", "SceneDiagnostics"]),
      scene(
        "SceneLibrary", ["CResources", "SceneResources"], exclude: ["std", "manual", "templates"]),
      scene("SceneLanguage", ["SceneGraphics", "SceneIR"]),
      scene(
        "SceneLint",
        [
          "SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage", "SceneLower",
        ]),
      scene(
        "SceneTypes",
        [
          "SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel", "SceneSyntax",
          "SceneLanguage", "SceneLibrary",
        ]),
      scene(
        "SceneCheck",
        [
          "SceneTypes", "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR",
          "SceneMath",
          "SceneModel", "SceneLower", "SceneLanguage", "SceneLibrary", "SceneLint",
        ]),
      scene(
        "SceneTimeline",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage", "SceneCheck", "SceneLower",
        ]),
      scene(
        "SceneCompare",
        [
          "SceneText", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel", "SceneLanguage",
          "SceneCheck", "SceneLower",
        ]),
      tests("SceneLanguage", ["SceneLanguage", "SceneTestSupport"]),
      tests("SceneCompare", ["SceneCheck", "SceneCompare", "SceneText", "SceneTestSupport"]),
      tests(
        "SceneSyntax",
        ["SceneText", "SceneDiagnostics", "SceneSyntax", "SceneCheck", "SceneTestSupport"]),
      tests(
        "SceneCheck",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneTypes", "SceneCheck", "SceneLower", "SceneFuzz", "SceneTestSupport", "CLinux",
        ]),
      tests(
        "SceneTimeline",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneModel", "SceneCheck",
          "SceneTimeline",
          "SceneTestSupport",
        ]),
    ]),
  floor(
    "System",
    [
      scene("SceneSystem", ["CLinux"]),
      scene("SceneDigest", ["CNettle"]),
      scene("SceneStore", ["SceneDigest", "SceneSystem", "CLinux"]),
      scene("SceneJSON", ["SceneSystem", "CJSON"]),
      scene("SceneWeb", ["SceneSystem", "CWeb"]),
      tests("SceneDigest", ["SceneDigest", "SceneTestSupport"]),
      tests("SceneStore", ["SceneDigest", "SceneStore", "SceneSystem", "SceneTestSupport"]),
    ]),
  floor(
    "Media",
    [
      scene(
        "SceneSound",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "SceneSystem", "CSound", "CLoudness",
          "CStretch",
        ]),
      scene(
        "ScenePixels",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "SceneFlash", "SceneSystem", "CLinux",
          "CStills", "CPixels", "CProcess",
        ]),
      scene(
        "SceneClips",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "ScenePixels", "SceneDigest", "SceneStore",
          "SceneSystem", "CLinux", "CProcess",
        ]),
      scene(
        "SceneFiles",
        [
          "CHighlight", "SceneDigest", "SceneGraphics", "SceneIR", "SceneModel", "ScenePixels",
          "SceneClips",
          "SceneStore", "SceneSystem",
          "CLinux",
        ]),
      scene(
        "SceneImageWorker",
        [
          "SceneGraphics", "SceneModel", "ScenePixels", "SceneSystem", "CImage", "CWebP",
          "CLinux", "CProcess", "CSVG",
        ]),
      scene("SceneAV", ["CAV", "SceneSystem"]),
      scene(
        "SceneClipWorker",
        [
          "SceneGraphics", "SceneModel", "ScenePixels", "SceneClips", "SceneAV", "SceneSystem",
          "CAV", "CWebP", "CLinux", "CPixels", "CProcess",
        ]),
      scene(
        "SceneEncoding",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "SceneLanguage", "SceneSystem", "SceneAV",
          "CAV",
        ]),
      tests(
        "SceneSound",
        [
          "SceneText", "SceneGraphics", "SceneIR", "SceneModel", "SceneSound", "SceneTestSupport",
        ], isOptimized: true),
      tests(
        "SceneClips",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "ScenePixels", "SceneClips", "SceneStore",
          "SceneSystem",
          "SceneTestSupport", "CLinux",
        ], isOptimized: true),
      tests(
        "SceneEncoding",
        [
          "SceneText", "SceneGraphics", "SceneIR", "SceneModel", "SceneLanguage", "SceneAV",
          "SceneEncoding", "SceneTestSupport",
        ], isOptimized: true),
    ]),
  floor(
    "Drawing",
    [
      scene(
        "SceneCairo",
        ["SceneGraphics", "SceneIR", "SceneMath", "ScenePixels", "SceneSystem", "CCairo"]),
      scene(
        "SceneRaster",
        [
          "SceneText", "SceneGraphics", "SceneIR", "SceneMath", "SceneModel", "SceneFlash",
          "ScenePixels",
          "SceneClips", "SceneFiles", "SceneCairo", "SceneDigest", "SceneSystem",
        ]),
      tests(
        "SceneRaster",
        [
          "SceneLibrary", "SceneStore", "SceneText", "SceneDiagnostics", "SceneSyntax",
          "SceneGraphics", "SceneIR",
          "SceneModel",
          "SceneCheck", "SceneLower", "ScenePixels", "SceneClips", "SceneFiles", "SceneCairo",
          "SceneRaster", "SceneSystem", "SceneTestSupport", "CLinux", "CProcess",
        ]),
    ]),
  floor(
    "Engine",
    [
      scene(
        "SceneOutput",
        [
          "SceneDiagnostics", "SceneText", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage",
          "SceneFiles", "SceneSystem", "CLinux",
        ]),
      scene(
        "SceneSession",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneModel",
          "SceneCheck",
          "ScenePixels", "SceneClips", "SceneFiles", "SceneCairo", "SceneRaster", "SceneStore",
          "SceneSystem",
        ]),
      scene(
        "SceneRevision",
        ["SceneFiles", "SceneOutput", "SceneSession", "SceneSystem", "CLinux", "CProcess"]),
      scene(
        "SceneWriting",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "SceneFlash", "SceneLanguage", "SceneSystem",
          "SceneClips", "SceneFiles", "ScenePixels", "SceneRaster", "SceneAV", "SceneEncoding",
          "SceneOutput", "CLinux",
        ]),
      scene(
        "Scenec",
        [
          "SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage",
          "SceneSystem", "ScenePixels", "SceneClips", "SceneFiles", "SceneCairo", "SceneRaster",
          "SceneAV", "SceneEncoding", "SceneOutput", "SceneWriting", "SceneStore", "CLinux",
        ]),
      scene(
        "SceneBuild",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage", "SceneTypes", "SceneCheck", "SceneLower", "SceneSound", "ScenePixels",
          "SceneClips", "SceneFiles", "SceneOutput",
          "SceneRaster", "SceneAV", "SceneEncoding", "SceneDigest", "SceneStore", "SceneSystem",
          "SceneFlash", "SceneSession", "SceneTimeline", "SceneJSON", "SceneWriting", "CLinux",
          "CProcess",
        ]),
      tests(
        "SceneSession",
        [
          "SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel", "SceneLower",
          "SceneFiles", "SceneRaster", "SceneSession", "SceneTestSupport",
        ]),
      tests("SceneOutput", ["SceneFiles", "SceneOutput", "SceneTestSupport"]),
      tests(
        "SceneBuild",
        [
          "SceneModel", "SceneIR", "SceneFlash", "ScenePixels", "SceneDigest", "SceneStore",
          "SceneBuild", "SceneTestSupport",
        ]),
      tests("Scenec", ["Scenec", "SceneTestSupport"]),
    ]),
  floor(
    "Interactive",
    [
      scene(
        "SceneEditing",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneMath",
          "SceneModel", "SceneLanguage", "SceneLibrary", "SceneTypes", "SceneCheck",
        ]),
      scene(
        "ScenePlayhead",
        [
          "SceneText", "SceneSyntax", "SceneModel", "SceneLanguage", "SceneTypes", "SceneCheck",
          "SceneEditing",
        ]),
      scene("ScenePage", ["CResources", "SceneResources"], exclude: ["page"]),
      scene(
        "SceneServer",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneCheck",
          "SceneEditing", "SceneJSON", "SceneSystem", "CLinux", "CProcess",
        ]),
      scene(
        "ScenePreview",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage", "SceneTypes", "SceneCheck", "SceneLower", "SceneEditing",
          "ScenePlayhead", "SceneDigest", "SceneFiles", "SceneRaster", "SceneSound", "SceneClips",
          "SceneJSON", "SceneWeb", "ScenePage", "SceneOutput", "SceneSession", "SceneSystem",
          "SceneServer", "SceneBuild", "CLinux",
        ]),
      tests(
        "SceneEditing",
        [
          "SceneGraphics", "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneModel",
          "SceneTypes", "SceneCheck", "SceneEditing", "SceneTestSupport",
        ]),
      tests(
        "ScenePlayhead",
        [
          "SceneText", "SceneSyntax", "SceneModel", "SceneLanguage", "SceneCheck", "SceneEditing",
          "ScenePlayhead", "SceneTestSupport",
        ]),
      tests(
        "SceneServer",
        [
          "SceneServer", "SceneFuzz", "SceneJSON", "SceneSystem", "SceneTestSupport", "CLinux",
          "CProcess",
        ]),
      tests(
        "ScenePreview",
        [
          "SceneGraphics", "SceneIR", "SceneModel", "SceneLower", "SceneRaster", "SceneSound",
          "SceneClips", "SceneFiles", "SceneOutput", "SceneSession", "SceneJSON", "SceneCLI",
          "SceneBuild",
          "SceneServer", "SceneSystem", "SceneText", "SceneWeb", "ScenePage", "ScenePreview",
          "SceneTestSupport", "CLinux", "CProcess",
        ]),
    ]),
  floor(
    "Programs",
    [
      scene(
        "SceneFuzz",
        [
          "SceneText", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneMath", "SceneModel",
          "SceneCheck", "SceneLower", "SceneServer", "SceneJSON",
        ]),
      scene(
        "SceneCLI",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneLanguage", "SceneTypes", "SceneCheck", "SceneLower", "ScenePixels", "SceneFiles",
          "SceneCairo",
          "SceneOutput", "SceneRaster", "SceneSession", "SceneRevision", "SceneLibrary",
          "SceneTimeline", "SceneCompare", "SceneStore", "SceneSystem", "CLinux",
          "CProcess",
        ]),
      scene(
        "SceneCommands",
        [
          "SceneText", "SceneDiagnostics", "SceneGraphics", "SceneIR", "SceneModel", "SceneLower",
          "SceneLanguage", "SceneLint", "SceneCheck", "SceneDigest", "ScenePixels", "SceneRaster",
          "SceneFiles", "SceneOutput", "SceneEncoding", "SceneStore", "SceneSystem", "SceneSession",
          "SceneBuild",
          "ScenePreview", "SceneCLI", "CLinux",
        ]),
      scene(
        "SceneLSP",
        [
          "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
          "SceneCheck", "SceneFiles", "SceneSession", "SceneServer", "SceneStore", "SceneSystem",
          "SceneCLI", "CLinux", "CProcess",
        ]),
      program("scenec", ["SceneCLI", "SceneLSP"]),
      program("scenec-render", ["SceneCLI", "SceneCommands"]),
      program("scenec-decode", ["SceneImageWorker"]),
      program("scenec-clip", ["SceneClipWorker"]),
      .target(
        name: "Programs", dependencies: ["scenec", "scenec-render", "scenec-decode", "scenec-clip"]),
      .executableTarget(
        name: "scenec-dev",
        dependencies: [
          "SceneText", "SceneDigest", "SceneFlash", "SceneSyntax", "SceneIR", "SceneMath",
          "SceneModel",
          "SceneLanguage", "SceneCheck",
          "SceneLower", "ScenePixels", "SceneFiles", "SceneCairo", "SceneRaster", "SceneTimeline",
          "SceneSound", "SceneClips",
          "SceneSystem", "SceneCLI", "CLinux",
        ], exclude: ["Peers", "Site"], swiftSettings: settings),
      tests(
        "SceneCLI",
        [
          "SceneDiagnostics", "SceneGraphics", "SceneModel", "SceneLanguage", "SceneCheck",
          "SceneOutput", "SceneSession", "SceneCLI", "SceneTestSupport",
        ]),
    ]),
  floor(
    "C",
    [
      .target(name: "CResources"),
      .target(
        name: "CClipper",
        linkerSettings: [.linkedLibrary("polyclipping"), .linkedLibrary("stdc++")]),
      .systemLibrary(name: "CCairo", pkgConfig: "pangocairo pangoft2 fontconfig"),
      .systemLibrary(name: "CImage", pkgConfig: "freetype2"),
      .systemLibrary(name: "CStills"),
      .systemLibrary(name: "CWebP"),
      .systemLibrary(name: "CAV"),
      .systemLibrary(name: "CJSON"),
      .systemLibrary(name: "CNettle"),
      .systemLibrary(name: "CLoudness"),
      .systemLibrary(name: "CStretch"),
      .systemLibrary(name: "CLinux"),
      .systemLibrary(name: "CWeb"),
      .target(name: "CPixels"),
      .target(name: "CSound", dependencies: ["CPixels"]),
      .target(name: "CProcess"),
      .target(name: "CSVG"),
      .target(
        name: "CHighlight",
        linkerSettings: [
          // Static archives: they reduce startup time, and only these executables use them.
          .linkedLibrary(":libsource-highlight.a"), .linkedLibrary(":libboost_regex.a"),
          .linkedLibrary("stdc++"),
        ]),
    ]),
  [
    example("bezier", "Bezier"),
    example("inset", "Inset"),
    example("slideshow", "Slideshow"),
    example("two-rates", "TwoRates"),
    example("long-gif", "LongGIF"),
    example("reverse", "Reverse"),
    .executableTarget(
      name: "scenec-simulate",
      dependencies: [
        "SceneBuild", "SceneCLI", "SceneCommands", "SceneIR", "SceneJSON", "SceneLSP", "SceneLower",
        "SceneOutput",
        "ScenePreview", "SceneServer",
        "SceneSession", "SceneStore", "SceneSystem", "SceneWeb", "CLinux", "CProcess",
      ], path: "Tests/Simulation", swiftSettings: settings),
    .target(
      name: "CTestSupport", dependencies: ["CProcess"], path: "Tests/CTestSupport"),
    .executableTarget(name: "test-measure", path: "Tests/measure"),
    .target(
      name: "SceneTestSupport",
      dependencies: [
        "CTestSupport",
        "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneMath",
        "SceneModel", "SceneCheck", "SceneLower", "SceneSystem",
      ], path: "Tests/SceneTestSupport", swiftSettings: settings),
    tests(
      "Book",
      [
        "SceneText", "SceneDiagnostics", "SceneSyntax", "SceneGraphics", "SceneIR", "SceneModel",
        "SceneLanguage", "SceneLibrary", "SceneCheck", "SceneLower", "SceneRaster", "SceneStore",
        "SceneSession", "SceneSystem", "SceneTestSupport",
      ]),
    tests("Hostile", ["SceneTestSupport"]),
    tests(
      "Tidy",
      [
        "SceneDiagnostics", "SceneSyntax", "SceneModel", "SceneLanguage", "SceneCheck",
        "SceneTestSupport",
      ]),
  ],
]

let package = Package(
  name: "scenec",
  products: [
    .executable(name: "scenec", targets: ["scenec"]),
    .executable(name: "scenec-render", targets: ["scenec-render"]),
    .executable(name: "scenec-decode", targets: ["scenec-decode"]),
    .executable(name: "scenec-clip", targets: ["scenec-clip"]),
    .library(name: "Scenec", targets: ["Scenec"]),
    .library(name: "Programs", type: .static, targets: ["Programs"]),
    .library(name: "SceneFuzz", type: .static, targets: ["SceneFuzz"]),
  ],
  targets: targets.flatMap { $0 }
)
