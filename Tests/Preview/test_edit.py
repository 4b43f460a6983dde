# SPDX-License-Identifier: MIT
"""Changes of the text: each replaces one token, is previewed before it is written, and is undone by the server."""
from conftest import SCENE, until

TRIED = "document.getElementById('film').dataset.view !== 'main'"


def written(server, old, new):
    """Waits until the file contains the original text with this single difference."""
    server.holds(SCENE.replace(old, new))


def leaf(page, name, index=0):
    page.page.click("#tab-inspector")
    page.settled()
    return page.page.locator(f'.prop[data-name="{name}"] .leaf').nth(index)


def selected(serve, tab, key="intro/heading", at="1.5"):
    server = serve()
    return server, tab().open(server.url + f"#t={at}&sel={key}")


def test_by_the_keyboard_alone_a_value_is_changed(serve, tab):
    server = serve()
    page = tab().open(server.url)
    keys = page.page.keyboard
    for _ in range(30):
        keys.press("Tab")
        if page.page.evaluate("document.activeElement.id") == "elements":
            break
    for _ in range(2):
        keys.press("ArrowDown")
        page.settled()
    for _ in range(40):
        keys.press("Tab")
        if page.page.evaluate("document.activeElement.getAttribute('aria-label')") == "font-size":
            break
    keys.press("Enter")
    keys.type("48")
    keys.press("Enter")
    written(server, "font-size: 40", "font-size: 48")
    page.quiet()


def test_a_drag_is_shown_before_it_is_written_and_esc_drops_it(serve, tab):
    server, page = selected(serve, tab)
    box = leaf(page, "font-size").bounding_box()
    mouse = page.page.mouse
    before = page.pixels()

    def pull():
        mouse.move(box["x"] + 8, box["y"] + 8)
        mouse.down()
        mouse.move(box["x"] + 48, box["y"] + 8, steps=8)
        page.wait(TRIED)

    pull()
    page.page.keyboard.press("Escape")
    mouse.up()
    page.page.wait_for_selector("#film[data-view=main][data-exact=true]", state="attached")
    page.settled()
    assert page.pixels() == before
    assert server.scene.read_text() == SCENE
    pull()
    mouse.up()
    written(server, "font-size: 40", "font-size: 80")
    page.page.wait_for_selector("#undo:not(:disabled)")
    page.page.keyboard.press("Control+z")
    written(server, "x", "x")
    page.page.wait_for_selector("#redo:not(:disabled)")
    page.page.keyboard.press("Control+Shift+Z")
    written(server, "font-size: 40", "font-size: 80")
    page.quiet()


def test_undo_survives_a_reload_and_is_shared(serve, tab):
    server, page = selected(serve, tab)
    leaf(page, "font-size").focus()
    page.page.keyboard.press("ArrowUp")
    written(server, "font-size: 40", "font-size: 41")
    page.page.reload()
    page.rest()
    page.page.wait_for_selector("#undo:not(:disabled)")
    other = tab().open(server.url)
    other.page.wait_for_selector("#undo:not(:disabled)")
    other.page.keyboard.press("Control+z")
    written(server, "x", "x")


def test_a_colour_and_a_word(serve, tab):
    server, page = selected(serve, tab, "intro/card", "2")
    leaf(page, "fill").click()
    page.page.evaluate("""() => {
      const it = document.querySelector('.menu input[type=color]');
      it.value = '#00ff80';
      it.dispatchEvent(new Event('input'));
    }""")
    page.page.click(".menu .fix.main")
    written(server, "#ffd166", "#00ff80")


def test_a_bar_moves_in_time_and_lands_on_frames(serve, tab):
    server, page = selected(serve, tab, "intro/card", "2")
    box = page.page.locator("#lives .row.selected .bar").bounding_box()
    mouse = page.page.mouse
    width = page.page.locator("#ruler").bounding_box()["width"]
    x, y = box["x"] + box["width"] / 2, box["y"] + 8
    mouse.move(x, y)
    mouse.down()
    page.settled()
    # A fifth of a second; the window shows 4.08 s.
    mouse.move(x + width * 0.2 / 4.08, y, steps=6)
    page.wait(TRIED)
    mouse.up()
    until(lambda: "at: 1s" not in server.scene.read_text(), "a changed file")
    at = float(server.scene.read_text().split("at: ")[1].split("s")[0])
    assert abs(at * 30 - round(at * 30)) < 0.31 and 1.1 < at < 1.3
    assert server.scene.read_text() == SCENE.replace("at: 1s", f"at: {at:g}s")


def test_an_element_is_dragged_in_the_picture(serve, tab):
    server, page = selected(serve, tab, "intro/card", "2")
    film = page.page.locator("#film").bounding_box()
    k = film["width"] / 640
    mouse = page.page.mouse
    mouse.move(film["x"] + 320 * k, film["y"] + 180 * k)
    page.settled()
    mouse.down()
    page.settled()
    mouse.move(film["x"] + 384 * k, film["y"] + 180 * k, steps=8)
    page.wait(TRIED)
    mouse.up()
    written(server, "position: (50%, 50%)", "position: (60%, 50%)")


