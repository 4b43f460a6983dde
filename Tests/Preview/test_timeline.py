# SPDX-License-Identifier: MIT
"""The ruler with its beats, times that keep their units, rows of a table, names of elements, and messages."""
import pytest
from conftest import SCENE, frame, until
from gestures import drag, middle, opened, scene, undone
from PIL import Image


def ticks(page, y):
    """The colors of a line of the ruler, `y` CSS pixels above its bottom."""
    return page.page.evaluate("""(y) => {
      const canvas = document.getElementById('ticks');
      const r = devicePixelRatio;
      const { data } = canvas.getContext('2d').getImageData(0, canvas.height - Math.round(y * r), canvas.width, 1);
      return Array.from({ length: canvas.width }, (it, i) => [...data.slice(4 * i, 4 * i + 4)].join());
    }""", y)


def columns(page, y, name):
    """The columns of a line of the ruler that have a color of the style sheet."""
    color = page.page.evaluate("""(name) => {
      const it = document.createElement('canvas').getContext('2d');
      document.getElementById('probe').style.color = `var(${name})`;
      it.fillStyle = getComputedStyle(document.getElementById('probe')).color;
      it.fillRect(0, 0, 1, 1);
      return [...it.getImageData(0, 0, 1, 1).data].join();
    }""", name)
    found = [x for x, it in enumerate(ticks(page, y)) if it == color]
    # Neighbors belong to the same line.
    return [x for i, x in enumerate(found) if not i or x > found[i - 1] + 1]


TEMPO = scene("    rect card { size: 200x100;  at: 1beat;  for: 2beat;  fill: white }", "tempo: 90")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_beats_and_bars_are_in_the_ruler(serve, tab, scheme):
    server, page = opened(serve, tab, TEMPO, color_scheme=scheme)
    width = page.page.locator("#ruler").bounding_box()["width"]
    beat = 60 / 90 / (4 * 1.02) * width
    bars, beats = columns(page, 14, "--bar"), columns(page, 8, "--beat")
    assert bars == pytest.approx([0, 4 * beat], abs=1.5)
    assert beats == pytest.approx([beat, 2 * beat, 3 * beat, 5 * beat, 6 * beat], abs=1.5)
    # Only bars remain in a long video.
    server.scene.write_text(TEMPO.replace("for: 4s", "for: 400s"))
    page.rest(rev=2)
    assert columns(page, 8, "--beat") == [] and len(columns(page, 14, "--bar")) > 10
    page.quiet()


STROBE = scene("    rect lamp { at: 1s;  for: 2s;  size: 100%;  fill: wave(0.2s) > 0 ? white : black }")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_flashes_are_marked_in_the_ruler(serve, tab, scheme):
    server, page = opened(serve, tab, STROBE, color_scheme=scheme)
    mark = page.page.locator("#ranges .problem-range")
    until(lambda: mark.count() == 1, "a mark of the range")
    page.settled()
    assert mark.get_attribute("title") == \
        "the video flashes 5 times a second from 1s to 2.9s (WCAG 2.3.1 allows 3)"
    ruler, box = page.page.locator("#ruler").bounding_box(), mark.bounding_box()
    second = ruler["width"] / (4 * 1.02)
    assert box["x"] - ruler["x"] == pytest.approx(31 / 30 * second, abs=2)
    assert box["width"] == pytest.approx(56 / 30 * second, abs=2)
    # A click jumps to the start of the range, and the list offers the fix.
    mark.click()
    assert page.rest(31).frame() == 31
    page.page.click("#warnings")
    assert "'lamp' changes 100% of the frame" in page.text("#problems-list")
    page.page.get_by_role("button", name="change the period from 0.2s to 0.5s").click()
    until(lambda: "wave(0.5s)" in server.scene.read_text(), "a fixed scene")
    page.rest(rev=2)
    until(lambda: mark.count() == 0, "no mark of a range")
    page.quiet()


def test_a_scene_without_a_tempo_has_no_beats(serve, tab):
    server, page = opened(serve, tab, SCENE)
    assert columns(page, 14, "--bar") == [] and columns(page, 8, "--beat") == []


