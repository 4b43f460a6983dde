// SPDX-License-Identifier: MIT
import SceneCLI
import SceneDiagnostics
import SceneFiles

extension TestResults {
  /// The results in the XML format of JUnit, which servers for continuous integration read.
  var junit: String {
    var lines = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
    let errors = files.count { $0.error != nil || !$0.errors.diagnostics.isEmpty }
    let failed = cases.count - count(.passed)
    lines.append(
      #"<testsuites name="scenec" tests="\#(cases.count + errors)" failures="\#(failed)" errors="\#(errors)">"#
    )
    for file in files {
      let wrong = file.error != nil || !file.errors.diagnostics.isEmpty
      let failures = file.cases.count { $0.state != .passed }
      lines.append(
        #"  <testsuite name="\#(escaped(file.path))" tests="\#(file.cases.count + (wrong ? 1 : 0))" failures="\#(failures)" errors="\#(wrong ? 1 : 0)">"#
      )
      if wrong {
        let text = file.problem ?? ""
        lines.append(#"    <testcase name="check" classname="\#(escaped(file.path))">"#)
        lines.append(#"      <error message="the scene has errors">\#(escaped(text))</error>"#)
        lines.append("    </testcase>")
      }
      for it in file.cases {
        let head = #"name="\#(escaped(it.title))" classname="\#(escaped(file.path))""#
        guard it.state != .passed else {
          lines.append("    <testcase \(head)/>")
          continue
        }
        let message = it.diagnostics.first?.message ?? "not proven"
        lines.append("    <testcase \(head)>")
        lines.append(
          #"      <failure message="\#(escaped(message))">\#(escaped(it.text))</failure>"#)
        lines.append("    </testcase>")
      }
      lines.append("  </testsuite>")
    }
    return lines.joined(separator: "\n") + "\n</testsuites>\n"
  }

  /// The results as a web page without scripts.
  var html: String {
    var rows = ""
    var number = 0
    for file in files {
      if let text = file.problem {
        rows += "<h2 class=failed>\(escaped(file.path))</h2><pre>\(escaped(text))</pre>\n"
      }
      // The images have numbers in the order of all results, even of files with errors.
      guard !file.cases.isEmpty else { continue }
      if file.problem == nil { rows += "<h2>\(escaped(file.path))</h2>\n" }
      rows += "<ul>\n"
      for it in file.cases {
        rows += "<li class=\(it.state.rawValue)><b>\(it.state.rawValue)</b> \(escaped(it.title))"
        if it.state != .passed { rows += "<pre>\(escaped(it.text))</pre>" }
        for difference in it.differences {
          rows += figure(difference, number)
          number += 1
        }
        rows += "</li>\n"
      }
      rows += "</ul>\n"
    }
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>scenec test</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
      h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
      ul { list-style: none; padding: 0; }
      pre { background: #f3f4f6; padding: .75rem; overflow-x: auto; font-size: .85rem; }
      figure { display: inline-block; width: 46%; margin: 1%; } img { width: 100%; display: block; }
      figure div { position: relative; } figure div img + img { position: absolute; inset: 0; }
      .difference { filter: brightness(4); } .difference img + img { mix-blend-mode: difference; }
      .blink img + img { animation: blink 1.5s steps(1) infinite; } @keyframes blink { 50% { opacity: 0; } }
      .passed b { color: #15803d; } .failed b, h2.failed { color: #b91c1c; } .unproven b { color: #a16207; }
      </style>
      <h1>\(escaped(summary))</h1>
      \(rows)</html>

      """
  }

  /// Returns the stored image, the frame, both in alternation, and their difference, which the browser
  /// computes.
  private func figure(_ difference: GoldenFrames.Difference, _ number: Int) -> String {
    let (before, after) = ("\(number)-before.png", "\(number)-after.png")
    guard difference.old != nil else {
      return "<figure><img src=\(after) alt=frame><figcaption>new</figcaption></figure>\n"
    }
    func both(_ kind: String) -> String {
      "<figure><div class=\(kind)><img src=\(before) alt=before><img src=\(after) alt=after></div><figcaption>\(kind)</figcaption></figure>"
    }
    return "<figure><img src=\(before) alt=before><figcaption>before</figcaption></figure>"
      + "<figure><img src=\(after) alt=after><figcaption>after</figcaption></figure>"
      + both("difference") + both("blink") + "\n"
  }

  /// Returns a text for XML and HTML. Control characters, which XML does not allow, are replaced.
  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