def test_clicks_select_and_a_second_one_goes_below(serve, tab):
    text = SCENE.replace("    text heading", "    circle dot { position: (50%, 50%); radius: 20; fill: red }\n    text heading")
    page = tab().open(serve(text).url + "#t=2")
    film = page.page.locator("#film").bounding_box()
    middle = film["x"] + film["width"] / 2, film["y"] + film["height"] / 2
    page.page.mouse.click(*middle)
    page.page.wait_for_selector("#elements [aria-selected=true][title='circle dot']")
    page.settled()
    page.page.mouse.click(*middle)
    page.page.wait_for_selector("#elements [aria-selected=true][title='rect card']")
    page.page.click("#tab-code")
    page.settled()
    assert "rect card" in page.text(".code-line.here")


def test_a_change_that_is_wrong_is_refused(serve, tab):
    server, page = selected(serve, tab, "intro/card", "2")
    leaf(page, "fill")
    spot = page.page.locator('.prop[data-name="for"] .leaf').first
    spot.click()
    page.page.keyboard.type("-5")
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector(".toast.bad, #trial:not(:empty)")
    page.settled()
    assert server.scene.read_text() == SCENE


def test_a_fix_of_an_error(serve, tab):
    server = serve(SCENE.replace("radius", "radus").replace("fill: #ffd166", "fil: #ffd166"))
    page = tab()
    page.page.goto(server.url)
    page.page.click("#errors .fix")
    server.holds(SCENE)
    page.rest()


def test_a_change_that_came_too_late_is_made_in_the_new_text(serve, tab):
    server, page = selected(serve, tab)
    leaf(page, "font-size").focus()
    page.page.keyboard.press("Enter")
    page.page.keyboard.type("48")
    # An editor saves while the field is open.
    server.scene.write_text("// A title\n" + SCENE)
    page.settled(rev=2)
    page.page.keyboard.press("Enter")
    server.holds("// A title\n" + SCENE.replace("font-size: 40", "font-size: 48"))


def test_a_change_of_what_has_changed_is_refused(serve, tab):
    server, page = selected(serve, tab)
    leaf(page, "font-size").focus()
    page.page.keyboard.press("Enter")
    page.page.keyboard.type("48")
    other = SCENE.replace("font-size: 40", "font-size: 60")
    server.scene.write_text(other)
    page.settled(rev=2)
    page.page.keyboard.press("Enter")
    page.page.wait_for_selector(".toast.bad")
    page.settled()
    assert server.scene.read_text() == other


RAMPS = SCENE.replace("opacity: 0 -> 1 over 0.5s", "enter: fade over 0.5s; exit: [fade, grow] over 0.4s")


def test_ways_in_and_out_are_dragged(serve, tab):
    server = serve(RAMPS)
    page = tab().open(server.url + "#t=2&sel=intro/card")
    second = page.page.locator("#ruler").bounding_box()["width"] / (4 * 1.02)
    mouse = page.page.mouse

    def pull(part, seconds):
        box = page.page.locator(f"#lives .row.selected .ramp.{part} .grip").bounding_box()
        mouse.move(box["x"] + 4, box["y"] + 8)
        mouse.down()
        page.settled()
        mouse.move(box["x"] + 4 + seconds * second, box["y"] + 8, steps=6)
        page.wait(TRIED)
        mouse.up()

    pull("enter", 0.3)
    wanted = RAMPS.replace("fade over 0.5s", "fade over 0.8s")
    server.holds(wanted)
    page.settled(rev=2)
    pull("exit", -0.2)
    server.holds(wanted.replace("over 0.4s", "over 0.6s"))
    page.quiet()


def test_a_way_in_without_a_length_is_given_one(serve, tab):
    text = RAMPS.replace("fade over 0.5s", "fade")
    server = serve(text)
    page = tab().open(server.url + "#t=2&sel=intro/card")
    second = page.page.locator("#ruler").bounding_box()["width"] / (4 * 1.02)
    mouse = page.page.mouse
    box = page.page.locator("#lives .row.selected .ramp.enter .grip").bounding_box()
    mouse.move(box["x"] + 4, box["y"] + 8)
    mouse.down()
    page.settled()
    mouse.move(box["x"] + 4 + 0.3 * second, box["y"] + 8, steps=6)
    page.wait(TRIED)
    mouse.up()
    server.holds(RAMPS.replace("fade over 0.5s", "fade over 0.8s"))
    page.quiet()


def test_a_text_of_several_lines(serve, tab):
    block = SCENE.replace('"Hello"', '"""\n            One\n              two\n            """')
    server = serve(block)
    page = tab().open(server.url + "#t=1.5&sel=intro/heading")
    leaf(page, "content").click()
    field = page.page.locator('.prop[data-name="content"] textarea')
    assert field.input_value() == "One\n  two"
    field.press("Control+End")
    field.press("Enter")
    field.type("three {4}")
    page.wait(TRIED)
    field.press("Control+Enter")
    server.holds(block.replace("  two\n", "  two\n            three \\{4\\}\n"))
    page.quiet()