@pytest.mark.parametrize("part,old,new", [
    (".grip.end", "for: 2beat", "for: 3beat"),
    (".bar", "at: 1beat", "at: 2beat"),
    (".grip.end", "for: 60f", "for: 80f"),
    (".grip.end", "for: 1333.3333ms", "for: 2000.0000ms"),
    (".grip.end", "for: 1.3333s", "for: 2.0000s"),
])
def test_a_dragged_end_snaps_to_a_beat_and_keeps_its_unit(serve, tab, part, old, new):
    text = TEMPO.replace("for: 2beat", old) if old.startswith("for") else TEMPO
    server, page = opened(serve, tab, text, "#sel=film/card")
    x, y = middle(page.page.locator(f"#lives .selected {part}").first.bounding_box())
    width = page.page.locator("#ruler").bounding_box()["width"]
    beat = 60 / 90 / (4 * 1.02) * width
    # The end of 60 frames is on the fourth beat.
    drag(page, (x, y), (x + beat - 3, y))
    server.holds(text.replace(old, new))
    undone(page, server, text)


@pytest.mark.parametrize("text,zoom,unit", [
    (SCENE, "0-4", "s"), (SCENE, "0.8-2.1", "f"), (SCENE, "0.9-1.1", "f"),
    (SCENE.replace("for: 4s", "for: 90s"), "0-91", ":"), (SCENE.replace("for: 4s", "for: 90s"), "0-20", ":"),
])
def test_the_ruler_has_one_unit(serve, tab, text, zoom, unit):
    page = tab()
    page.page.add_init_script("""
      window.labels = [];
      const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.clearRect = function (...rest) {
        if (this.canvas.id === 'ticks') window.labels = [];
        clearRect.call(this, ...rest);
      };
      CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
        if (this.canvas.id === 'ticks') labels.push(text);
        fillText.call(this, text, ...rest);
      };""")
    page.open(serve(text).url + f"#z={zoom}")
    labels = set(page.page.evaluate("labels"))
    assert len(labels) > 3
    assert [it for it in labels if unit not in it] == []
    page.quiet()


TABLE = """\
name,tint
Ada,#ff0000
Bert,#00ff00
Cleo,#0000ff
"""

CARD = """\
param name: text
param tint: color

scene card {
    size: 640x360
    for: 1s
    background: tint

    text "{name}" { font: "DejaVu Sans";  font-size: 40;  fill: white }
}
"""


def test_a_row_of_the_table_is_chosen(serve, tab, tmp_path):
    (tmp_path / "rows.csv").write_text(TABLE)
    server, page = opened(serve, tab, CARD, "", "--data", str(tmp_path / "rows.csv"))
    page.shows(0, 255)
    assert page.text("#row") == "row 1 of 3"
    page.page.click("#row")
    assert page.page.locator(".menu .item .note").all_inner_texts() == [
        "Ada, #ff0000", "Bert, #00ff00", "Cleo, #0000ff"]
    page.page.click(".menu .item:has-text('Bert')")
    page.shows(1, 255)
    page.wait("location.hash.includes('row=2')")
    page.page.wait_for_selector("#elements [title='text Bert']")
    assert page.text("#row") == "row 2 of 3"
    # The address names the row.
    other = tab().open(page.page.url)
    other.shows(1, 255)
    page.page.click("#row")
    page.page.fill("#row-number", "3")
    page.page.keyboard.press("Enter")
    page.shows(2, 255)
    # A row that the table does not have.
    page.page.click("#row")
    page.page.fill("#row-number", "4")
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector(".toast.bad:has-text('The table has rows 1 to 3.')")
    page.shows(2, 255)
    # The table is read again.
    (tmp_path / "rows.csv").write_text(TABLE.replace("#0000ff", "#00ffff"))
    page.shows(1, 255)
    page.quiet()


def test_a_new_param_takes_its_column(serve, tab, tmp_path):
    (tmp_path / "rows.csv").write_text(TABLE)
    server, page = opened(serve, tab, CARD.replace("param tint: color", "let tint = #0000ff"), "",
                          "--data", str(tmp_path / "rows.csv"))
    page.shows(2, 255)
    server.scene.write_text(CARD)
    page.shows(0, 255)
    page.quiet()


def test_a_row_out_of_range_is_refused(serve, tab, tmp_path):
    (tmp_path / "rows.csv").write_text(TABLE)
    server = serve(CARD, "--data", str(tmp_path / "rows.csv"), "--row", "2")
    page = tab().open(server.url + "#row=9")
    page.page.wait_for_selector(".toast.bad:has-text('the table has rows 1 to 3')")
    page.shows(1, 255)
    page.quiet()


