# SPDX-License-Identifier: MIT
"""The handles of the selected element: they resize it, rotate it and move its pivot, and follow the pointer."""
import math

import pytest
from conftest import until
from gestures import TRIED, dragged, held, point, pull, scene, undone

RECT = scene("""\
    rect card {
        size: 200x100
        position: (300, 180)
        fill: white
    }""")


def bounds(page):
    """The edges of the bright pixels in frame pixels: left, top, right and bottom."""
    width, height, data = page.pixels()
    bright = [(i // 4 % width, i // 4 // width) for i in range(0, len(data), 4) if data[i] > 128]
    k = 640 / width
    return (min(x for x, _ in bright) * k, min(y for _, y in bright) * k,
            (max(x for x, _ in bright) + 1) * k, (max(y for _, y in bright) + 1) * k)


def check(serve, tab, text, name, start, way, wanted, keys=(), at=0, edges=None):
    """Drags a handle, and checks the file, the frame and one step of undo."""
    server = serve(text)
    page = tab().open(server.url + f"#t={at}&sel=film/{name}")
    page.settled()
    pull(page, start, way, keys)
    server.holds(wanted)
    page.rest(rev=2)
    if edges:
        assert bounds(page) == pytest.approx(edges, abs=1.6)
    undone(page, server, text)


@pytest.mark.parametrize("start,way,keys,size,position,edges", [
    # The corner at the bottom right, and the one at the top left.
    ((400, 230), (40, 20), (), "240x120", "(320, 190)", (200, 130, 440, 250)),
    ((200, 130), (40, 20), (), "160x80", "(320, 190)", (240, 150, 400, 230)),
    # The sides.
    ((400, 180), (40, 9), (), "240x100", "(320, 180)", (200, 130, 440, 230)),
    ((300, 130), (9, -30), (), "200x130", "(300, 165)", (200, 100, 400, 230)),
    # The ratio, and the center.
    ((400, 230), (40, 20), ("Shift",), "240x120", "(320, 190)", (200, 130, 440, 250)),
    ((400, 230), (40, 0), ("Shift",), "232x116", "(316, 188)", (200, 130, 432, 246)),
    ((400, 230), (40, 20), ("Alt",), "280x140", "(300, 180)", (160, 110, 440, 250)),
])
def test_a_rect_is_resized(serve, tab, start, way, keys, size, position, edges):
    wanted = RECT.replace("200x100", size).replace("(300, 180)", position)
    check(serve, tab, RECT, "card", start, way, wanted, keys, edges=edges)


def test_sizes_have_other_properties(serve, tab):
    text = scene("    circle dot {\n        radius: 50\n        position: (300, 180)\n        fill: white\n    }")
    check(serve, tab, text, "dot", (350, 230), (20, 20), text.replace("radius: 50", "radius: 60").replace("(300, 180)", "(310, 190)"),
          edges=(250, 130, 370, 250))


def test_an_ellipse_is_resized(serve, tab):
    text = scene("    ellipse dot {\n        radius: (80, 50)\n        position: (300, 180)\n        fill: white\n    }")
    check(serve, tab, text, "dot", (380, 180), (20, 0), text.replace("(80, 50)", "(90, 50)").replace("(300, 180)", "(310, 180)"),
          edges=(220, 130, 400, 230))


def test_a_group_is_scaled(serve, tab):
    text = scene("    group all {\n        rect {\n            size: 200x100\n            fill: white\n        }\n    }")
    # A group without a size has the box of the frame.
    check(serve, tab, text, "all", (640, 360), (-64, -36),
          text.replace("        }\n    }", "        }\n        scale: 0.9\n        position: center + (-32, -18)\n    }"))


def test_properties_are_added(serve, tab):
    text = scene("    rect card {\n        fill: white\n    }")
    check(serve, tab, text, "card", (370, 230), (40, 20),
          text.replace("fill: white\n", "fill: white\n        size: (140, 120)\n        position: center + (20, 10)\n"),
          edges=(270, 130, 410, 250))


def test_a_key_of_a_size_is_changed(serve, tab):
    text = RECT.replace("size: 200x100", "size: keyframes { 0s: (200, 100); 2s: (400, 200) }")
    check(serve, tab, text, "card", (450, 255), (20, 10),
          text.replace("2s: (400", "1s: (320, 160); 2s: (400").replace("(300, 180)", "(310, 185)"), at=1,
          edges=(150, 105, 470, 265))


def test_a_rotated_rect_follows(serve, tab):
    text = RECT.replace("fill: white", "fill: white\n        rotate: 90deg")
    # The corner at the bottom right of the box is at the bottom left of the frame.
    check(serve, tab, text, "card", (250, 280), (-20, 30),
          text.replace("200x100", "230x120").replace("(300, 180)", "(290, 195)"), edges=(230, 80, 350, 310))


def test_a_rect_in_a_scaled_group_follows(serve, tab):
    text = scene("""\
    group outer {
        rotate: 180deg
        scale: 0.5
        rect card {
            size: 200x100
            position: (300, 180)
            fill: white
        }
    }""")
    # The group turns the frame around, so that the box is from (280, 155) to (380, 205).
    check(serve, tab, text, "outer/card", (280, 155), (-20, -10),
          text.replace("200x100", "240x120").replace("(300, 180)", "(320, 190)"), edges=(260, 145, 380, 205))


def test_a_rect_under_a_camera_follows(serve, tab):
    text = scene("""\
    camera view {
        zoom: 2
        rect card {
            size: 100x50
            position: (320, 180)
            fill: white
        }
    }""")
    check(serve, tab, text, "view/card", (420, 230), (40, 20),
          text.replace("100x50", "120x60").replace("(320, 180)", "(330, 185)"), edges=(220, 130, 460, 250))


def test_a_rect_in_space_is_resized_about_its_pivot(serve, tab):
    text = RECT.replace("position: (300, 180)", "position: (320, 180)").replace(
        "fill: white", "fill: white\n        rotate-y: 60deg")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/card")
    page.settled()
    left, top, right, bottom = bounds(page)
    pull(page, (right, 180), (10, 0))
    until(lambda: server.scene.read_text() != text, "an edit")
    page.rest(rev=2)
    assert bounds(page)[2] == pytest.approx(right + 10, abs=1.6)
    assert "position: (320, 180)" in server.scene.read_text()
    page.quiet()


@pytest.mark.parametrize("value", ["rows[0].size", "size"])
def test_a_scale_that_is_data_refuses(serve, tab, tmp_path, value):
    (tmp_path / "rows.csv").write_text("size\n0.5\n2\n")
    text = "param size: number\nlet rows = data(\"rows.csv\")\n\n" + scene(f"""\
    group all {{
        scale: {value}
        rect {{
            size: 200x100
            fill: white
        }}
    }}""")
    server = serve(text, "--data", str(tmp_path / "rows.csv"))
    page = tab().open(server.url + "#sel=film/all")
    page.settled()
    corner = handle(page, (-1, -1))
    with held(page, ("Control",)):
        page.page.mouse.move(*point(page, corner))
        page.settled()
        page.page.mouse.down()
        page.page.mouse.move(*point(page, (corner[0] + 40, corner[1] + 20)), steps=4)
        page.page.wait_for_selector("#trial.bad:not(:empty)")
        assert "'scale'" in page.text("#trial")
        page.page.mouse.up()
    page.page.wait_for_selector(".toast.bad")
    page.settled()
    assert server.scene.read_text() == text
    page.quiet()


ORDER = scene("""\
    row all {
        gap: 20
        // The first one.
        rect a { size: 100x60;  fill: red }
        rect b { size: 100x60;  fill: lime }
        for k in 0..2 {
            rect { size: 40x60;  fill: blue }
        }
        rect c { size: 100x60;  fill: white }
    }""")


@pytest.mark.parametrize("layout,name,share,other,after", [
    # Behind, before, and at the end, beside a loop.
    ("row", "a", 0.8, "b", True), ("row", "c", 0.2, "a", False), ("row", "b", 0.8, "c", True),
    ("column", "c", 0.3, "b", False),
])
def test_a_child_of_a_layout_is_reordered(serve, tab, layout, name, share, other, after):
    text = ORDER.replace("row all", f"{layout} all")
    server = serve(text)
    page = tab().open(server.url + f"#sel=film/all/{name}")

    def corners(name):
        page.page.hover(f"#elements [title='rect {name}']")
        page.settled()
        return page.page.evaluate("(key) => scenec.outlines(key)[0]", f"film/all/{name}")

    box, start = corners(other), corners(name)
    center = [sum(p[i] for p in start) / 4 for i in (0, 1)]
    (left, top), (right, bottom) = box[0], box[2]
    end = (left + share * (right - left), top + share * (bottom - top))
    # The image stays, and a line marks the new place.
    with dragged(page, point(page, center), point(page, end)):
        page.settled()
        assert page.page.evaluate("scenec.mark()") is not None
        assert server.scene.read_text() == text
    lines = text.split("\n")
    own = next(i for i, it in enumerate(lines) if f"rect {name} " in it)
    taken = lines[own - 1:own + 1] if name == "a" else lines[own:own + 1]
    rest = [it for it in lines if it not in taken]
    at = next(i for i, it in enumerate(rest) if f"rect {other} " in it)
    if not after and other == "a":
        at -= 1
    at += 1 if after else 0
    server.holds("\n".join(rest[:at] + taken + rest[at:]))
    page.rest(rev=2)
    undone(page, server, text)


def test_a_round_of_a_loop_is_not_reordered(serve, tab):
    server = serve(ORDER)
    page = tab().open(server.url + "#sel=film/all/rect")
    page.wait("scenec.outlines('film/all/rect').length")
    first = page.page.evaluate("scenec.outlines('film/all/rect')[0]")
    center = [sum(p[i] for p in first) / 4 for i in (0, 1)]
    with dragged(page, point(page, center), point(page, (center[0] - 300, center[1]))):
        page.settled()
    page.page.wait_for_selector(".toast.bad:has-text('created by a loop')")
    assert server.scene.read_text() == ORDER
    page.quiet()


def test_a_layout_refuses(serve, tab):
    text = scene("    row all {\n        rect card {\n            size: 200x100\n            fill: white\n        }\n    }")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/all/card")
    page.settled()
    pull(page, (420, 230), (20, 10), release=False)
    page.page.wait_for_selector("#trial.bad:not(:empty)")
    assert page.text("#trial") == "the layout places 'card'; set 'position' to take it out of the layout"
    page.page.mouse.up()
    page.page.wait_for_selector(".toast.bad")
    page.settled()
    assert server.scene.read_text() == text
    page.quiet()


TEXT = scene("""\
    text title {
        content: "Hello you"
        font: "DejaVu Sans"
        font-size: 40
        position: (320, 180)
        fill: white
    }""")


def handle(page, side):
    """The position of a handle in frame pixels."""
    page.wait("scenec.handles()?.handles.length")
    return next(it["at"] for it in page.page.evaluate("scenec.handles().handles") if it["side"] == list(side))


def test_a_corner_of_a_text_sets_its_font_size(serve, tab):
    server = serve(TEXT)
    page = tab().open(server.url + "#sel=film/title")
    page.settled()
    (left, top), (right, bottom) = handle(page, (-1, -1)), handle(page, (1, 1))
    pull(page, (right, bottom), ((right - left) / 2, (bottom - top) / 2))
    until(lambda: "font-size: 60\n" in server.scene.read_text(), lambda: server.scene.read_text())
    page.rest(rev=2)
    assert handle(page, (-1, -1)) == pytest.approx([left, top], abs=1.6)
    undone(page, server, TEXT)


def test_a_side_of_a_text_sets_its_width(serve, tab):
    server = serve(TEXT)
    page = tab().open(server.url + "#sel=film/title")
    page.settled()
    left, right = handle(page, (-1, 0)), handle(page, (1, 0))
    way = 130 - (right[0] - left[0])
    pull(page, right, (way, 0))
    until(lambda: "width: 130\n" in server.scene.read_text(), lambda: server.scene.read_text())
    page.rest(rev=2)
    assert handle(page, (-1, 0))[0] == pytest.approx(left[0], abs=1.6)
    assert handle(page, (1, 0))[0] == pytest.approx(left[0] + 130, abs=1.6)
    undone(page, server, TEXT)


def turner(page):
    """The position of the handle that rotates, in frame pixels."""
    page.wait("scenec.handles()?.handles.length")
    return page.page.evaluate("scenec.handles().turner")


@pytest.mark.parametrize("degrees,keys,wanted", [(30, (), "30deg"), (37, ("Shift",), "30deg"), (-90, (), "-90deg")])
def test_an_element_is_rotated(serve, tab, degrees, keys, wanted):
    text = RECT.replace("(300, 180)", "(320, 180)")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/card")
    page.settled()
    x, y = turner(page)
    far, angle = 180 - y, math.radians(degrees)
    pull(page, (x, y), (far * math.sin(angle), far - far * math.cos(angle)), keys)
    server.holds(text.replace("fill: white\n", f"fill: white\n        rotate: {wanted}\n"))
    page.rest(rev=2)
    undone(page, server, text)


def test_an_element_is_turned_in_space(serve, tab):
    text = RECT.replace("(300, 180)", "(320, 180)").replace("fill: white", "fill: white\n        rotate-y: 30deg")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/card")
    page.wait("scenec.handles()?.rings['rotate-y']")
    # The front of the ring about the vertical axis moves to the right.
    ring = page.page.evaluate("scenec.handles().rings['rotate-y']")
    # A point of the ring outside the box, and the point 20 degrees on.
    start, end = ring[38], ring[42]
    pull(page, start, (end[0] - start[0], end[1] - start[1]))
    server.holds(text.replace("rotate-y: 30deg", "rotate-y: 50deg"))
    page.rest(rev=2)
    undone(page, server, text)


def test_the_pivot_is_moved(serve, tab):
    text = RECT.replace("fill: white", "fill: white\n        rotate: 90deg")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/card")
    page.settled()
    before = bounds(page)
    mouse = page.page.mouse
    page.page.keyboard.down("Alt")
    mouse.move(*point(page, (300, 180)))
    page.settled()
    mouse.down()
    mouse.move(*point(page, (300, 280)), steps=4)
    page.wait(TRIED)
    page.rest()
    mouse.up()
    page.page.keyboard.up("Alt")
    server.holds(text.replace("(300, 180)", "(200, 280)").replace("90deg\n", "90deg\n        pivot: (100%, 50%)\n"))
    page.rest(rev=2)
    # The element stays where it is.
    assert bounds(page) == pytest.approx(before, abs=1.1)
    undone(page, server, text)


def test_cursors_show_the_direction(serve, tab):
    server = serve(RECT.replace("fill: white", "fill: white\n        rotate: 45deg"))
    page = tab().open(server.url + "#sel=film/card")
    page.wait("scenec.handles()?.handles.length")
    wanted = {(1, 0): "nwse-resize", (0, 1): "nesw-resize", (-1, 0): "nwse-resize"}
    for side, cursor in wanted.items():
        page.page.mouse.move(*point(page, handle(page, side)))
        assert page.page.evaluate("document.getElementById('stage').style.cursor") == cursor
    page.page.mouse.move(*point(page, (300, 180)))
    page.settled()
    page.page.mouse.move(*point(page, (301, 181)))
    assert page.page.evaluate("document.getElementById('stage').style.cursor") == "move"
    page.quiet()


def test_the_box_of_a_text_is_selected(serve, tab):
    text = TEXT.replace("    text title", "    circle back {\n        radius: 150\n        fill: blue\n    }\n    text title")
    server = serve(text)
    page = tab().open(server.url)
    # Between the words.
    page.page.mouse.click(*point(page, (333, 163)))
    page.wait("location.hash.includes('sel=film/title')")
    page.quiet()


def test_handles_can_be_hit_on_a_telephone(serve, tab):
    server = serve(RECT)
    page = tab(390, 844, has_touch=True, is_mobile=True).open(server.url + "#sel=film/card")
    page.wait("scenec.handles()?.handles.length")
    x, y = point(page, (400, 230))
    film = page.page.locator("#film").bounding_box()
    k = film["width"] / 640
    cdp = page.page.context.new_cdp_session(page.page)

    def touch(kind, points):
        cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    # Fifteen pixels beside the handle.
    touch("touchStart", [(x + 12, y + 9)])
    touch("touchMove", [(x + 20, y + 13)])
    touch("touchMove", [(x + 12 + 40 * k, y + 9 + 30 * k)])
    page.wait(TRIED)
    page.rest()
    touch("touchEnd", [])
    server.holds(RECT.replace("200x100", "240x130").replace("(300, 180)", "(320, 195)"))
    page.quiet()


def test_a_drag_in_space_follows(serve, tab):
    text = RECT.replace("(300, 180)", "(320, 180)").replace(
        "fill: white", "fill: white\n        rotate-y: 50deg\n        translate-z: 300")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/card")
    page.wait("scenec.handles()?.pivot")
    x, y = page.page.evaluate("scenec.handles().pivot")
    pull(page, (x, y), (60, -30))
    until(lambda: server.scene.read_text() != text, "an edit")
    page.rest(rev=2)
    page.settled()
    assert page.page.evaluate("scenec.handles().pivot") == pytest.approx([x + 60, y - 30], abs=1.6)
    undone(page, server, text)


def test_a_rect_in_a_tilted_group_follows(serve, tab):
    text = scene("""\
    group outer {
        rotate-x: 50deg
        rect card {
            size: 200x100
            position: (300, 180)
            fill: white
        }
    }""")
    server = serve(text)
    page = tab().open(server.url + "#sel=film/outer/card")
    start, other = handle(page, (1, 1)), handle(page, (-1, -1))
    pull(page, start, (50, 30))
    until(lambda: server.scene.read_text() != text, "an edit")
    page.rest(rev=2)
    page.settled()
    assert handle(page, (1, 1)) == pytest.approx([start[0] + 50, start[1] + 30], abs=1.6)
    assert handle(page, (-1, -1)) == pytest.approx(other, abs=1.1)
    undone(page, server, text)
