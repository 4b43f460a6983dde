# SPDX-License-Identifier: MIT
"""Keyboard shortcuts, the address, small screens, and accessibility."""
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import SCENE


def test_keys_move_and_the_address_follows(serve, tab):
    server = serve()
    page = tab().open(server.url)
    keys = page.page.keyboard
    steps = [("ArrowRight", 1), ("Shift+ArrowRight", 31), ("ArrowLeft", 30), ("End", 119), ("Home", 0),
             ("Alt+ArrowRight", 30), ("Alt+ArrowRight", 45), ("Alt+ArrowRight", 90), ("Alt+ArrowLeft", 45)]
    for key, n in steps:
        keys.press(key)
        page.wait(f"document.getElementById('frame').textContent === 'f{n}'")
    keys.press("i")
    keys.press("Shift+ArrowRight")
    keys.press("o")
    page.wait("location.hash.includes('in=1.5&out=2.533')")
    assert "t=2.5" in page.page.url
    other = tab().open(page.page.url)
    assert other.frame() == 75
    assert other.page.get_attribute("#in", "aria-valuenow") == "45"
    keys.press("p")
    page.page.wait_for_selector("#in", state="hidden")
    keys.press("p")
    page.page.wait_for_selector("#in", state="visible")
    keys.press("Shift+I")
    keys.press("Shift+O")
    page.page.wait_for_selector("#in", state="hidden")
    page.quiet()


def test_the_playhead_says_where_it_is(serve, tab):
    page = tab().open(serve().url + "#t=1.233")
    ruler = page.page.locator("#ruler")
    assert ruler.get_attribute("aria-valuetext") == "1.233 s, frame 37 of 120"
    assert page.text("#time") == "00:01.233"


def test_tree_and_timeline_by_keys(serve, tab):
    page = tab().open(serve().url)
    page.page.focus("#elements")
    page.page.keyboard.press("ArrowDown")
    page.page.wait_for_selector("#elements [aria-selected=true][title='rect card']")
    page.wait("location.hash.includes('sel=intro/card')")
    page.page.focus("#lives")
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_selector("#lives .row.sub")
    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_selector("#lives .row.active[aria-expanded=true]")
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_selector("#lives .row.sub", state="detached")
    page.page.keyboard.press("Escape")
    page.page.wait_for_selector("#elements [aria-selected=true]", state="detached")
    page.quiet()


def test_the_sheet_of_keys(serve, tab):
    page = tab().open(serve().url)
    page.page.keyboard.press("?")
    page.settled()
    assert "Play or pause" in page.text("#keys")
    page.page.keyboard.press("Escape")
    page.settled()
    assert page.page.is_hidden("#keys")


def test_before_the_last_change_while_c_is_held(serve, tab):
    server = serve()
    page = tab().open(server.url)
    server.scene.write_text(SCENE.replace("#203040", "#ff0000"))
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[0] === 255")
    page.rest()
    page.page.keyboard.down("c")
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[0] < 60")
    assert page.text("#badge") == "before"
    page.page.keyboard.up("c")
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[0] === 255")


def test_two_thousand_elements_scroll_and_filter(serve, tab):
    lines = "\n".join(f"    circle dot{i} {{ at: {i % 30 / 10}s; position: ({i % 640}, {i % 360}); radius: 2; fill: white }}"
                      for i in range(2000))
    page = tab().open(serve(SCENE.replace("    rect card", lines + "\n    rect card")).url)
    assert page.page.locator("#lives .row").count() < 60
    page.page.fill("#filter", "dot1990")
    page.settled()
    assert page.page.locator("#lives .row").count() == 2
    assert page.page.locator("#elements .row").count() == 2


SIZES = [(1440, 900), (900, 700), (360, 740)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda s: str(s[0]))
def test_nothing_stands_in_the_way_of_access(serve, tab, size, scheme):
    page = tab(*size, color_scheme=scheme).open(serve().url + "#t=1.5&sel=intro/card")
    found = Axe().run(page.page)
    assert [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found.response["violations"]] == []
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size", SIZES, ids=lambda s: str(s[0]))
def test_targets_are_large_enough(serve, tab, size):
    page = tab(*size).open(serve().url + "#t=1.5&sel=intro/card")
    small = page.page.evaluate("""() => [...document.querySelectorAll('button, a, input, summary, [role=slider], [role=row]')]
      .map((it) => [it.id || it.className || it.tagName, it.getBoundingClientRect()])
      .filter(([, r]) => r.width && (r.width < 24 || r.height < 24)).map(([name, r]) => `${name} ${r.width}x${r.height}`)""")
    assert small == []


