# SPDX-License-Identifier: MIT
"""Edits of the keys, legs and changes that determine the frame at the playhead, in the frame and in the inspector."""
import pytest
from conftest import until
from gestures import TRIED, drag, pull, undone

SCENE = """\
scene film {
    size: 640x360
    fps: 30
    for: 4s
    background: black

    circle k {
        radius: 20
        position: keyframes { 0s: (100, 100); 2s: (300, 100); 4s: (500, 100) }
        fill: white
    }
    circle w {
        radius: 20
        position: (100, 200) -> (500, 200) over 4s
        fill: white
    }
    circle c {
        radius: 20
        position: (100, 300)
        fill: white
        change { at: 1s; for: 1s; position: (500, 300) }
    }
    circle p {
        radius: 20
        position: (100% - 60, 40)
        fill: white
    }
}
"""


def center(page):
    """The center of the white pixels, by rows of the four circles: `[k, w, c, p]`."""
    width, height, data = page.pixels()
    found = []
    for low, high in [(70, 150), (170, 250), (255, 345), (0, 69)]:
        rows = range(low * height // 360, high * height // 360)
        white = [(x, y) for y in rows for x in range(width) if data[4 * (y * width + x)] > 128]
        found.append(tuple(sum(it[i] for it in white) / max(1, len(white)) * 640 / width for i in (0, 1)))
    return found


@pytest.mark.parametrize("at,row,start,old,new", [
    ("0", 0, (100, 100), "(100, 100);", "(140, 90);"),
    ("1", 0, (200, 100), "2s: (300, 100)", "1s: (240, 90); 2s: (300, 100)"),
    ("2", 0, (300, 100), "(300, 100)", "(340, 90)"),
    ("1", 1, (200, 200), "(100, 200)", "(153.3, 186.7)"),
    ("3", 1, (400, 200), "(500, 200)", "(553.3, 186.7)"),
    ("3", 2, (500, 300), "(500, 300)", "(540, 290)"),
    ("0", 2, (100, 300), "(100, 300)", "(140, 290)"),
    ("0", 3, (580, 40), "(100% - 60, 40)", "(100% - 20, 30)"),
])
def test_a_drag_edits_what_is_at_the_playhead(serve, tab, at, row, start, old, new):
    server = serve(SCENE)
    # Nothing is selected: the drag takes the element below the pointer.
    page = tab().open(server.url + f"#t={at}")
    before = center(page)
    pull(page, start, (40, -10))
    wanted = SCENE.replace(old, new)
    server.holds(wanted)
    page.rest(rev=2)
    after = center(page)
    for i, (x, y) in enumerate(before):
        way = (40, -10) if i == row else (0, 0)
        if (i, at) != (3, "0"):
            assert abs(after[i][0] - x - way[0]) < 1.5 and abs(after[i][1] - y - way[1]) < 1.5, (i, before, after)
    # One step back.
    undone(page, server, SCENE)


def test_a_drag_that_the_frame_cannot_follow_says_why(serve, tab):
    text = SCENE.replace("position: (100% - 60, 40)", "position: (t * 150 / 1s, 225)")
    server = serve(text)
    page = tab().open(server.url + "#t=2")
    pull(page, (300, 225), (40, 0), release=False)
    page.page.wait_for_selector("#trial.bad:not(:empty)")
    assert page.text("#trial") == "'position' is computed horizontally by 't * 150 / 1s'; edit it in the source"
    page.page.mouse.up()
    page.page.wait_for_selector(".toast.bad")
    page.settled()
    assert server.scene.read_text() == text
    page.quiet()


def field(page, name, index=0):
    page.page.click("#tab-inspector")
    page.settled()
    return page.page.locator(f'.prop[data-name="{name}"] .now .leaf').nth(index)


def test_a_value_is_typed_at_the_playhead(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#t=1&sel=film/k")
    field(page, "position").click()
    page.page.keyboard.type("260")
    page.page.keyboard.press("Enter")
    wanted = SCENE.replace("2s: (300, 100)", "1s: (260, 100); 2s: (300, 100)")
    server.holds(wanted)
    page.rest(rev=2)
    # The key now exists.
    field(page, "position", 1).focus()
    page.page.keyboard.press("ArrowUp")
    server.holds(wanted.replace("(260, 100)", "(260, 101)"))
    page.quiet()


def test_the_whole_motion_is_moved(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#t=1&sel=film/k")
    field(page, "position")
    page.page.click('.prop[data-name="position"] .now .scope')
    field(page, "position").click()
    page.page.keyboard.type("260")
    page.page.keyboard.press("Enter")
    server.holds(SCENE.replace("0s: (100, 100); 2s: (300, 100); 4s: (500, 100)",
                               "0s: (160, 100); 2s: (360, 100); 4s: (560, 100)"))
    page.quiet()


def test_arrow_keys_move_the_selected_element(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#t=3&sel=film/c")
    page.page.keyboard.press("ArrowRight")
    server.holds(SCENE.replace("(500, 300)", "(501, 300)"))
    page.rest(rev=2)
    page.page.keyboard.press("Shift+ArrowUp")
    server.holds(SCENE.replace("(500, 300)", "(501, 290)"))
    page.rest(rev=3)
    page.page.keyboard.press(".")
    until(lambda: page.frame() == 91, "the next frame")
    # Without a selection, they step.
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("ArrowLeft")
    until(lambda: page.frame() == 90, "the frame before")
    page.quiet()


def test_delete_removes_the_element(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#t=3&sel=film/p")
    page.page.keyboard.press("Delete")
    start = SCENE.index("    circle p {")
    server.holds(SCENE[:start] + "}\n")
    page.rest(rev=2)
    undone(page, server, SCENE)


def test_a_key_is_added(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#t=1&sel=film/c")
    page.page.click("#tab-inspector")
    page.settled()
    line = page.page.locator('.prop[data-name="radius"]')
    line.hover()
    line.locator(".scope.add").click()
    server.holds(SCENE.replace("circle c {\n        radius: 20", "circle c {\n        radius: keyframes { 1s: 20 }"))
    page.quiet()


def test_a_key_is_deleted_and_added_after_the_last_one(serve, tab):
    server = serve(SCENE.replace("; 4s: (500, 100)", ""))
    page = tab().open(server.url + "#t=2&sel=film/k")
    page.page.click("#tab-inspector")
    page.settled()
    page.page.click('.prop[data-name="position"] .scope.add.at-key')
    alone = SCENE.replace("; 2s: (300, 100); 4s: (500, 100)", "")
    server.holds(alone)
    page.rest(rev=2)
    assert center(page)[0] == pytest.approx((100, 100), abs=1.5)
    line = page.page.locator('.prop[data-name="position"]')
    line.hover()
    line.locator(".scope.add").click()
    server.holds(alone.replace("0s: (100, 100)", "0s: (100, 100); 2s: (100, 100)"))
    page.rest(rev=3)
    for text in (alone, SCENE.replace("; 4s: (500, 100)", "")):
        page.page.keyboard.press("Control+z")
        server.holds(text)
        page.settled()
    page.quiet()


LOOP = """\
scene film {
    size: 640x360
    fps: 30
    for: 4s
    background: black

    for x in [100, 300, 500] {
        circle k {
            radius: 20
            position: (x, 100)
            fill: white
        }
    }
    circle w {
        radius: 20
        fill: white
        position: center
    }
}
"""


@pytest.mark.parametrize("start,old,new", [
    ((300, 100), "[100, 300, 500]", "[100, 340, 500]"),
    ((320, 180), "position: center", "position: center + (40, -10)"),
])
def test_a_drag_edits_a_name_and_an_item_of_a_loop(serve, tab, start, old, new):
    server = serve(LOOP)
    page = tab().open(server.url)
    way = (40, -10) if "center" in old else (40, 0)
    pull(page, start, way)
    server.holds(LOOP.replace(old, new))
    page.rest(rev=2)
    undone(page, server, LOOP)


def test_the_label_counts_the_elements(serve, tab):
    server = serve(LOOP)
    page = tab().open(server.url)
    pull(page, (300, 100), (0, 40), release=False)
    page.wait(TRIED)
    page.rest()
    assert page.text("#trial") == "value, changes 3 elements"
    page.page.mouse.up()
    server.holds(LOOP.replace("(x, 100)", "(x, 140)"))
    page.rest(rev=2)
    assert page.page.get_attribute("#undo", "title") == "Undo: position, 3 elements"
    page.quiet()


def test_an_element_without_a_position_is_given_one(serve, tab):
    server = serve(LOOP.replace("        position: center\n", ""))
    page = tab().open(server.url)
    pull(page, (320, 180), (40, -10))
    server.holds(LOOP.replace("position: center", "position: center + (40, -10)"))
    page.quiet()


@pytest.mark.parametrize("at,sel,old,new", [
    ("1", "k", "2s: (300, 100)", "2s: (300, 100) with ease-in"),
    ("2", "k", "2s: (300, 100)", "2s: (300, 100) with ease-in"),
    ("1", "w", "(500, 200) over 4s", "(500, 200) over 4s with ease-in"),
])
def test_the_easing_of_a_key_is_chosen(serve, tab, at, sel, old, new):
    server = serve(SCENE)
    page = tab().open(server.url + f"#t={at}&sel=film/{sel}")
    page.page.click("#tab-inspector")
    page.settled()
    page.page.click('.prop[data-name="position"] .scope.ease')
    page.page.click(".menu .item span:text-is('ease-in')")
    server.holds(SCENE.replace(old, new))
    page.rest(rev=2)
    undone(page, server, SCENE)


def lane(page, seconds):
    """The position of a time in the lane of the selected element's motion."""
    page.wait("document.querySelector('#lives .row.sub .key')")
    boxes = [it.bounding_box() for it in page.page.locator("#lives .row.sub .key").all()]
    x, y = (boxes[0]["x"] + boxes[0]["width"] / 2, boxes[0]["y"] + boxes[0]["height"] / 2)
    second = (boxes[1]["x"] - boxes[0]["x"]) / 2
    return x + seconds * second, y


def open_lane(page, name):
    page.page.click(f"#lives .row:has-text('{name}') .twist")
    page.settled()


@pytest.mark.parametrize("keys,old,new", [
    ((), "2s: (300, 100)", "3s: (300, 100)"),
    (("Control",), "2s: (300, 100)", "2s: (300, 100); 3s: (300, 100)"),
])
def test_a_key_is_moved_or_copied(serve, tab, keys, old, new):
    server = serve(SCENE)
    page = tab().open(server.url + "#sel=film/k")
    open_lane(page, "k")
    drag(page, lane(page, 2), lane(page, 3), keys)
    server.holds(SCENE.replace(old, new))
    undone(page, server, SCENE)


def test_times_snap_to_beats(serve, tab):
    text = SCENE.replace("background: black", "background: black\n    tempo: 90")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/k")
    open_lane(page, "k")
    # The fourth beat is at 2.667 s, in frame 80.
    x, y = lane(page, 4 * 60 / 90)
    drag(page, lane(page, 2), (x - 3, y))
    server.holds(text.replace("2s: (300, 100)", "2.6667s: (300, 100)"))
    page.quiet()


def test_a_literal_counts_its_uses(serve, tab):
    text = SCENE.replace("scene film", "let big = 20\n\nscene film").replace("radius: 20", "radius: big", 2)
    server = serve(text)
    page = tab().open(server.url + "#sel=film/k")
    page.page.click("#tab-inspector")
    page.settled()
    line = page.page.locator('.prop[data-name="radius"]')
    assert "used 2×" in line.inner_text()
    leaf = line.locator(".leaf.number")
    assert leaf.get_attribute("title").endswith("changes all 2 uses")
    leaf.focus()
    page.page.keyboard.press("ArrowUp")
    server.holds(text.replace("let big = 20", "let big = 21"))
    page.rest(rev=2)
    undone(page, server, text)
