# SPDX-License-Identifier: MIT
"""Writes the layout cases of Tests/Conformance/layout from fixtures of Yoga, which are HTML, and from the boxes that
Chromium gives them: convert.py FOLDER OUTPUT.

A case becomes a scene if rows and columns can express it. Each element has a unique color, by which the test
finds its box in a frame program. Elements without an area are not drawn and are omitted.
"""
import html.parser
import pathlib
import re
import sys

from playwright.sync_api import sync_playwright

# The style sheet of the fixtures.
STYLE = """
body { margin: 0 }
div { box-sizing: border-box; position: relative; display: flex; flex-direction: column; align-items: stretch;
      align-content: flex-start; justify-content: flex-start; flex-shrink: 0; border: 0 solid black; margin: 0;
      padding: 0; min-width: 0; min-height: 0 }
#root { position: absolute; left: 0; top: 0; width: 1000px; height: 1000px; display: block }
#root > div { position: absolute }
"""


class Unsayable(Exception):
    """A case that rows and columns cannot express; the message names why."""


class Node:
    def __init__(self, style, parent):
        self.style, self.parent, self.children = style, parent, []


class Reader(html.parser.HTMLParser):
    """Reads the elements of a file with their styles."""

    def __init__(self):
        super().__init__()
        self.cases, self.node = [], None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        style = dict(re.findall(r"([\w-]+)\s*:\s*([^;]+?)\s*(?:;|$)", attributes.get("style") or ""))
        node = Node(style, self.node)
        if self.node:
            self.node.children.append(node)
        else:
            self.cases.append((attributes.get("id"), node, "data-disabled" in attributes))
        self.node = node

    def handle_endtag(self, tag):
        self.node = self.node.parent

    def handle_data(self, data):
        if data.strip() and self.node:
            self.node.style["text"] = data


KNOWN = {
    "width", "height", "flex-direction", "justify-content", "align-items", "align-self", "align-content", "flex-wrap",
    "flex-grow", "flex-basis", "flex", "padding", "padding-left", "padding-top", "padding-right", "padding-bottom",
    "padding-inline-start", "padding-inline-end", "gap", "row-gap", "column-gap", "min-width", "min-height", "max-width",
    "max-height", "direction", "position", "overflow", "flex-shrink", "display", "border-width", "border-left-width",
    "border-top-width", "border-right-width", "border-bottom-width", "border-inline-start-width",
    "border-inline-end-width",
}


def length(text):
    if re.fullmatch(r"-?[\d.]+(px)?", text):
        return f"{float(text.removesuffix('px')):g}"
    raise Unsayable(f"the length {text}")


