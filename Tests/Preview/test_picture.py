# SPDX-License-Identifier: MIT
"""Frames, scrubbing and playback."""
import os
import re

import pytest
from conftest import ROOT, frame
from gestures import click
from PIL import Image

EXAMPLES = sorted(p.parent.name for p in (ROOT / "Examples").glob("*/scene.scene"))
# The examples of a normal test run; `SCENEC_ALL=1` selects all.
FEW = ["bench-title", "bench-flow", "sticker", "counter-chart"]


def same(tab, picture):
    width, height, data = tab.pixels()
    image = Image.open(picture).convert("RGBA")
    assert image.size == (width, height)
    if image.getextrema()[3][0] == 255:
        assert image.tobytes() == data
        return
    # A canvas stores premultiplied colors with eight bits, so translucent colors are imprecise.
    other = Image.frombytes("RGBA", image.size, data)
    assert image.getchannel("A").tobytes() == other.getchannel("A").tobytes()


@pytest.mark.parametrize("name", [n for n in EXAMPLES if n in FEW or os.environ.get("SCENEC_ALL")])
def test_at_rest_the_picture_is_the_films_own(serve, tab, tmp_path, name):
    scene = ROOT / "Examples" / name / "scene.scene"
    server = serve(path=scene)
    page = tab().open(server.url)
    last = int(page.page.get_attribute("#ruler", "aria-valuemax"))
    for n in (0, last // 3, last - 1):
        page.page.goto(server.url + f"#t={seconds(page, n)}")
        page.page.reload()
        page.rest(n)
        same(page, frame(scene, n, tmp_path / "frame.png"))
    page.quiet()


def test_captions_that_no_output_draws_are_not_shown(serve, tab, tmp_path):
    (tmp_path / "talk.srt").write_text("1\n00:00:00,500 --> 00:00:03,000\nHello\n")
    text = """\
scene intro {
    size: 640x360;  fps: 30;  for: 4s;  background: #203040
    output { captions: USE }
    group {
        rect card { size: 300x200;  fill: teal }
        captions "talk.srt" { language: "en" }
    }
}
"""
    seen = {}
    for use in ("track", "none", "burned"):
        server = serve(text.replace("USE", use))
        page = tab().open(server.url + "#t=1")
        page.rest(30)
        same(page, frame(server.scene, 30, tmp_path / "frame.png"))
        seen[use] = page.pixels()
        # Elements beside hidden captions can be selected.
        click(page, (320, 180))
        page.page.wait_for_selector("#elements [aria-selected=true][title='rect card']")
        page.quiet()
    assert seen["track"] == seen["none"] != seen["burned"]


def seconds(page, n):
    text = page.page.inner_text("#facts")
    fps = float(text.split(" fps")[0].split("·")[-1])
    return round(n / fps, 3)


def test_any_order_of_seeking_gives_the_same_pictures(serve, tab):
    page = tab().open(serve().url)
    page.page.focus("#ruler")
    order = [0, 31, 60, 31, 0, 60, 45, 31, 60]
    seen = {}
    for n in order:
        seek(page, n)
        page.rest(n)
        seen.setdefault(n, page.pixels())
        assert page.pixels() == seen[n], n
    assert seen[0] != seen[60]


def seek(page, n):
    while page.frame() != n:
        by = n - page.frame()
        key = "ArrowRight" if by > 0 else "ArrowLeft"
        before = page.frame()
        page.page.keyboard.press(("Shift+" if abs(by) >= 30 else "") + key)
        page.wait(f"document.getElementById('frame').textContent !== 'f{before}'")


def test_a_late_answer_does_not_replace_the_exact_picture(serve, tab):
    """The server answers a request for an earlier frame after the page has shown the exact one."""
    page = tab()
    held = None

    def route(socket):
        server = socket.connect_to_server()
        socket.on_message(server.send)
        server.on_message(lambda message: socket.send(message) if held is None else held.append((socket, message)))

    page.page.route_web_socket(re.compile("/ws$"), route)
    # Frames 55 to 59 are identical, so the response says that the page already has the image.
    page.open(serve().url + "#t=2")
    page.page.focus("#ruler")
    held = []
    page.page.keyboard.press("ArrowLeft")
    page.page.keyboard.press("ArrowLeft")
    page.wait("document.querySelector('#film[data-exact=true][data-frame=\"58\"]')")
    before, (messages, held) = page.pixels(), (held, None)
    assert messages
    for socket, message in messages:
        socket.send(message)
    page.rest(58)
    assert page.pixels() == before
    page.quiet()


def test_scrubbing_begins_with_the_pointer_down_and_ends_exact(serve, tab):
    page = tab().open(serve().url)
    box = page.page.locator("#ruler").bounding_box()
    y = box["y"] + 8
    page.page.mouse.move(box["x"] + box["width"] * 0.2, y)
    page.page.mouse.down()
    page.wait("document.getElementById('frame').textContent !== 'f0'")
    first = page.frame()
    for share in (0.3, 0.4, 0.5, 0.6):
        page.page.mouse.move(box["x"] + box["width"] * share, y, steps=5)
        page.wait("painted.at(-1).n === Number(document.getElementById('frame').textContent.slice(1))")
    page.page.mouse.up()
    page.rest(page.frame())
    assert 65 <= page.frame() <= 80
    shown = page.page.evaluate("painted.map((p) => p.n)")
    assert len(set(shown)) > 3, "frames follow the pointer"


def play(page, key, count):
    """Presses a key, then lets a stopped clock advance by some animation frames. Returns all frames that were
    shown since the start."""
    page.page.keyboard.press(key)
    for _ in range(count):
        page.step(16)
    return page.page.evaluate("painted.map((p) => p.n)")


def test_play_goes_round_the_range_and_stops(serve, tab):
    page = tab(clock=True).open(serve().url + "#t=0.5&in=0.5&out=1")
    with page.frozen():
        page.page.evaluate("painted.length = 0")
        shown = play(page, "Space", 100)
        page.page.keyboard.press("k")
    # Every frame is shown, and the first frame follows the last.
    assert len(shown) > 40
    assert all(15 <= n < 30 for n in shown)
    assert all(b == (a + 1 if a < 29 else 15) for a, b in zip(shown, shown[1:])), shown
    page.rest()
    page.quiet()


def test_play_backwards_and_faster(serve, tab):
    page = tab(clock=True).open(serve().url + "#t=3")
    with page.frozen():
        page.page.evaluate("painted.length = 0")
        once = play(page, "j", 30)
        shown = play(page, "j", 30)
        assert page.text("#speed") == "2×"
        page.page.keyboard.press("k")
    assert len(once) > 10 and all(b == a - 1 for a, b in zip(once, once[1:])), once
    assert all(b <= a for a, b in zip(shown, shown[1:])), shown
    assert once[-1] - shown[-1] > 1.5 * (once[0] - once[-1]), shown
    page.settled()
    page.rest(page.frame())


def test_a_still_stretch_costs_nothing(serve, tab):
    """The frame program is the same, so the image is not sent again."""
    page = tab(clock=True).open(serve().url + "#t=3.5")
    count = len(page.page.evaluate("painted"))
    requests = []
    page.page.on("request", lambda r: requests.append(r.url))
    page.page.focus("#ruler")
    # The server answers before the page asks for the exact frame.
    with page.frozen():
        page.page.keyboard.press("ArrowRight")
        page.answered()
    page.rest(106)
    assert len(page.page.evaluate("painted")) > count
    assert [r for r in requests if "/still" in r] == []


def test_sizes_ground_and_guides(serve, tab):
    page = tab().open(serve().url)
    page.page.keyboard.press("2")
    page.settled()
    assert page.text("#scale") == "100 %"
    assert page.page.locator("#film").bounding_box()["width"] == 640
    page.page.keyboard.press("1")
    page.settled()
    assert "fit" in page.text("#scale")
    page.page.keyboard.press("g")
    page.page.wait_for_selector("#guides[aria-pressed=true]")
    page.page.keyboard.press("t")
    page.page.wait_for_selector("#stage[data-ground=checker]")
    page.rest()
    page.quiet()
