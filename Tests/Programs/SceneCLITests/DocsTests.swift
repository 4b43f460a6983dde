// SPDX-License-Identifier: MIT
import SceneCLI
import SceneTestSupport
import Testing

/// The pages that `scenec docs` finds.
@Suite("Docs", .cpuBudget(seconds: 6)) struct DocsTests {
  /// Everyday words lead to a page or a recipe, ignoring case.
  @Test func everydayWordsAreFound() {
    for (word, answer) in [
      ("3d", "three-dimensions (topic)"), ("shader", "pixel-effects (topic)"),
      ("Subtitle", "captions (element)"), ("PORTRAIT", "size (property)"),
      ("portrait", "scenec docs wide-and-tall"), ("typewriter", "each (element)"),
      ("typewriter", "typewriter (recipe)"),
      ("chapters", "chapter (property)"), ("chapters", "chapters (recipe)"),
      ("Fade In", "enter (property)"),
      ("fade-in", "See also: scenec docs enter."), ("w0305", "W0305: "),
      ("blur bars", "blurred-background (recipe)"), ("audiogram", "podcast (template)"),
      ("how to make text glow", "glow"), ("loopOut", "after effects (program)"),
      ("justify-content", "css (program)"), ("CSS", "css (program)"),
      ("After Effects", "after effects (program)"), ("highlighter", "highlighter (recipe)"),
      ("render queue", "after effects (program)"), ("premultiplied", "alpha (property)"),
      ("track matte", "mask"), ("frames per second", "fps"),
      ("lower-third", "lower-third (template)"), ("surface", "limits (topic)"),
      ("surface plot", "limits (topic)"), ("parametric surface", "limits (topic)"),
      ("sphere", "limits (topic)"), ("ThreeDScene", "three-dimensions (topic)"),
      ("ZoomedScene", "See 'look-at' for"), ("zoomed scene", "See 'look-at' for"),
      ("magnifier", "See 'look-at' for"), ("FadeTransform", "exit (property)"),
      ("Rotating", "rotate (property)"), ("box", "boxes (topic)"),
      ("bounding box", "boxes (topic)"), ("types", "types (file of the manual)"),
      ("types", "angle: An angle such as"), ("coming-from", "manim: A scene in Manim"),
      ("coming from", "coming-from (file of the manual)"),
      ("functions", "See also: scenec docs fn"),
      ("easings", "easings (file of the manual)"), ("easings", "(std/easings.scene"),
      ("BarChart", "std/charts"),
      ("time", "of audio, video, scenes as elements"), ("pixel art", "image-rendering (property)"),
      ("nearest neighbor", "image-rendering (property)"),
      ("image-rendering", "image-rendering (property)"),
      ("TEXT", "text (element)"),
      ("std/charts.scene", "BarChart (std/charts"),
      ("charts", "PieChart (std/charts"), ("chapter", "chapter (property)"),
      ("radial-gradient", "center:"), ("subtitles", "captions (element)"),
      ("voice", "audio (element)"), ("crossfade", "transition (property)"),
      ("timeline", "'scenec help timeline'"),
      ("audio description", "audio-description (topic)"),
      ("Audio Descriptions", "audio-description (topic)"), ("alt text", "alt (property)"),
      ("credits", "credits"), ("bar chart", "bar-chart (recipe)"),
      ("gooey", "pixel-effects (topic)"), ("epicycles", "curves (topic)"),
      ("fourier", "curves (topic)"), ("jump cut", "sequence (element)"),
      ("jump cuts", "sequence (element)"),
      ("magnifying glass", "backdrop-filter (property)"), ("stabilize", "limits (topic)"),
    ] {
      let page = DocsCommand.answer(to: word)
      #expect(page.contains(answer), "\(word)\n\(page)")
    }
  }

  /// The declaration of a library function is shown without its multi-line body.
  @Test func functionsHaveTheirDeclaration() {
    for (name, line) in [
      ("riemann-sum", "    ) -> number\n"), ("reading-time", "-> time = 0.4s + 0.28s * len("),
      ("nice-step", "    fn nice-step(range: number, count: number = 5)\n        -> number\n"),
      ("circle-places", "    fn circle-places(count: number) -> list<pair>\n"),
    ] {
      let page = DocsCommand.answer(to: name)
      #expect(page.contains(line), "\(page)")
    }
  }

  /// The program prints the answer to several words.
  @Test func theProgramAnswers() throws {
    let page = try Program.scenec("docs", "Fade", "In", in: "/")
    #expect(page.status == 0 && page.output == DocsCommand.answer(to: "Fade In"), "\(page)")
  }
}