def test_small_screens_show_the_selected_element_and_its_neighbours(serve, tab):
    page = tab(360, 740).open(serve().url + "#sel=intro/card")
    assert page.page.locator("#lives .row").count() == 3
    page.page.click("#tab-tree")
    page.settled()
    assert page.page.is_visible("#elements")


def test_a_read_only_preview_offers_no_changes(serve, tab):
    page = tab().open(serve(SCENE, "--read-only").url)
    assert page.page.is_visible("#read-only")
    assert page.page.is_disabled("#undo")


def test_params_are_of_the_view_alone_and_in_the_address(serve, tab):
    text = ('param title: text = "Hello"\nparam tint: warm | cold = warm\nparam large: number = 40 in 10..80\n'
            + SCENE.replace('"Hello"', '"{title}"').replace("font-size: 40", "font-size: large")
            .replace("#203040", "tint == warm ? #ff0000 : #0000ff"))
    server = serve(text)
    page = tab().open(server.url)
    before = page.pixels()
    page.page.click("#tab-params")
    page.page.select_option("#param-tint", "cold")
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[2] === 255")
    page.page.fill("#param-title", "Bye")
    page.wait("location.hash.includes('p.title=Bye') && location.hash.includes('p.tint=cold')")
    page.rest()
    assert server.scene.read_text() == text
    other = tab().open(page.page.url)
    other.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[2] === 255")
    for _ in range(2):
        page.page.click("#panel-params .link:has-text('reset') >> nth=0")
        page.settled()
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[0] === 255")
    page.rest()
    assert page.pixels() == before
    page.quiet()


def test_another_scene_of_the_file(serve, tab):
    page = tab().open(serve("scene first { size: 640x360; for: 2s; background: red }\n\n" + SCENE).url)
    page.page.click("#scene")
    page.page.click(".menu .item:has-text('first')")
    page.wait("document.getElementById('film').getContext('2d').getImageData(1, 1, 1, 1).data[0] === 255")
    page.wait("location.hash.includes('scene=first')")
    page.settled()
    assert "2 s" in page.text("#facts")
    page.quiet()


def test_outputs_are_a_menu(serve, tab):
    text = SCENE.replace("    rect card", """    output { quality: 20 }
    output tall { size: 360x640; layout: own }
    output square { size: 360x360; fit: cover }
    rect card""")
    server = serve(text)
    page = tab().open(server.url)
    page.page.click("#output")
    page.page.click(".menu .item:has-text('tall')")
    page.wait("document.getElementById('facts').textContent.startsWith('360 × 640')")
    page.wait("location.hash.includes('output=tall') && location.hash.includes('size=360x640')")
    page.rest()
    page.page.reload()
    page.rest()
    assert page.text("#output") == "tall"
    page.page.click("#output")
    page.page.click(".menu .item:has-text('square')")
    page.wait("document.getElementById('facts').textContent.startsWith('640 × 360')")
    # The cropped area of the frame is dimmed.
    page.wait("""(() => {
      const over = document.getElementById('over');
      const film = document.getElementById('film').getBoundingClientRect();
      const stage = over.getBoundingClientRect();
      const r = devicePixelRatio;
      const at = (x) => over.getContext('2d').getImageData((film.x - stage.x + x * film.width) * r, (film.y - stage.y + film.height / 2) * r, 1, 1).data[3];
      return at(0.1) > 100 && at(0.5) === 0;
    })()""")
    assert server.scene.read_text() == text
    page.quiet()


def test_more_elements_than_one_answer_has(serve, tab):
    lines = "\n".join(f"    circle dot{i} {{ position: ({i % 640}, {i % 360}); radius: 2; fill: white }}" for i in range(2500))
    page = tab().open(serve(SCENE.replace("    rect card", lines + "\n    rect card")).url)
    page.page.fill("#filter", "dot2490")
    page.wait("document.querySelectorAll('#lives .row').length === 2")
    page.page.fill("#filter", "")
    page.page.keyboard.press("Escape")
    page.page.evaluate("document.getElementById('lives').scrollTop = 1e6")
    page.page.click("#lives .row:has-text('heading') .name")
    page.page.wait_for_selector("#elements [aria-selected=true][title='text heading']")
    page.quiet()
