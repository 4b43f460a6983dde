# SPDX-License-Identifier: MIT
"""Texts typed in place, the clipboard, several selected elements, and new elements."""
import pytest
from conftest import until
from gestures import TRIED, click, drag, dragged, held, point, undone

SCENE = """\
scene film {
    size: 640x360
    fps: 30
    for: 4s
    background: black

    rect a {
        size: 100x50
        position: (100, 80)
        fill: white
    }
    rect b {
        size: 60x60
        position: (300, 120)
        fill: red
    }
    circle c {
        radius: 20
        position: (500, 300)
        fill: blue
    }
    text title {
        content: "Hello"
        font: "DejaVu Sans"
        font-size: 40
        position: (320, 220)
        fill: white
    }
}
"""


def double_click(page, at):
    click(page, at)
    page.page.mouse.dblclick(*point(page, at))
    page.page.wait_for_selector("#typing")
    page.settled()


def test_a_text_is_typed_in_place(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url)
    double_click(page, (320, 220))
    field = page.page.locator("#typing").bounding_box()
    x, y = point(page, (320, 220))
    assert abs(field["x"] + field["width"] / 2 - x) < 4 and field["y"] < y < field["y"] + field["height"]
    page.page.keyboard.type("Good \"day\"")
    page.wait(TRIED)
    assert server.scene.read_text() == SCENE
    page.page.keyboard.press("Enter")
    server.holds(SCENE.replace('"Hello"', '"Good \\"day\\""'))
    page.rest(rev=2)
    assert page.page.locator("#typing").count() == 0
    undone(page, server, SCENE)


def test_escape_cancels_the_typing(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url)
    double_click(page, (320, 220))
    page.page.keyboard.type("Other")
    page.page.keyboard.press("Escape")
    page.rest()
    assert page.page.locator("#typing").count() == 0
    assert server.scene.read_text() == SCENE
    page.quiet()


def block(name):
    """The source of an element."""
    start = SCENE.index(f" {name} {{")
    start = SCENE.rindex("\n", 0, start) + 1
    return SCENE[start:SCENE.index("\n    }\n", start) + 7]