class Writer:
    """Writes one case as a scene."""

    def __init__(self, root):
        self.count = 0
        self.text = self.element(root, None, "ltr", True)

    def element(self, node, parent, direction, is_root=False):
        style = {it: value for it, value in node.style.items() if value != "auto" or it.startswith("margin")}
        for name in style:
            if name not in KNOWN:
                raise Unsayable(name)
        if style.get("position", "relative") != "relative" or style.get("display", "flex") != "flex":
            raise Unsayable("position or display")
        if float(style.get("flex-shrink", 0)) != 0:
            raise Unsayable("flex-shrink")
        direction = style.get("direction", direction)
        is_row = style.get("flex-direction", "column").startswith("row")
        if style.get("flex-direction", "column") not in ("row", "row-reverse", "column"):
            raise Unsayable(style["flex-direction"])
        clauses = [f"fill: #{0x100000 + 0x1357 * (self.count + 1):06x}"]
        self.count += 1
        if is_root:
            clauses += ["position: (0, 0)", "anchor: top-left"]
        clauses += self.sizes(style, parent, is_root)
        clauses += self.padding(style, direction)
        if is_row:
            # A reversed row is a row with the opposite direction.
            is_left = (direction == "rtl") != (style.get("flex-direction") == "row-reverse")
            clauses.append("direction: " + ("right-to-left" if is_left else "left-to-right"))
        clauses += self.alignment(style, node, parent, is_row, direction)
        inner = [self.element(child, (node, is_row), direction) for child in node.children]
        return ("row" if is_row else "column") + " { " + ";  ".join(clauses) + "\n" + "\n".join(inner) + " }"

    def sizes(self, style, parent, is_root):
        grow, basis = style.get("flex-grow"), style.get("flex-basis")
        if "flex" in style:
            if not re.fullmatch(r"[\d.]+", style["flex"]):
                raise Unsayable("flex: " + style["flex"])
            grow, basis = style["flex"], "0"
        given = {}
        for side in ("width", "height"):
            if side in style:
                text = style[side]
                if text.endswith("%"):
                    given[side] = text
                else:
                    given[side] = length(text)
        main = None if parent is None else "width" if parent[1] else "height"
        clauses = []
        if grow and float(grow) > 0:
            if basis in (None, "auto") and main in given or basis not in (None, "auto", "0", "0px", "0%"):
                if basis not in (None, "auto"):
                    given[main] = basis if basis.endswith("%") else length(basis)
                if len(given) < 2:
                    raise Unsayable("flex-grow from one length")
            else:
                given.pop(main, None)
            clauses.append(f"grow: {grow}")
        elif basis is not None:
            if main is None:
                pass
            elif basis.endswith("%"):
                given[main] = basis
            else:
                given[main] = length(basis)
        least = {side: style.get("min-" + side) for side in ("width", "height")}
        greatest = {side: style.get("max-" + side) for side in ("width", "height")}
        if len(given) == 2:
            clauses.append(f"size: ({given['width']}, {given['height']})")
        for side in ("width", "height"):
            text = [None if it[side] is None else it[side] if it[side].endswith("%") else length(it[side])
                    for it in (least, greatest)]
            if side in given and len(given) == 1:
                if any(it and it.endswith("%") for it in [*text, given[side]] if text != [None, None]):
                    raise Unsayable("one side with limits in percent")
                if text != [None, None]:
                    fixed = min(float(given[side]), float(text[1] or "inf"))
                    given[side] = f"{max(fixed, float(text[0] or 0)):g}"
                clauses += [f"min-{side}: {given[side]}", f"max-{side}: {given[side]}"]
            else:
                if text[0]:
                    clauses.append(f"min-{side}: {text[0]}")
                if text[1]:
                    clauses.append(f"max-{side}: {text[1]}")
        return clauses

    def padding(self, style, direction):
        # A border takes the same space as padding.
        insets = dict.fromkeys(("left", "top", "right", "bottom"), 0.0)
        for kind, suffix in (("padding", ""), ("border", "-width")):
            own = dict.fromkeys(insets, length(style.get(kind + suffix, "0")))
            for side in insets:
                own[side] = length(style.get(f"{kind}-{side}{suffix}", own[side]))
            for name, sides in (("start", ("left", "right")), ("end", ("right", "left"))):
                text = style.get(f"{kind}-inline-{name}{suffix}")
                if text:
                    own[sides[direction == "rtl"]] = length(text)
            for side in insets:
                insets[side] += float(own[side])
        clauses = [f"padding-{side}: {inset:g}" for side, inset in insets.items() if inset]
        gaps = [style.get("column-gap", style.get("gap")), style.get("row-gap", style.get("gap"))]
        if any(gaps):
            words = [length(gap) if gap and not gap.endswith("%") else gap or "0" for gap in gaps]
            if any(word.endswith("%") for word in words):
                raise Unsayable("a gap in percent")
            clauses.append(f"gap: ({words[0]}, {words[1]})")
        return clauses

    def alignment(self, style, node, parent, is_row, direction):
        clauses = []
        start, end = ("top", "bottom") if is_row else ("left", "right") if direction == "ltr" else ("right", "left")

        def word(text):
            text = {"start": "flex-start", "end": "flex-end"}.get(text, text)
            it = {"flex-start": start, "flex-end": end, "center": "center", "stretch": "stretch", "baseline": "baseline"}
            if text not in it or text == "baseline" and not is_row:
                raise Unsayable("align " + text)
            return it[text]

        def distribution(text):
            text = text.removeprefix("flex-")
            if text not in ("start", "center", "end", "stretch", "space-between", "space-around", "space-evenly"):
                raise Unsayable("justify " + text)
            return text

        if node.children:
            clauses.append("align: " + word(style.get("align-items", "stretch")))
            clauses.append("justify: " + distribution(style.get("justify-content", "start")))
            wrap = style.get("flex-wrap", "nowrap")
            if wrap == "wrap":
                clauses += ["wrap: true", "align-content: " + distribution(style.get("align-content", "start"))]
            elif wrap != "nowrap":
                raise Unsayable(wrap)
        if parent is not None and style.get("align-self", "auto") != "auto":
            outer_row = parent[1]
            start, end = ("top", "bottom") if outer_row else ("left", "right") if direction == "ltr" else ("right", "left")
            is_row = outer_row
            clauses.append("align-self: " + word(style["align-self"]))
        return clauses


def main(folder, output):
    cases, unsayable, total = [], {}, 0
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        for path in sorted(pathlib.Path(folder).glob("*.html")):
            text = path.read_text()
            reader = Reader()
            reader.feed(text)
            page.set_content(f"<style>{STYLE}</style><div id=root>{text}</div>")
            for name, root, is_disabled in reader.cases:
                total += 1
                if is_disabled or not name:
                    continue
                try:
                    scene = Writer(root).text
                except Unsayable as e:
                    unsayable[str(e).split(":")[0]] = unsayable.get(str(e).split(":")[0], 0) + 1
                    continue
                boxes = page.evaluate("""(name) => {
                  const root = document.getElementById(name);
                  const origin = root.getBoundingClientRect();
                  return [root, ...root.querySelectorAll('div')].map((e) => {
                    const r = e.getBoundingClientRect();
                    return [r.x - origin.x, r.y - origin.y, r.width, r.height];
                  });
                }""", name)
                cases.append((name, scene, boxes))
        browser.close()
    with open(output, "w") as file:
        for name, scene, boxes in cases:
            file.write(f"=== {name}\n{scene}\n---\n")
            file.writelines(" ".join(f"{x:.6g}" for x in box) + "\n" for box in boxes)
    print(f"{len(cases)} of {total} cases can be expressed; not: {unsayable}")


if __name__ == "__main__":
    main(*sys.argv[1:])
