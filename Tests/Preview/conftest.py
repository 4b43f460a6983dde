# SPDX-License-Identifier: MIT
"""One server a test, one browser for all."""
import os
import re
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("SCENEC_BIN", ROOT / ".build/release"))

SCENE = """\
scene intro {
    size: 640x360
    fps: 30
    for: 4s
    background: #203040

    rect card {
        at: 1s
        for: 2s
        position: (50%, 50%)
        size: 200x100
        fill: #ffd166
        opacity: 0 -> 1 over 0.5s
    }
    text heading {
        content: "Hello"
        font: "DejaVu Sans"
        position: (50%, 20%)
        font-size: 40
        fill: white
    }
}
"""


def frame(scene, n, out):
    """The film's own frame, by the command."""
    subprocess.run([BIN / "scenec", "frame", scene, "--frame", str(n), "-o", out, "--quiet"], check=True, timeout=60)
    return out


def soon(check, seconds=8):
    """Whether something becomes true: what is seen follows with the next picture of the display."""
    end = time.monotonic() + seconds
    while not check():
        if time.monotonic() > end:
            return False
        time.sleep(0.03)
    return True


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """`scenec watch` of a scene, and where its page is."""

    def __init__(self, scene, *options, runtime):
        self.scene = Path(scene)
        self.options = [*options, "--port", str(free_port())]
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(runtime))
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [BIN / "scenec", "watch", self.scene, "--no-video", *self.options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.env, bufsize=1)
        self.url = None
        lines = []
        # Not by `select`: of two lines that come together, the second waits where it does not look.
        guard = threading.Timer(20, self.process.kill)
        guard.start()
        for line in self.process.stdout:
            lines.append(line)
            found = re.search(r"^preview\s+(http://\S+)", line)
            if found:
                guard.cancel()
                self.url = found[1].rstrip("/") + "/"
                self.port = int(re.search(r":(\d+)/", self.url)[1])
                return
        guard.cancel()
        self.process.kill()
        pytest.fail("scenec watch printed no address: " + "".join(lines))

    def stop(self, how=signal.SIGTERM):
        """Ends the server; gives the seconds that it took."""
        begun = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        self.process.stdout.close()
        return time.monotonic() - begun


@pytest.fixture
def serve(tmp_path):
    """Starts servers; they end with the test."""
    running = []
    runtime = tmp_path / "run"
    runtime.mkdir(mode=0o700)

    def start(text=SCENE, *options, path=None):
        scene = path or tmp_path / "intro.scene"
        if not path:
            scene.write_text(text)
        server = Server(scene, *options, runtime=runtime)
        running.append(server)
        return server

    yield start
    for server in running:
        if server.process.poll() is None:
            server.stop()


def launch(playwright):
    # A page that does not come from the server counts as foreign.
    foreign = ["--disable-features=LocalNetworkAccessChecks"] if os.environ.get("SCENEC_PAGE") else []
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *foreign])


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as p:
        it = launch(p)
        yield it
        it.close()


# Counted in the page: when a picture of a revision was drawn and the display had its turn.
WATCH = """
addEventListener('DOMContentLoaded', () => {
  window.faults = [];
  window.painted = [];
  document.addEventListener('securitypolicyviolation', (e) => faults.push(e.violatedDirective + ' ' + e.blockedURI));
  document.getElementById('film').addEventListener('painted', (e) => {
    const { n, rev, exact, at } = e.detail;
    requestAnimationFrame((shown) => painted.push({ n, rev, exact, at, shown: performance.timeOrigin + shown }));
  });
});
"""


PAGE = ROOT / "Sources/ScenePage/page"


def from_folder(route):
    """A file of the page as it lies in the repository, so that no build is needed (`SCENEC_PAGE=1`)."""
    try:
        answer = route.fetch()
    except Error:
        return route.abort()
    name = re.search(r"/p/[^/]+/(?:ui/([^?]+))?(?:\?.*)?$", route.request.url)[1] or "index.html"
    body = (PAGE / name).read_text()
    if name.endswith(".js"):
        body = body.replace(".js';", f".js?b={route.request.url.split('?b=')[-1]}';")
    if name == "index.html":
        build = re.search(r'name="build" content="([^"]*)"', answer.text())[1]
        body = body.replace("{{build}}", build).replace("{{modules}}", "")
    types = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    headers = {**answer.headers, "content-type": types[name.split(".")[-1]]}
    headers.pop("content-length", None)
    route.fulfill(status=200, headers=headers, body=body)


class Tab:
    """The page in a tab, with what its tests ask of it."""

    def __init__(self, page):
        self.page = page
        self.errors = []
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.add_init_script(WATCH)
        if os.environ.get("SCENEC_PAGE"):
            page.route(re.compile(r"/p/[^/]+/(ui/.*)?$"), from_folder)

    def open(self, url):
        self.page.goto(url)
        return self.rest()

    def wait(self, expression, arg=None, seconds=15):
        """Until an expression of the page is true; its policy forbids that the page evaluates it itself."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.page.evaluate(expression, arg):
                return
            time.sleep(0.03)
        pytest.fail(f"never true: {expression} {arg or ''}, frame {self.page.inner_text('#frame')}")

    def rest(self, n=None, rev=None):
        """Waits for the exact picture."""
        picture = "#film[data-exact=true]"
        if n is not None:
            picture += f'[data-frame="{n}"]'
        if rev is not None:
            picture += f'[data-rev="{rev}"]'
        self.page.wait_for_selector(picture, state="attached", timeout=15000)
        return self

    def pixels(self):
        """What the canvas holds: width, height and RGBA."""
        got = self.page.evaluate("""async () => {
          const film = document.getElementById('film');
          const data = film.getContext('2d').getImageData(0, 0, film.width, film.height).data;
          const url = await new Promise((done) => {
            const reader = new FileReader();
            reader.onload = () => done(reader.result);
            reader.readAsDataURL(new Blob([data]));
          });
          return [film.width, film.height, url.split(',')[1]];
        }""")
        import base64
        return got[0], got[1], base64.b64decode(got[2])

    def frame(self):
        return int(self.page.inner_text("#frame")[1:])

    def revision(self):
        return int(self.page.get_attribute("#film", "data-rev"))

    def quiet(self, passed=""):
        """Nothing went wrong that the browser knows of, but for what has `passed` in it."""
        assert self.page.evaluate("faults") == []
        assert [it for it in self.errors if not passed or passed not in it] == []


@pytest.fixture
def tab(browser):
    contexts = []

    def make(width=1280, height=800, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        return Tab(context.new_page())

    yield make
    for it in contexts:
        it.close()
