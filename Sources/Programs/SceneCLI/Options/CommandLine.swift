// SPDX-License-Identifier: MIT
import SceneText

/// An option of the command line.
package struct OptionSpec: Sendable {
  package let name: String
  /// The placeholder of the value; `nil` for a switch.
  package let value: String?
  package let help: String
  package let mayRepeat: Bool
  /// The placeholder of a switch's optional value after `=`.
  package let detail: String?

  init(
    _ name: String, _ value: String?, help: String, mayRepeat: Bool = false, detail: String? = nil
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.mayRepeat = mayRepeat
    self.detail = detail
  }
}

/// A command. Help, errors and completions are generated from this declaration.
package struct CommandSpec: Sendable {
  package let name: String
  package let operands: String
  package let summary: String
  package let options: [String]
  /// Whether `scenec-render`, which links the encoders, runs the command.
  package let isRendered: Bool

  /// Example invocations with short descriptions.
  package let examples: [(call: String, meaning: String)]

  /// Options with a different meaning than in other commands.
  private(set) var own: [OptionSpec] = []

  /// Returns the option with a name, preferring the command's own; `nil` for an unknown name.
  package func option(_ name: String) -> OptionSpec? {
    own.first { $0.name == name } ?? CommandSpec.options.first { $0.name == name }
  }

  private static let checking = [
    "root", "limit", "trust-project", "color", "quiet", "set", "data", "row", "scene",
  ]
  private static let shaping = ["size", "fps"]
  private static let scaling = ["scale", "width"]
  private static let encoding = [
    "output", "from", "to", "quality", "bitrate", "codec", "preset", "jobs", "progress",
    "timings", "sidecar",
  ]
  private static let previewing = [
    "port", "open", "read-only", "no-preview", "no-video", "editor", "also-host", "live",
  ]
  private static let keeping = ["cache", "no-cache", "cache-size"]

  /// Commands of other programs, with the equivalent command.
  private static let equivalents: [String: String] = [
    "render": "build", "export": "build", "compile": "build", "encode": "build", "make": "build",
    "preview": "watch", "play": "watch", "serve": "watch", "studio": "watch", "dev": "watch",
    "start": "watch", "still": "frame", "snapshot": "frame", "format": "fmt", "validate": "check",
    "init": "new", "create": "new", "manual": "docs",
  ]

  /// Returns the command that an unknown word probably means, or `nil`.
  package static func meant(by word: String) -> String? {
    equivalents[word] ?? nearest(word, in: all.map(\.name))
  }

  package static let all: [CommandSpec] = [
    CommandSpec(
      name: "build", operands: "FILE…", summary: "render and encode a video",
      options: encoding + keeping + ["depfile", "shard", "strict"] + scaling + shaping + checking,
      isRendered: true,
      examples: [
        ("build intro.scene", "renders intro.mp4"),
        ("build intro.scene --scale 0.5 --to 4s -o draft.mp4", "a quick draft of the beginning"),
        ("build intro.scene -o \"frames/%04d.png\"", "numbered images"),
        ("build intro.scene -o a.mp4 -o a.webm -o a.gif", "three files, rendered once"),
        ("build talk.scene -o \"talk.{language}.vtt\"", "a caption file for each language"),
        ("build film.scene -o film.descriptions.vtt", "the texts of the audio description"),
        ("build intro.scene -o small=tiny.mp4", "the file of: output small { size: 640x360 }"),
        ("build film.scene -o \"{scene}.mp4\"", "one video for each scene of the file"),
        (
          "build card.scene --data people.csv -o \"out/{name}.mp4\"",
          "one video for each row of a table"
        ),
        ("build intro.scene -o - | ffmpeg -i - intro.gif", "raw frames for another program"),
        (
          "build film.scene --shard 3/40 --cache /shared",
          "the third of forty machines renders its share"
        ),
      ]),
    CommandSpec(
      name: "watch", operands: "FILE",
      summary: "preview the scene in a browser and rebuild on every change",
      options: previewing + encoding + keeping + scaling + shaping + checking, isRendered: true,
      examples: [
        ("watch intro.scene", "previews every save, and builds intro.mp4 after a pause"),
        ("watch intro.scene --open --no-video", "opens the preview and builds no video"),
        ("watch intro.scene --no-preview", "rebuilds intro.mp4 whenever one of its files is saved"),
        (
          "watch intro.scene --editor \"code -g {file}:{line}:{column}\"",
          "opens source locations in VS Code"
        ),
      ]),
    CommandSpec(
      name: "frame", operands: "FILE", summary: "render one frame as PNG, SVG or PDF",
      options: ["at", "frame", "output", "compress"] + scaling + shaping + checking,
      isRendered: false,
      examples: [
        ("frame intro.scene --at 1.5s", "writes intro-45.png"),
        ("frame intro.scene --at 1.5s --width 640 -o poster.png", "a small image"),
        ("frame intro.scene -o poster.svg", "vector graphics"),
        (
          "frame card.scene --data people.csv --row 3 -o card.png",
          "with the values of the third row"
        ),
      ]),
    CommandSpec(
      name: "sheet", operands: "FILE", summary: "render a contact sheet",
      options: ["from", "to", "every", "count", "output", "compress"] + scaling + shaping
        + checking,
      isRendered: false,
      examples: [
        ("sheet intro.scene", "writes intro-sheet.png with 12 frames"),
        ("sheet intro.scene --every 0.5s --width 320", "one frame per half second"),
        ("sheet intro.scene --from 4s --to 5s", "the frames of one second"),
      ],
      own: [
        OptionSpec("from", "TIME", help: "start at this time or marker"),
        OptionSpec("to", "TIME", help: "end at this time or marker"),
      ]),
    CommandSpec(
      name: "check", operands: "FILE…", summary: "report errors and warnings without rendering",
      options: ["format", "strict", "fix"] + shaping + checking, isRendered: false,
      examples: [
        ("check intro.scene", "errors, warnings, and the duration of the video"),
        ("check intro.scene --fix", "applies all safe fixes"),
        ("check brand.scene", "a library: all of its declarations"),
        ("check card.scene --data people.csv", "every row of a table"),
        ("check *.scene --format sarif", "for the code review of a host such as GitHub"),
      ]),
    CommandSpec(
      name: "test", operands: "[FILE…]",
      summary: "prove the expectations of scenes",
      options: ["format", "filter", "report", "accept", "jobs"] + shaping + checking,
      isRendered: true,
      examples: [
        ("test film.scene", "a line for each 'expect', and why it fails"),
        ("test", "all scenes below this folder that contain an 'expect'"),
        ("test --format junit > results.xml", "for a CI server"),
        ("test --report build/report", "a web page with the failures"),
        ("test card.scene --data people.csv", "with the values of every row"),
        ("test film.scene --accept", "replaces the golden frames with the current frames"),
      ],
      own: [
        OptionSpec("format", "text|json|junit", help: "the output format"),
        OptionSpec("jobs", "N", help: "the number of files that are tested at the same time"),
      ]),
    CommandSpec(
      name: "timeline", operands: "FILE",
      summary: "show the lifetimes of all elements, clips and sounds",
      options: ["format", "verbose", "no-sound", "output"] + shaping + checking, isRendered: true,
      examples: [
        ("timeline film.scene", "a line for each element, clip and sound"),
        ("timeline film.scene --verbose", "with each motion"),
        ("timeline film.scene -o film.svg", "as an image"),
        ("timeline film.scene --format json", "for another program"),
      ]),
    CommandSpec(
      name: "plan", operands: "FILE",
      summary: "show the segments of a video and divide them into shares",
      options: ["shards", "format"] + shaping + checking, isRendered: false,
      examples: [
        ("plan film.scene", "its segments, with the render time of each"),
        ("plan film.scene --shards 40", "the share of each of forty machines"),
        ("plan film.scene --shards 40 --format json", "for a scheduler"),
      ]),
    CommandSpec(
      name: "diff", operands: "[OLD] FILE",
      summary: "show the frames in which two versions of a scene differ, and why",
      options: ["format", "output", "no-images", "exact"] + shaping + checking, isRendered: false,
      examples: [
        ("diff film.scene", "the working copy compared with the last commit"),
        ("diff HEAD~3 film.scene", "compared with an earlier revision of git"),
        ("diff main..topic film.scene", "two revisions"),
        ("diff old.scene new.scene", "two files"),
        ("diff main film.scene -o report.html", "a page with images before and after"),
      ],
      own: [
        OptionSpec("format", "text|json|html", help: "the output format")
      ]),
    CommandSpec(
      name: "fmt", operands: "FILE…", summary: "format scene files",
      options: ["check", "color", "quiet"], isRendered: false,
      examples: [("fmt *.scene", "rewrites the files"), ("fmt --check *.scene", "for a CI job")]),
    CommandSpec(
      name: "ir", operands: "FILE", summary: "print the drawing operations of a frame",
      options: ["frame", "at"] + shaping + checking, isRendered: false,
      examples: [("ir intro.scene --at 1s", "the operations of the frame at one second")]),
    CommandSpec(
      name: "explain", operands: "[CODE]", summary: "explain a diagnostic such as E0201",
      options: ["color"], isRendered: false,
      examples: [("explain E0201", "its meaning, with a wrong and a correct scene")]),
    CommandSpec(
      name: "docs", operands: "[WORD]", summary: "print a page of the manual, or search it",
      options: ["schema", "color"], isRendered: false,
      examples: [
        ("docs rect", "an element"), ("docs ease-out", "an easing"),
        ("docs --schema check", "the JSON Schema of 'check --format json'"),
      ]),
    CommandSpec(
      name: "fonts", operands: "[WORD]",
      summary: "list the available fonts, with those of project.scene",
      options: [], isRendered: false, examples: [("fonts mono", "families with 'mono' in the name")]
    ),
    CommandSpec(
      name: "lsp", operands: "", summary: "run the language server (LSP)",
      options: [
        "root", "set", "limit", "trust-project", "log", "stdio", "worker", "clientProcessId",
        "rest", "patience",
      ],
      isRendered: false,
      examples: [
        ("lsp --stdio", "the command that editors start")
      ]),
    CommandSpec(
      name: "codecs", operands: "", summary: "list the output formats and codecs", options: [],
      isRendered: true, examples: []),
    CommandSpec(
      name: "cache", operands: "[clean]",
      summary: "show or clear the cache",
      options: ["cache", "cache-size", "older-than", "color", "quiet"], isRendered: false,
      examples: [
        ("cache --cache /shared", "the size of a cache folder"), ("cache clean", "clear the cache"),
        ("cache clean --older-than 7d", "remove entries that have not been used for a week"),
      ]),
    CommandSpec(
      name: "new", operands: "[NAME]",
      summary: "create a scene from a template, or list the templates",
      options: ["from"],
      isRendered: false,
      examples: [
        ("new intro", "writes intro.scene from the template 'hello'"),
        (
          "new trip --from slideshow",
          "writes trip.scene, with the images and the table of the slideshow"
        ),
      ],
      own: [OptionSpec("from", "TEMPLATE", help: "the template; 'scenec new' lists all of them")]
    ),
    CommandSpec(
      name: "help", operands: "[COMMAND]", summary: "show the options and examples of a command",
      options: [],
      isRendered: false, examples: [("help build", "all options of a command")]),
  ]

  /// Option names of other programs, mapped to the equivalents of scenec.
  static let sameOptions: [String: String] = [
    "time": "at", "seek": "at", "ss": "at", "start": "from", "end": "to", "out": "output",
    "resolution": "size", "framerate": "fps", "rate": "fps", "crf": "quality", "threads": "jobs",
    "silent": "quiet", "param": "set", "define": "set",
  ]

  /// Internal options between the programs of the project, which help omits.
  private static let inner: Set<String> = ["worker", "clientProcessId", "live", "rest", "patience"]

  /// The documented options.
  package var shownOptions: [String] { options.filter { !CommandSpec.inner.contains($0) } }

  package static let options = [
    OptionSpec(
      "output", "OUT",
      help: "the output file; its extension selects the format; build accepts several",
      mayRepeat: true),
    OptionSpec(
      "at", "TIME", help: "the time of the frame, such as 1.5s, or the name of a marker"),
    OptionSpec("frame", "N", help: "the number of the frame, from 0"),
    OptionSpec("width", "N", help: "scale the output to this width in pixels"),
    OptionSpec("scale", "FACTOR", help: "scale the output, such as 0.5 for a draft"),
    OptionSpec("compress", nil, help: "write a smaller PNG, more slowly"),
    OptionSpec("every", "TIME", help: "the time between two frames"),
    OptionSpec("count", "N", help: "the number of frames, spread evenly over the scene"),
    OptionSpec(
      "format", "text|json|sarif|svg",
      help: "the output format; sarif for check only, svg for timeline only"),
    OptionSpec(
      "schema", "NAME",
      help: "print the JSON Schema of --format json: check, diff, plan, test or timeline"),
    OptionSpec("filter", "TEXT", help: "only expectations whose name contains this text"),
    OptionSpec("report", "DIR", help: "write the results as a web page to this folder"),
    OptionSpec("accept", nil, help: "replace the stored images of golden frames"),
    OptionSpec("no-images", nil, help: "omit the images of an HTML page"),
    OptionSpec("exact", nil, help: "draw the frames, and ignore invisible differences"),
    OptionSpec("no-sound", nil, help: "omit sound levels, which require rendering the mix"),
    OptionSpec("verbose", nil, help: "include all elements and each of their motions"),
    OptionSpec("check", nil, help: "write nothing; fail if a file is not formatted"),
    OptionSpec("fix", nil, help: "apply all safe fixes and check again"),
    OptionSpec("strict", nil, help: "treat warnings as errors"),
    OptionSpec("scene", "NAME", help: "the scene of the file; the last one by default"),
    OptionSpec("set", "name=value", help: "set the value of a param", mayRepeat: true),
    OptionSpec(
      "data", "FILE",
      help: "read params from the rows of a .csv or .json file; -o \"{column}.mp4\""),
    OptionSpec("row", "N", help: "use only this row of the data, counted from 1"),
    OptionSpec(
      "size", "WxH", help: "lay out the scene for this frame size; --scale keeps the layout"),
    OptionSpec("fps", "R", help: "override the frame rate"),
    OptionSpec("from", "TIME", help: "start at this time"),
    OptionSpec("to", "TIME", help: "end at this time"),
    OptionSpec(
      "quality", "N",
      help: "the quality on the scale of the codec; H.264: 0 (lossless) to 51, default 18"),
    OptionSpec("bitrate", "B", help: "the bit rate, such as 2Mbps, instead of a quality"),
    OptionSpec(
      "codec", "C", help: "h264, h265, av1, vp9, prores …; selected by the extension if unset"),
    OptionSpec("preset", "P", help: "the x264 preset: ultrafast … placebo; faster by default"),
    OptionSpec("jobs", "N", help: "the number of rendering threads"),
    OptionSpec(
      "sidecar", nil,
      help: "write .vtt files with the captions and descriptions beside each video"),
    OptionSpec("cache", "DIR", help: "the cache folder"),
    OptionSpec("no-cache", nil, help: "neither read nor write the cache"),
    OptionSpec(
      "cache-size", "SIZE", help: "the maximum size of the cache, such as 10GB; 4GiB by default"),
    OptionSpec("shard", "K/N", help: "render this share into the cache and write no file"),
    OptionSpec("shards", "N", help: "the number of machines"),
    OptionSpec(
      "older-than", "AGE",
      help: "only entries that were not used for this long, such as 7d or 12h"),
    OptionSpec("root", "DIR", help: "the folder that scenes may read files from"),
    OptionSpec("log", "FILE", help: "write a log of the server to this file"),
    OptionSpec("stdio", nil, help: "accepted for compatibility; the server always uses stdio"),
    OptionSpec(
      "worker", nil, help: "run as the worker process, which 'lsp' starts automatically"),
    OptionSpec("clientProcessId", "PID", help: "exit when this process exits"),
    OptionSpec(
      "rest", "S", help: "replace an idle worker that has grown after this many seconds"),
    OptionSpec(
      "patience", "S", help: "replace a worker that does not respond for this many seconds"),
    OptionSpec("live", nil, help: "communicate with the editor over standard input"),
    OptionSpec(
      "port", "N", help: "the port of the preview; 4400 or the next free port by default"),
    OptionSpec("open", nil, help: "open the preview in the browser"),
    OptionSpec("read-only", nil, help: "do not let the preview change files"),
    OptionSpec("no-preview", nil, help: "build the video without a preview"),
    OptionSpec("no-video", nil, help: "show the preview without building the video"),
    OptionSpec(
      "editor", "COMMAND",
      help: "the command that opens a source location, with {file}, {line} and {column}"),
    OptionSpec(
      "also-host", "NAME:PORT",
      help: "the forwarded host and port at which other machines open the preview",
      mayRepeat: true),
    OptionSpec("limit", "name=value", help: "raise a limit", mayRepeat: true),
    OptionSpec("trust-project", nil, help: "apply the limits that project.scene raises"),
    OptionSpec("quiet", nil, help: "print errors only"),
    OptionSpec("progress", "auto|plain|json|none", help: "the style of the progress display"),
    OptionSpec(
      "timings", nil, help: "print the time of each stage, or write a trace for browsers",
      detail: "FILE.json"),
    OptionSpec(
      "depfile", "FILE", help: "write a Make rule with all files that the video depends on"),
    OptionSpec("color", "auto|always|never", help: "colors in messages"),
  ]
}
