# SPDX-License-Identifier: MIT
"""The book's pages in Chromium: links, search, videos, light and dark, small screens, accessibility."""
import functools
import http.server
import os
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(os.environ.get("SCENEC_SITE", ROOT / "build/site"))
PAGES = sorted(p.name for p in SITE.glob("*.html"))


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as p:
        it = p.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield it
        it.close()


@pytest.fixture
def tab(browser, address):
    """Opens pages; none may report an error."""
    contexts, errors = [], []

    def start(name, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda it: it.type == "error" and errors.append(it.text))
        page.goto(address + name)
        return page

    yield start
    for context in contexts:
        context.close()
    assert not errors


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.names, self.titles = [], set(), []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        for key in ("href", "src", "poster"):
            if found.get(key):
                self.links.append(found[key])
        if "id" in found:
            assert found["id"] not in self.names, f"two elements have the id {found['id']}"
            self.names.add(found["id"])
        if tag == "img":
            assert "alt" in found


def read(name):
    it = Links()
    it.feed((SITE / name).read_text())
    return it


def test_there_is_a_page_for_everything():
    recipes = [p.stem for p in (ROOT / "Examples/cookbook").glob("*.scene")]
    assert len(recipes) >= 40
    for name in recipes:
        assert f"recipe-{name}.html" in PAGES
    for name in ["index", "tutorial", "cookbook", "templates", "language", "reference", "elements", "properties",
                 "functions", "words", "types", "easings", "library", "topics", "coming-from", "codes"]:
        assert f"{name}.html" in PAGES


def test_the_start_page_shows_examples(tab):
    page = tab("index.html")
    assert page.evaluate("""[...document.querySelectorAll('.showcase a > img')]
        .filter((it) => it.complete && it.naturalWidth > 0).length""") >= 6


def test_no_link_leads_nowhere():
    parsed = {name: read(name) for name in PAGES}
    lost = []
    for name, page in parsed.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "data"):
                continue
            target = unquote(parts.path) or name
            if not (SITE / target).exists():
                lost.append(f"{name}: {link}")
            elif parts.fragment and target in parsed and unquote(parts.fragment) not in parsed[target].names:
                lost.append(f"{name}: {link} (no such place)")
    assert not lost


def test_what_the_search_finds_is_there(tab):
    addresses = tab("index.html").evaluate("INDEX.map((it) => it[2])")
    assert len(addresses) > 500
    parsed = {name: read(name) for name in PAGES}
    for address in addresses:
        page, _, place = address.partition("#")
        assert page in parsed and (not place or place in parsed[page].names), address


@pytest.mark.parametrize("words, wanted", [
    ("portrait", "properties.html#size"), ("PORTRAIT", "recipe-wide-and-tall.html"), ("Subtitle", "elements.html#captions"),
    ("typewriter", "recipe-typewriter.html"), ("chapters", "elements.html#marker"), ("fade in", "properties.html#enter"),
    ("w0305", "codes.html#W0305"), ("blur bars", "recipe-blurred-background.html"), ("audiogram", "templates.html#podcast"),
    ("corner-radius", "properties.html#corner-radius"), ("how to make a spinner", "recipe-spinner.html"),
    ("justify-content", "coming-from.html#css"), ("riemann", "topics.html#calculus"),
    ("value tracker", "coming-from.html#manim"), ("perspective", "topics.html#three-dimensions"), ("BarChart", "library.html"),
])
def test_search_finds(tab, words, wanted):
    page = tab("index.html")
    page.fill("#find", words)
    found = page.eval_on_selector_all("#found a", "links => links.map((a) => a.getAttribute('href'))")
    assert any(it.startswith(wanted) for it in found), found


def test_search_by_keys(tab):
    page = tab("cookbook.html")
    page.keyboard.press("/")
    page.keyboard.type("recipe that does not exist at all")
    assert "Nothing says anything" in page.inner_text("#found")
    page.keyboard.press("Escape")
    assert page.is_hidden("#found")
    page.keyboard.type("glow")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/recipe-glow.html")


def test_search_needs_no_server(browser):
    context = browser.new_context()
    page = context.new_page()
    page.goto((SITE / "index.html").as_uri())
    page.fill("#find", "confetti")
    assert page.locator("#found a").first.get_attribute("href").startswith("recipe-confetti")
    context.close()


VIDEOS = sorted(p.name for p in (SITE / "videos").iterdir())


def test_videos_play(tab):
    """Each video has frames and a duration, and plays."""
    assert len(VIDEOS) > 80
    page = tab("index.html")
    poor = page.evaluate("""async (names) => {
      const poor = [];
      for (const name of names) {
        const video = document.createElement('video');
        video.muted = true;
        video.src = 'videos/' + name;
        document.body.append(video);
        const moved = new Promise((done) => {
          video.ontimeupdate = () => { if (video.currentTime > 0.1) done(true); };
          video.onerror = () => done(false);
          setTimeout(() => done(false), 15000);
        });
        video.play().catch(() => {});
        if (!(await moved) || !(video.videoWidth > 0) || !(video.duration > 0.5)) poor.push(name);
        video.remove();
      }
      return poor;
    }""", VIDEOS)
    assert poor == []


def test_a_silent_video_plays_when_it_is_seen(tab):
    page = tab("recipe-orbit.html")
    page.wait_for_function("document.querySelector('video').currentTime > 0.2")
    still = tab("recipe-orbit.html", reduced_motion="reduce")
    # Observers are called in the order of their creation, so this one is called after the page's own.
    still.evaluate("""() => new Promise((done) => new IntersectionObserver((entries) => {
      if (entries.some((it) => it.isIntersecting)) requestAnimationFrame(done);
    }, { threshold: 0.4 }).observe(document.querySelector('video')))""")
    assert still.evaluate("document.querySelector('video').paused")
    assert still.evaluate("document.querySelector('video').currentTime") == 0


def test_light_and_dark(tab):
    ground = "getComputedStyle(document.body).backgroundColor"
    colors = {scheme: tab("cookbook.html", color_scheme=scheme).evaluate(ground) for scheme in ("light", "dark")}
    assert colors["light"] == "rgb(251, 250, 247)" and colors["dark"] == "rgb(18, 21, 29)"
    page = tab("cookbook.html", color_scheme="light")
    page.click("#theme")
    assert page.evaluate(ground) == colors["dark"]
    page.reload()
    assert page.evaluate(ground) == colors["dark"] and page.inner_text("#theme") == "Light"


def test_copying_a_source(tab):
    page = tab("recipe-glow.html", permissions=["clipboard-read", "clipboard-write"])
    page.locator(".copy").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('.copy').textContent === 'Copied'")
    text = page.evaluate("navigator.clipboard.readText()")
    scene = (ROOT / "Examples/cookbook/glow.scene").read_text()
    assert text.strip() in scene and "shadow(" in text


@pytest.mark.parametrize("name", ["index.html", "tutorial.html", "cookbook.html", "recipe-code.html", "elements.html",
                                  "coming-from.html", "codes.html", "templates.html", "language.html"])
@pytest.mark.parametrize("width", [360, 820, 1280])
def test_nothing_is_wider_than_the_screen(tab, name, width):
    page = tab(name, viewport={"width": width, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "tutorial.html", "cookbook.html", "recipe-map.html", "coming-from.html"])
def test_access(tab, name, scheme):
    page = tab(name, color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert not found, [(it["id"], [node["html"][:120] for node in it["nodes"][:3]]) for it in found]