def test_an_element_is_duplicated(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#sel=film/a")
    page.page.keyboard.press("Control+d")
    wanted = SCENE.replace(block("a"), block("a") + block("a").replace(" a {", " a2 {"))
    server.holds(wanted)
    page.rest(rev=2)
    page.wait("location.hash.includes('sel=film/a2')")
    undone(page, server, SCENE)


def test_elements_are_copied_and_pasted(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#sel=film/a")
    click(page, (300, 120), keys=("Shift",))
    page.page.keyboard.press("Control+c")
    page.page.wait_for_selector(".toast:has-text('Copied: 2 elements')")
    page.page.keyboard.press("Escape")
    page.page.keyboard.press("Control+v")
    copies = block("a").replace(" a {", " a2 {") + block("b").replace(" b {", " b2 {")
    server.holds(SCENE[:-2] + copies + "}\n")
    page.rest(rev=2)
    undone(page, server, SCENE)


def test_several_elements_are_moved(serve, tab):
    server = serve(SCENE)
    page = tab().open(server.url + "#sel=film/a")
    click(page, (300, 120), keys=("Shift",))
    drag(page, point(page, (300, 120)), point(page, (337, 147)), ("Control",))
    wanted = SCENE.replace("(100, 80)", "(137, 107)").replace("(300, 120)", "(337, 147)")
    server.holds(wanted)
    page.rest(rev=2)
    page.page.keyboard.press("Shift+ArrowRight")
    server.holds(wanted.replace("(137, 107)", "(147, 107)").replace("(337, 147)", "(347, 147)"))
    page.rest(rev=3)
    for text in (wanted, SCENE):
        page.page.keyboard.press("Control+z")
        server.holds(text)
        page.settled()
    page.page.keyboard.press("Delete")
    server.holds(SCENE.replace(block("a"), "").replace(block("b"), ""))
    page.rest(rev=6)
    undone(page, server, SCENE)


NESTED = """\
scene film {
    size: 640x360
    fps: 30
    for: 4s
    background: black

    group outer {
        position: (320, 180)
        rect inner {
            size: 100x50
            position: (100, 80)
            fill: white
        }
    }
}
"""


@pytest.mark.parametrize("keys", ["ArrowRight", "Control+d", "Delete"])
def test_the_outermost_of_nested_elements_is_edited(serve, tab, keys):
    copy = NESTED[NESTED.index("    group outer"):-2]
    wanted = {
        "ArrowRight": NESTED.replace("(320, 180)", "(321, 180)"), "Delete": NESTED.replace("\n" + copy, ""),
        "Control+d": NESTED[:-2] + copy.replace("outer", "outer2").replace("inner", "inner2") + "}\n",
    }
    server = serve(NESTED)
    page = tab().open(server.url + "#sel=film/outer/inner")
    # In the tree, Shift adds an element to the selection.
    with held(page, ("Shift",)):
        page.page.click("#elements .row:has-text('outer')")
    page.settled()
    assert page.page.locator("#elements .row.selected").count() == 2
    page.page.evaluate("document.activeElement.blur()")
    page.page.keyboard.press(keys)
    server.holds(wanted[keys])
    page.rest(rev=2)
    undone(page, server, NESTED)


@pytest.mark.parametrize("more,item,wanted", [
    ([], "Align left", {"(100, 80)": "(50, 80)"}),
    ([], "Align vertical centers", {"(100, 80)": "(100, 180)"}),
    ([(300, 120)], "Align top", {"(300, 120)": "(300, 85)"}),
    ([(300, 120)], "Align right", {"(100, 80)": "(280, 80)"}),
    ([(300, 120), (500, 300)], "Distribute horizontally", {"(300, 120)": "(315, 120)"}),
])
def test_elements_are_aligned(serve, tab, more, item, wanted):
    server = serve(SCENE)
    page = tab().open(server.url + "#sel=film/a")
    for at in more:
        click(page, at, keys=("Shift",))
    page.page.click("#align")
    page.page.click(f".menu .item:has-text('{item}')")
    text = SCENE
    for old, new in wanted.items():
        text = text.replace(old, new)
    server.holds(text)
    page.rest(rev=2)
    undone(page, server, SCENE)


IN_SPACE = """scene film {
    size: 640x360;  fps: 20;  for: 1s
    group {
        size: 640x360;  perspective: 700;  rotate-y: 40deg
        rect a { size: 80x60;  position: (150, 90);  fill: tomato;  rotate-x: 30deg }
        rect b { size: 80x60;  position: (320, 250);  fill: teal }
        rect c { size: 80x60;  position: (480, 150);  fill: gold;  translate-z: 60 }
    }
}
"""


def left_edge(page, name):
    return min(x for x, _ in page.page.evaluate("(key) => scenec.outlines(key)[0]", f"film/group/{name}"))


def center(page, name):
    corners = page.page.evaluate("(key) => scenec.outlines(key)[0]", f"film/group/{name}")
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    # The center of the box is where its diagonals cross.
    p = (cx - ax, cy - ay)
    q = (dx - bx, dy - by)
    share = ((bx - ax) * q[1] - (by - ay) * q[0]) / (p[0] * q[1] - p[1] * q[0])
    return ax + share * p[0], ay + share * p[1]


def opened_in_space(serve, tab):
    """The server and the page of `IN_SPACE` with the three rectangles selected."""
    server = serve(IN_SPACE)
    page = tab().open(server.url + "#sel=film/group/a")
    page.settled()
    for name in "bc":
        with held(page, ("Shift",)):
            page.page.click(f"#elements [title='rect {name}']")
    page.settled()
    return server, page


def align(page, item, server):
    """Chooses an item of the menu for alignment, which changes the scene."""
    page.page.click("#align")
    page.page.click(f".menu .item:has-text('{item}')")
    page.rest(rev=2)
    assert server.scene.read_text() != IN_SPACE


def test_elements_in_perspective_are_aligned(serve, tab):
    server, page = opened_in_space(serve, tab)
    wanted = min(left_edge(page, name) for name in "abc")
    align(page, "Align left", server)
    for name in "abc":
        assert left_edge(page, name) == pytest.approx(wanted, abs=0.3)
    undone(page, server, IN_SPACE)


def test_centers_in_perspective_are_aligned(serve, tab):
    server, page = opened_in_space(serve, tab)
    align(page, "Align vertical centers", server)
    wanted = center(page, "a")[1]
    for name in "bc":
        assert center(page, name)[1] == pytest.approx(wanted, abs=0.3)
    undone(page, server, IN_SPACE)


def test_elements_in_perspective_are_distributed_by_their_centers(serve, tab):
    server, page = opened_in_space(serve, tab)
    before = {name: center(page, name) for name in "abc"}
    align(page, "Distribute horizontally", server)
    for name in "ac":
        assert center(page, name) == pytest.approx(before[name], abs=0.01)
    middle = (before["a"][0] + before["c"][0]) / 2
    assert center(page, "b") == (pytest.approx(middle, abs=0.3), pytest.approx(before["b"][1], abs=0.3))
    undone(page, server, IN_SPACE)


def test_elements_in_perspective_are_moved_by_the_same_pixels(serve, tab):
    server, page = opened_in_space(serve, tab)
    before = {name: center(page, name) for name in "abc"}
    page.page.evaluate("document.activeElement.blur()")
    for _ in range(10):
        page.page.keyboard.press("ArrowRight")
    until(lambda: center(page, "a")[0] > before["a"][0] + 9.5, lambda: server.scene.read_text())
    page.rest()
    for name, (x, y) in before.items():
        now = center(page, name)
        assert now == (pytest.approx(x + 10, abs=0.3), pytest.approx(y, abs=0.3)), name


@pytest.mark.parametrize("item,line", [
    ("Rectangle", "    rect { position: (320, 180);  size: (144, 90);  fill: #4f8cff }\n"),
    ("Text", "    text \"Text\" { position: (320, 180);  font-size: 36;  fill: #4f8cff }\n"),
    ("Arrow", "    arrow { from: (248, 180);  to: (392, 180);  stroke: #4f8cff;  stroke-width: 4 }\n"),
    ("logo.png", "    image \"logo.png\" { position: (320, 180);  size: (256, 144);  fit: contain }\n"),
])
def test_an_element_is_inserted(serve, tab, tmp_path, item, line):
    from PIL import Image
    Image.new("RGB", (8, 8), "red").save(tmp_path / "logo.png")
    server = serve(SCENE)
    page = tab().open(server.url)
    page.page.click("#insert")
    page.page.click(f".menu .item:has-text('{item}')")
    server.holds(SCENE[:-2] + line + "}\n")
    page.rest(rev=2)
    page.wait("(kind) => location.hash.includes('sel=film/' + kind)", line.split()[0])
    undone(page, server, SCENE)


def test_the_numbers_of_images_remain(serve, tab, tmp_path):
    from PIL import Image
    Image.new("RGB", (8, 8), "red").save(tmp_path / "b.png")
    server = serve(SCENE)
    first, second = tab().open(server.url), tab().open(server.url)
    first.page.click("#insert")
    first.page.wait_for_selector(".menu .item:has-text('b.png')")
    # Another tab lists an image whose name comes first.
    Image.new("RGB", (8, 8), "blue").save(tmp_path / "a.png")
    second.page.click("#insert")
    second.page.wait_for_selector(".menu .item:has-text('a.png')")
    first.page.click(".menu .item:has-text('b.png')")
    server.holds(SCENE[:-2] + "    image \"b.png\" { position: (320, 180);  size: (256, 144);  fit: contain }\n}\n")
    first.rest(rev=2)
    undone(first, server, SCENE)
    second.settled()
    second.page.click(".menu .item:has-text('a.png')")
    server.holds(SCENE[:-2] + "    image \"a.png\" { position: (320, 180);  size: (256, 144);  fit: contain }\n}\n")


def test_a_reader_inserts_nothing(serve, tab):
    server = serve(SCENE, "--read-only")
    page = tab().open(server.url + "#sel=film/a")
    assert page.page.is_disabled("#insert") and page.page.is_disabled("#align")
    for keys in ("Control+d", "Control+c", "Control+v", "Delete"):
        page.page.keyboard.press(keys)
        page.settled()
    assert server.scene.read_text() == SCENE
    page.quiet()


@pytest.mark.parametrize("start,end,keys,old,new,guides", [
    # The center of the frame.
    ((500, 300), (420, 178), (), "(500, 300)", "(420, 180)", [(1, 180)]),
    ((500, 300), (420, 178), ("Control",), "(500, 300)", "(420, 178)", []),
    # The left edge of another element, and a third of the frame.
    ((500, 300), (288, 117), (), "(500, 300)", "(290, 120)", [(0, 270), (1, 120)]),
    # A corner at the edge of another element.
    ((150, 105), (267, 147), (), "100x50", "220x95", [(0, 270), (1, 150)]),
])
def test_drags_snap(serve, tab, start, end, keys, old, new, guides):
    selected = "a" if start != (500, 300) else "c"
    text = SCENE.replace(block("title"), "")
    server = serve(text)
    page = tab().open(server.url + f"#sel=film/{selected}")
    page.wait("scenec.handles()?.handles.length")
    with dragged(page, point(page, start), point(page, end), keys):
        page.wait(TRIED)
        page.rest()
        found = page.page.evaluate("scenec.guides()")
    assert [(it["axis"], round(it["line"])) for it in found] == guides
    wanted = text.replace(old, new, 1)
    if old == "100x50":
        wanted = wanted.replace("(100, 80)", "(160, 102.5)")
    server.holds(wanted)
    page.rest(rev=2)
    assert page.page.evaluate("scenec.guides()") == []
    undone(page, server, text)
