# SPDX-License-Identifier: MIT
"""The graph of a property: keys are dragged in time and value, handles edit easings, and each edit is one step."""
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import ROOT, until
from gestures import TRIED, drag, dragged, held, middle, opened, scene, undone

KEYS = scene("""\
    rect card {
        size: 100x60
        position: keyframes { 0s: (100, 100); 1s: (300, 120) with ease-in-out; 2s: (400, 260) with spring(); 3s: (200, 200) }
        opacity: 0.2 -> 1 over 2s -> 0.5 over 1s with ease-out
        rotate: keyframes { 0f: 0deg; 1beat: 90deg; 3beat: 40deg }
        scale: 1
        fill: white
    }""", "tempo: 60")


def graph(page):
    """The marks of the graph with their positions on the screen."""
    page.settled()
    return page.page.evaluate("scenec.graph()")


def key(page, name):
    found = graph(page)
    assert name in found["keys"], found
    return found["keys"][name]


def moved(page, name, seconds, value):
    """The positions of a key, and of it after a change of its time and value."""
    it, found = key(page, name), graph(page)
    x, y = it["at"]
    return (x, y), (x + seconds * found["perSecond"], y - value / found["perPixel"])


def edited(page, server, text, wanted):
    """Checks an edit of the file and one step of undo."""
    server.holds(wanted)
    page.rest(rev=2)
    undone(page, server, text)


@pytest.mark.parametrize("prop,name,seconds,value,keys,old,new", [
    # In time and value, of one component.
    ("position", "0.1.0", 0.5, 50, (), "1s: (300, 120)", "1.5s: (350, 120)"),
    ("position", "0.1.1", 0, 60, ("Shift",), "1s: (300, 120)", "1s: (300, 180)"),
    # Between its neighbors.
    ("position", "0.1.0", 2, 0, ("Shift",), "1s: (300", "1.9667s: (300"),
    # The legs of a tween.
    ("opacity", "0.1.0", -0.5, 0, ("Shift",), "over 2s -> 0.5 over 1s", "over 1.5s -> 0.5 over 1.5s"),
    ("opacity", "0.0.0", 0, 0.3, ("Shift",), "0.2 -> 1", "0.5 -> 1"),
    # Beats stay beats.
    ("rotate", "0.1.0", 0.985, 0, ("Shift",), "1beat: 90deg", "2beat: 90deg"),
    ("rotate", "0.2.0", 0, -20, ("Shift",), "3beat: 40deg", "3beat: 20deg"),
])
def test_a_key_is_dragged(serve, tab, prop, name, seconds, value, keys, old, new):
    server, page = opened(serve, tab, KEYS, f"#sel=film/card&graph={prop}")
    start, end = moved(page, name, seconds, value)
    drag(page, start, end, keys)
    edited(page, server, KEYS, KEYS.replace(old, new))