def test_elements_have_names(serve, tab, tmp_path):
    Image.new("RGB", (8, 8), "red").save(tmp_path / "logo.png")
    text = scene("""\
    text "A long text whose words do not fit into the tree" { font: "DejaVu Sans" }
    text {
        content: "Two
lines"
        font: "DejaVu Sans"
    }
    image "logo.png"
    group {
        rect { size: 10x10;  fill: white }
        group { text "Inner" { font: "DejaVu Sans" } }
    }
    group named { text "Other" { font: "DejaVu Sans" } }
    circle { radius: 20 }""".replace("\"Two\nlines\"", '"Two lines"'))
    server, page = opened(serve, tab, text)
    labels = page.page.locator("#elements .row .label").all_inner_texts()
    assert labels == ["film", "A long text whose words do not fit into…", "Two lines", "logo.png", "Inner", "rect",
                      "Inner", "Inner", "named", "Other", "circle"]
    assert page.page.locator("#elements [title='image logo.png'] .what").inner_text() == "image"
    page.quiet()


@pytest.mark.parametrize("focus", ["#elements", "#lives", "#ruler", "#play", "#panel-inspector", "#in"])
def test_home_and_end_are_the_ends_of_the_range(serve, tab, focus):
    server, page = opened(serve, tab, SCENE, "#t=2&in=1&out=3&sel=intro/card")
    keys = page.page.keyboard
    page.page.focus(focus)
    for key, n in [("Home", 30), ("Home", 30), ("End", 89), ("End", 89), ("Home", 30)]:
        keys.press(key)
        page.wait(f"document.getElementById('frame').textContent === 'f{n}'")
        page.settled()
    assert "sel=intro/card" in page.page.url
    page.page.click("#start")
    page.wait("document.getElementById('frame').textContent === 'f30'")
    # Without a range, those of the scene.
    keys.press("p")
    page.page.focus("#elements")
    for key, n in [("Home", 0), ("End", 119)]:
        keys.press(key)
        page.wait(f"document.getElementById('frame').textContent === 'f{n}'")
    # In a text field, they move the cursor.
    page.page.focus("#filter")
    keys.press("Home")
    page.settled()
    assert page.frame() == 119
    page.quiet()


def test_messages_queue(serve, tab):
    server, page = opened(serve, tab, SCENE, clock=True)
    keys = page.page.keyboard
    shown = page.page.locator(".toast")
    page.page.evaluate("document.getElementById('live').replaceChildren()")
    with page.frozen():
        # An equal message is not shown twice.
        for key in ("Control+z", "Control+y", "Control+z"):
            keys.press(key)
        until(lambda: shown.all_inner_texts() == ["Nothing to undo.", "Nothing to redo."], "two messages")
        boxes = [it.bounding_box() for it in shown.all()]
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
        assert page.page.locator("#live p").all_inner_texts() == [
            "Nothing to undo.", "Nothing to redo.", "Nothing to undo."]
        assert page.page.get_attribute("#live", "aria-live") == "polite"
        page.page.clock.run_for(3900)
        assert shown.count() == 2
        page.page.clock.run_for(200)
        assert shown.count() == 0
        # The fourth message waits for one of the others.
        page.page.evaluate("""async () => {
          const { toast } = await import(document.querySelector('link[href*="ui/dom.js"]').href);
          for (const text of ['one', 'two', 'three', 'four']) toast(text);
        }""")
        assert shown.all_inner_texts() == ["one", "two", "three"]
        page.page.clock.run_for(4100)
        assert shown.all_inner_texts() == ["four"]
    page.quiet()


def test_a_value_is_written_once_if_it_is_obvious(serve, tab):
    text = scene("""\
    rect card {
        size: 200x100
        position: (300, 180)
        translate: (2 * 10, 0)
        fill: white
    }""")
    server, page = opened(serve, tab, text, "#sel=film/card")
    assert page.page.locator('.prop[data-name="position"] .written').count() == 0
    assert page.page.locator('.prop[data-name="translate"] .written').count() == 1
    page.page.locator('.prop[data-name="position"] .now .leaf').nth(1).click()
    page.page.keyboard.type("200")
    page.page.keyboard.press("Enter")
    server.holds(text.replace("(300, 180)", "(300, 200)"))
    page.rest(rev=2)
    undone(page, server, text)
