# SPDX-License-Identifier: MIT
"""Saves by every method that editors use, texts with errors, and the end of the server."""
import os
import re
import signal
import socket

import pytest
from conftest import SCENE, Tab, until


def in_place(path, text):
    with open(path, "r+") as f:
        f.write(text)
        f.truncate()


def truncate(path, text):
    path.write_text(text)


def rename(path, text):
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def backup(path, text):
    os.rename(path, path.with_suffix(".scene~"))
    path.write_text(text)


def again(path, text):
    path.unlink()
    path.write_text(text)


def touched(path, text):
    path.write_text(text)
    os.utime(path)


def coloured(i):
    return SCENE.replace("#203040", f"#{i % 256:02x}3040")


def wait_for(tab, i):
    """Waits for the background color of this text."""
    tab.shows(0, i % 256)


@pytest.mark.parametrize("save", [in_place, truncate, rename, backup, again, touched], ids=lambda f: f.__name__)
def test_a_save_is_shown_and_nothing_else_changes(serve, tab, save):
    """A text that is missing or truncated for less than 100 ms shows no errors. A busy machine may need longer for a
    save, so the clock of the page is stopped during each save."""
    server = serve()
    page = tab(clock=True).open(server.url + "#t=1.5&sel=intro/card&in=1&out=3")
    page.page.evaluate("""() => {
      window.cards = 0;
      new MutationObserver(() => cards += document.getElementById('errors').hidden ? 0 : 1)
        .observe(document.getElementById('errors'), { attributes: true });
    }""")
    for i in range(1, 9):
        before = page.revision()
        with page.frozen():
            save(server.scene, coloured(i * 16))
            page.knows(before + 1)
        wait_for(page, i * 16)
    page.settled()
    assert page.frame() == 45
    assert page.page.evaluate("cards") == 0
    assert page.page.get_attribute("#elements [aria-selected=true]", "title") == "rect card"
    assert re.search(r"t=1.5&sel=intro/card&in=1&out=3", page.page.url)
    page.quiet()


def test_of_a_burst_the_last_text_is_shown(serve, tab):
    server = serve()
    page = tab().open(server.url)
    for i in range(1, 201):
        server.scene.write_text(coloured(i))
    wait_for(page, 200)
    page.quiet()


def test_a_broken_text_keeps_the_picture_and_lists_all_errors(serve, tab):
    server = serve()
    page = tab().open(server.url)
    before = page.pixels()
    server.scene.write_text(SCENE.replace("size: 200x100", "sise: 200x100").replace("font-size: 40", "font-size: red"))
    page.page.wait_for_selector("#errors .problem >> nth=1")
    page.settled()
    assert page.page.title().startswith("✕ 2")
    text = page.page.inner_text("#errors")
    assert "sise" in text and re.search(r"intro\.scene:11", text) and re.search(r"intro\.scene:19", text)
    assert page.text("#errors u >> nth=0") == "sise"
    assert page.pixels() == before
    assert page.text("#live") != ""
    server.scene.write_text(SCENE)
    page.page.wait_for_selector("#errors", state="hidden")
    page.settled()
    assert re.match(r"● \d+ ms", page.page.title())
    page.quiet()


def test_half_written_texts_show_no_card(serve, tab):
    """The error card appears once a text has had errors for 100 ms. The clock of the page is stopped, so the delay
    is 100 ms on any machine."""
    server = serve()
    page = tab(clock=True).open(server.url)
    page.page.evaluate("""() => {
      window.cards = 0;
      new MutationObserver(() => cards += 1).observe(document.getElementById('errors'), { attributes: true, attributeFilter: ['hidden'] });
    }""")
    for i in range(1, 6):
        before = page.revision()
        with page.frozen(), open(server.scene, "w") as f:
            text = coloured(i * 16)
            f.write(text[:200])
            f.flush()
            until(lambda: "errors" in page.unfinished(), "a page that knows of the errors")
            page.page.clock.run_for(99)
            assert "errors" in page.unfinished()
            f.write(text[200:])
            f.flush()
            page.knows(before + 1)
        wait_for(page, i * 16)
    assert page.page.evaluate("cards") == 0
    server.scene.write_text(text[:200])
    page.page.wait_for_selector("#errors .problem")
    assert page.page.evaluate("cards") == 1