def test_several_keys_are_selected_and_moved(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=position")
    page.page.mouse.click(*key(page, "0.1.0")["at"])
    with held(page, ("Shift",)):
        for name in ("0.2.0", "0.2.1"):
            page.page.mouse.click(*key(page, name)["at"])
    assert sorted(graph(page)["picked"]) == ["0.1.0", "0.2.0", "0.2.1"]
    # The page shows the trial during the drag.
    start, end = moved(page, "0.2.0", 0.2, 40)
    with dragged(page, start, end):
        page.wait(TRIED)
        page.rest()
        assert page.text("#trial") == "2 keys"
        assert page.page.locator("#plot .readout").text_content() == "440 px · 2.2s"
        assert key(page, "0.1.0")["value"] == pytest.approx(340, abs=1)
        # The mark is at the pointer.
        x, y = middle(page.page.locator("#plot .gkey.picked >> nth=1").bounding_box())
        assert (x, y) == pytest.approx(end, abs=8)
        assert server.scene.read_text() == KEYS
    wanted = KEYS.replace("1s: (300, 120)", "1.2s: (340, 120)").replace("2s: (400, 260)", "2.2s: (440, 300)")
    edited(page, server, KEYS, wanted)


def test_a_box_selects_keys(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=position")
    (a, b), (c, d) = key(page, "0.1.0")["at"], key(page, "0.2.1")["at"]
    mouse = page.page.mouse
    mouse.move(min(a, c) - 20, min(b, d) - 20)
    mouse.down()
    mouse.move(max(a, c) + 20, max(b, d) + 20, steps=4)
    mouse.up()
    assert sorted(graph(page)["picked"]) == ["0.1.0", "0.2.1"]
    page.page.keyboard.press("Escape")
    assert graph(page)["picked"] == []
    assert "sel=film/card" in page.page.url
    page.page.keyboard.press("Control+a")
    assert len(graph(page)["picked"]) == 8
    page.quiet()


@pytest.mark.parametrize("prop,step,end,old,new", [
    # A named easing shows its curve, and is replaced.
    ("position", 1, 0, "with ease-in-out", "with cubic-bezier(0.542, 0, 0.58, 1)"),
    ("opacity", 1, 1, "with ease-out", "with cubic-bezier(0, 0, 0.7, 1)"),
    # Without an easing, it is linear.
    ("rotate", 2, 0, "3beat: 40deg", "3beat: 40deg with cubic-bezier(0.453, 0.333, 0.667, 0.667)"),
])
def test_a_handle_edits_the_easing(serve, tab, prop, step, end, old, new):
    server, page = opened(serve, tab, KEYS, f"#sel=film/card&graph={prop}")
    it = next(it for it in graph(page)["handles"] if it["step"] == step and it["end"] == end)
    assert it["exact"]
    x, y = it["at"]
    # All segments last a second, except the last one of the rotation.
    drag(page, (x, y), (x + 0.12 * graph(page)["perSecond"] * (2 if prop == "rotate" else 1), y))
    found = KEYS.replace(old, new)
    until(lambda: "cubic-bezier" in server.scene.read_text(), lambda: server.scene.read_text())
    text = server.scene.read_text()
    assert similar(text, found), text
    page.rest(rev=2)
    undone(page, server, KEYS)


def similar(a, b):
    """Whether two texts differ only in numbers, by at most 0.02."""
    number = r"\d+(?:\.\d+)?"
    pairs = zip(re.findall(number, a), re.findall(number, b))
    return re.sub(number, "#", a) == re.sub(number, "#", b) and all(abs(float(x) - float(y)) <= 0.02 for x, y in pairs)


def test_the_easings_of_several_keys_are_chosen(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=position")
    page.page.mouse.click(*key(page, "0.1.0")["at"])
    assert page.text("#graph-side .easer") == "ease-in-out"
    with held(page, ("Shift",)):
        page.page.mouse.click(*key(page, "0.3.1")["at"])
    assert page.text("#graph-side .easer") == "several easings"
    page.page.click("#graph-side .easer button")
    page.page.click(".menu .item span:text-is('ease-out')")
    wanted = KEYS.replace("with ease-in-out", "with ease-out").replace("3s: (200, 200)", "3s: (200, 200) with ease-out")
    edited(page, server, KEYS, wanted)


def test_a_spring_is_replaced_only_by_a_drag(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=position")
    page.page.mouse.click(*key(page, "0.2.0")["at"])
    it = next(it for it in graph(page)["handles"] if it["step"] == 2 and it["end"] == 0)
    assert not it["exact"]
    x, y = it["at"]
    page.page.mouse.click(x, y)
    page.settled()
    assert server.scene.read_text() == KEYS
    drag(page, (x, y), (x + 20, y + 20))
    until(lambda: "2s: (400, 260) with cubic-bezier(" in server.scene.read_text(), lambda: server.scene.read_text())
    page.rest(rev=2)
    undone(page, server, KEYS)


def test_curves_are_those_of_the_model(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=position&t=1.5")
    paths = page.page.locator("#plot .curve")
    assert [it.get_attribute("data-label") for it in paths.all()] == ["x", "y"]
    colors = paths.evaluate_all("(all) => all.map((it) => getComputedStyle(it).stroke)")
    assert len(set(colors)) == 2
    # The value at the playhead is on the curve: halfway with a spring.
    page.page.click("#tab-inspector")
    page.settled()
    x = float(page.page.locator('.prop[data-name="position"] .now .leaf').first.inner_text())
    found = graph(page)
    keys = found["keys"]
    at = (keys["0.1.0"]["at"][0] + keys["0.2.0"]["at"][0]) / 2
    y = keys["0.1.0"]["at"][1] - (x - 300) / found["perPixel"]
    near = page.page.evaluate("""([x, y]) => {
      const box = document.getElementById('plot').getBoundingClientRect();
      const path = document.querySelector('#plot .curve');
      let best = Infinity;
      for (let i = 0; i <= 2000; i++) {
        const p = path.getPointAtLength(path.getTotalLength() * i / 2000);
        best = Math.min(best, Math.hypot(p.x + box.x - x, p.y + box.y - y));
      }
      return best;
    }""", [at, y])
    assert near < 1.5
    assert "200 px" in page.page.locator("#plot .tick").all_text_contents()
    page.quiet()


def test_the_speed_is_shown(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=opacity")
    page.page.click("#graph-side button:has-text('Speed')")
    page.settled()
    # From 0.2 to 1 in two seconds.
    assert key(page, "0.0.0")["value"] == pytest.approx(0.4, abs=0.02)
    assert graph(page)["handles"] == []
    assert any(it.endswith("/s") for it in page.page.locator("#plot .tick").all_text_contents())
    page.quiet()


def test_keys_are_added_and_deleted(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=rotate")
    (x, y), found = key(page, "0.1.0")["at"], graph(page)
    page.page.mouse.dblclick(x + found["perSecond"], y + 20)
    added = KEYS.replace("1beat: 90deg; 3beat", "1beat: 90deg; 2s: 65deg; 3beat")
    server.holds(added)
    page.rest(rev=2)
    undone(page, server, KEYS)
    page.rest(rev=3)
    page.page.mouse.click(*key(page, "0.1.0")["at"])
    with held(page, ("Shift",)):
        page.page.mouse.click(*key(page, "0.2.0")["at"])
    page.page.keyboard.press("Delete")
    server.holds(KEYS.replace("0f: 0deg; 1beat: 90deg; 3beat: 40deg", "0f: 0deg"))
    page.rest(rev=4)
    undone(page, server, KEYS)


def test_the_keyboard_moves_keys(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=rotate")
    page.page.focus("#plot")
    keys = page.page.keyboard
    keys.press("PageDown")
    keys.press("PageDown")
    assert graph(page)["picked"] == ["0.1.0"]
    assert page.page.locator("#live p").last.inner_text() == "90deg at 1s"
    keys.press("Shift+ArrowRight")
    server.holds(KEYS.replace("1beat: 90deg", "1.3333beat: 90deg"))
    page.rest(rev=2)
    undone(page, server, KEYS)


def test_the_playhead_is_dragged(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=rotate&t=2")
    found = graph(page)
    x = found["keys"]["0.1.0"]["at"][0] + found["perSecond"]
    y = page.page.locator("#plot").bounding_box()["y"] + 8
    mouse = page.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + found["perSecond"] / 2, y, steps=4)
    mouse.up()
    until(lambda: page.frame() == 75, lambda: page.frame())
    page.settled()
    assert server.scene.read_text() == KEYS
    page.quiet()


@pytest.mark.parametrize("text,prop,name,reason", [
    (KEYS.replace("1beat: 90deg", "1beat: t * 90deg / 1s"), "rotate", "0.1.0",
     "'rotate' is computed by 't * 90deg / 1s'; edit it in the source"),
    (KEYS.replace("1s: (300, 120)", "1s: (300, 60 * t / 1s)"), "position", "0.1.1",
     "'position' is computed vertically by '60 * t / 1s'; edit it in the source"),
])
def test_a_computed_key_says_why(serve, tab, text, prop, name, reason):
    server, page = opened(serve, tab, text, f"#sel=film/card&graph={prop}")
    start, end = moved(page, name, 0, 30)
    with dragged(page, start, end, ("Shift",)):
        page.page.wait_for_selector("#trial.bad:not(:empty)")
        assert page.text("#trial") == reason
    page.page.wait_for_selector(".toast.bad")
    page.settled()
    assert server.scene.read_text() == text
    page.quiet()


def test_a_repeated_motion_has_no_keys(serve, tab):
    text = KEYS.replace("scale: 1", "scale: loop(keyframes { 0s: 1; 0.5s: 2 }, 1s)")
    server, page = opened(serve, tab, text, "#sel=film/card&graph=scale")
    assert graph(page)["keys"] == {}
    assert "edit them in the source" in page.text("#graph-side")
    page.quiet()


def test_an_element_of_another_scene_is_at_its_time(serve, tab):
    text = """\
scene part {
    size: 200x200
    for: 2s
    rect inner { size: 50x50;  rotate: 0deg -> 90deg over 2s;  fill: white }
}

""" + scene("    part { at: 1s;  speed: 2 }")
    server, page = opened(serve, tab, text, "#sel=film/group/part/inner&graph=rotate")
    found = graph(page)
    assert found["keys"] == {} and "edit them in the source" in page.text("#graph-side")
    # The curve begins and ends with the element in the film.
    left = page.page.locator("#plot").bounding_box()["x"]
    box = page.page.locator("#plot .curve").bounding_box()
    assert box["x"] - left == pytest.approx(found["perSecond"], abs=2)
    assert box["width"] == pytest.approx(found["perSecond"], abs=2)
    page.quiet()


def test_a_read_only_graph_only_shows(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card&graph=rotate", "--read-only")
    found = graph(page)
    assert found["handles"] == [] and len(found["keys"]) == 3
    (x, y) = key(page, "0.1.0")["at"]
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 40, y + 20, steps=3)
    page.page.mouse.up()
    for it in ("Delete", "ArrowUp"):
        page.page.keyboard.press(it)
    page.settled()
    # The server refuses edits, too.
    refused = page.page.evaluate("""async () => {
      const { ask } = await import(document.querySelector('script[src*=connection]').src);
      const change = { key: 'film/card', edit: 'rotate', n: 0, keys: [{ motion: 0, key: 1, by: [5] }] };
      return (await ask('edit', { view: 'main', changes: [change], label: 'key' })).error;
    }""")
    assert refused == "read-only"
    assert server.scene.read_text() == KEYS
    page.quiet()


def test_the_graph_is_opened_and_chosen(serve, tab):
    server, page = opened(serve, tab, KEYS, "#sel=film/card")
    assert page.page.is_hidden("#graph")
    page.page.keyboard.press("v")
    page.settled()
    assert page.page.is_hidden("#lives")
    assert page.page.locator("#graph-side .curve-name").all_inner_texts() == ["opacity", "position", "rotate"]
    page.page.click("#graph-side .curve-name:has-text('rotate')")
    page.wait("location.hash.includes('graph=rotate')")
    assert graph(page)["labels"] == ["rotate"]
    found = Axe().run(page.page)
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found.response["violations"]] == []
    page.page.keyboard.press("v")
    page.settled()
    assert page.page.is_visible("#lives")
    page.quiet()


def test_colors_move_in_time_only(serve, tab):
    text = KEYS.replace("fill: white", "fill: keyframes { 0s: #ff0000; 1s: #00ff00; 2s: #0000ff }")
    server, page = opened(serve, tab, text, "#sel=film/card&graph=fill")
    assert graph(page)["labels"] == ["red", "green", "blue", "alpha"]
    (x, y) = key(page, "0.1.1")["at"]
    drag(page, (x, y), (x + 0.5 * graph(page)["perSecond"], y + 30))
    edited(page, server, text, text.replace("1s: #00ff00", "1.5s: #00ff00"))


CLIP = "    video dancer \"dancer.mp4\" { size: 640x360;  fit: cover;  for: 3s;  %s }"


def clip(tmp_path, more):
    (tmp_path / "dancer.mp4").write_bytes((ROOT / "Examples/cookbook/dancer.mp4").read_bytes())
    return scene(CLIP % more)


TIME = "keyframes { 0s: 0s; 1s: 0.5s with ease-in-out; 2s: 1.2s }"
SPEED = "keyframes { 0s: 1; 1s: 0.5; 2s: 1.2 }"


@pytest.mark.parametrize("prop,keys,name,seconds,value,old,new", [
    ("time", TIME, "0.1.0", 0.5, 0, "1s: 0.5s", "1.5s: 0.5s"),
    ("time", TIME, "0.1.0", 0, 0.3, "1s: 0.5s", "1s: 0.8s"),
    ("time", TIME, "0.2.0", 0, -1, "2s: 1.2s", "2s: 0.2s"),
    ("speed", SPEED, "0.1.0", 0.5, 0, "1s: 0.5", "1.5s: 0.5"),
    ("speed", SPEED, "0.1.0", 0, 0.2, "1s: 0.5", "1s: 0.7"),
])
def test_the_keys_of_a_clip_are_dragged(serve, tab, tmp_path, prop, keys, name, seconds, value, old, new):
    text = clip(tmp_path, f"{prop}: {keys}")
    server, page = opened(serve, tab, text, f"#sel=film/dancer&graph={prop}")
    assert graph(page)["keys"]["0.2.0"]["value"] == pytest.approx(1.2)
    start, end = moved(page, name, seconds, value)
    drag(page, start, end, ("Shift",))
    until(lambda: server.scene.read_text() != text, "an edit")
    assert similar(server.scene.read_text(), text.replace(old, new)), server.scene.read_text()
    page.rest(rev=2)
    undone(page, server, text)


@pytest.mark.parametrize("prop,value", [("time", "0s -> 1s over 2s"), ("speed", "1 -> 0.2 over 2s")])
def test_the_easing_of_a_clip_is_edited(serve, tab, tmp_path, prop, value):
    text = clip(tmp_path, f"{prop}: {value}")
    server, page = opened(serve, tab, text, f"#sel=film/dancer&graph={prop}")
    x, y = graph(page)["handles"][0]["at"]
    drag(page, (x, y), (x + 60, y + 20))
    until(lambda: value + " with cubic-bezier(" in server.scene.read_text(), lambda: server.scene.read_text())
    page.rest(rev=2)
    undone(page, server, text)


def test_a_constant_speed_is_dragged(serve, tab, tmp_path):
    text = clip(tmp_path, "speed: 0.5")
    server, page = opened(serve, tab, text, "#sel=film/dancer&graph=speed")
    box = page.page.locator("#plot").bounding_box()
    path = page.page.locator("#plot .grab").bounding_box()
    (x, y) = box["x"] + box["width"] / 3, path["y"] + path["height"] / 2
    found = graph(page)
    assert found["labels"] == ["speed"] and found["keys"] == {}
    drag(page, (x, y), (x, y - 0.03 / found["perPixel"]))
    until(lambda: server.scene.read_text() != text, "an edit")
    assert similar(server.scene.read_text(), text.replace("speed: 0.5", "speed: 0.53")), server.scene.read_text()
    page.rest(rev=2)
    undone(page, server, text)


def test_a_constant_speed_in_a_sequence_is_shown(serve, tab, tmp_path):
    clip(tmp_path, "")
    inner = '        video dancer "dancer.mp4" { size: 640x360;  speed: 0.5 }'
    text = scene("    sequence {\n        rect { for: 1s;  size: 10x10 }\n" + inner + "\n    }")
    server, page = opened(serve, tab, text, "")
    page.page.click("#elements [title='video dancer']")
    page.page.click("#curves")
    page.wait("scenec.graph().property === 'speed'")
    page.quiet()