def test_a_scene_that_was_never_right_then_is(serve, tab):
    server = serve("scene intro {")
    page = tab()
    page.page.goto(server.url)
    page.page.wait_for_selector("#errors .problem")
    server.scene.write_text(SCENE)
    page.rest()
    assert page.page.is_hidden("#errors")


def test_names_of_a_scene_are_only_text(serve, tab):
    evil = SCENE.replace('"Hello"', '"<img src=x onerror=alert(1)>\\u{202e}"')
    server = serve(evil.replace("rect card", 'marker "<b>x</b>" { at: 1s }\n    rect card'))
    page = tab()
    page.page.goto(server.url)
    page.page.wait_for_selector("#film[data-exact=true], #errors .problem", state="attached")
    page.settled()
    assert page.page.locator("#lives b, #lives img, #errors img, #markers b").count() == 0
    page.quiet()


def test_the_end_is_quick_and_the_same_tab_goes_on(serve, tab):
    server = serve()
    page = tab().open(server.url + "#t=1.5")
    before = page.pixels()
    assert server.stop() == 128 + signal.SIGTERM
    page.page.wait_for_selector("#ended", state="visible")
    assert page.pixels() == before
    url = server.url
    server.start(server.port)
    assert server.url == url, "the token is kept"
    page.page.wait_for_selector("#ended", state="hidden")
    server.scene.write_text(coloured(96))
    wait_for(page, 96)
    assert page.frame() == 45


def test_twelve_tabs_follow(serve, browser):
    server = serve()
    context = browser.new_context(viewport={"width": 900, "height": 700})
    tabs = [Tab(context.new_page()) for _ in range(12)]
    for it in tabs:
        it.page.goto(server.url)
    for it in tabs:
        it.rest()
    server.scene.write_text(coloured(160))
    for it in tabs:
        it.page.bring_to_front()
        wait_for(it, 160)
    context.close()


def test_a_stopped_browser_slows_no_other(serve, browser, tab):
    server = serve()
    path = "/" + server.url.split("/", 3)[3]
    stuck = socket.create_connection(("127.0.0.1", server.port))
    stuck.sendall((f"GET {path}ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                   f"Origin: http://127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                   "Sec-WebSocket-Protocol: scenec.x\r\n\r\n").encode())
    page = tab().open(server.url)
    server.scene.write_text(coloured(64))
    wait_for(page, 64)
    stuck.close()


def test_nobody_has_to_read_what_it_says(serve, tab):
    """A full pipe does not block the server, and a late reader still gets the errors."""
    idle = "\n".join("    rect { size: 1x1; position: (-99, -99); fill: white }" for _ in range(60))
    server = serve(SCENE.replace("    rect card", idle + "\n    rect card"))
    page = tab().open(server.url)
    for i in range(1, 31):
        server.scene.write_text(coloured(i * 8).replace("    rect card", idle + "\n    rect card"))
        wait_for(page, i * 8)
    server.scene.write_text(SCENE.replace("size: 200x100", "sise: 200x100"))
    page.page.wait_for_selector("#errors .problem")
    seen = []
    for line in server.process.stdout:
        seen.append(line)
        if "'sise'" in line:
            break
    assert any("dropped" in line for line in seen), seen[-5:]


def test_a_frame_that_takes_too_long_is_given_up(serve, tab):
    slow = """scene intro {
    size: 1920x1080
    for: 4s
    background: #203040
    rect card { size: 200x100; fill: white; for: 2s }
    for i in 0..4000 {
        rect { at: 2s; size: 1800x1000; position: (50%, 50%); fill: #ffffff10; filter: blur(60 + i * 0.01) }
    }
}
"""
    page = tab().open(serve(slow, "--limit", "drawing=1000000000000").url + "#t=1")
    page.page.keyboard.press("End")
    # While the playhead moves, blurs are drawn at a reduced size. A fast machine may render that image within the
    # limit, but not the exact one.
    until(lambda: "took too long" in page.text("body"), "a frame that is abandoned")
    page.settled()
    if page.page.is_visible("#errors .problem"):
        assert "took too long" in page.page.inner_text("#errors")
        assert page.page.get_attribute("#film", "data-frame") != str(page.frame()), "the last picture stays"
    assert page.page.get_attribute("#film", "data-exact") != "true" or page.page.is_visible("#errors .problem")
    page.page.keyboard.press("Home")
    page.rest(0)
    assert page.page.is_hidden("#errors")
    page.quiet("504")
