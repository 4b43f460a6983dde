# SPDX-License-Identifier: MIT
"""Fixtures of the tests in Chromium: one browser for each worker process, one context, folder, and server for each test."""
import base64
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests"))

from waiting import LIMIT, late, until  # noqa: E402

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
    """A frame of the video, rendered by `scenec frame`."""
    subprocess.run([BIN / "scenec", "frame", scene, "--frame", str(n), "-o", out, "--quiet"], check=True)
    return out


class Server:
    """`scenec watch` of a scene, and the address of its page."""

    def __init__(self, scene, *options, runtime):
        self.scene = Path(scene)
        self.options = options
        self.env = dict(os.environ, XDG_RUNTIME_DIR=str(runtime))
        self.start()

    def start(self, port=0):
        """Starts the process. Port 0 stands for any free port."""
        self.process = subprocess.Popen(
            [BIN / "scenec", "watch", self.scene, "--no-video", *self.options, "--port", str(port)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.env, bufsize=1)
        self.url = None
        lines = []
        # `select` would miss lines that are already in the buffer of the stream.
        guard = threading.Timer(LIMIT, self.process.kill)
        guard.start()
        for line in self.process.stdout:
            lines.append(line)
            found = re.search(r"^preview at (http://\S+)", line)
            if found:
                guard.cancel()
                self.url = found[1].rstrip("/") + "/"
                self.port = int(re.search(r":(\d+)/", self.url)[1])
                return
        guard.cancel()
        self.process.kill()
        pytest.fail("scenec watch printed no address: " + "".join(lines))

    def stop(self, how=signal.SIGTERM):
        """Ends the process and returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        self.process.stdout.close()
        return self.process.returncode

    def holds(self, text):
        """Waits until the scene file has this text."""
        until(lambda: self.scene.read_text() == text, lambda: f"the text\n{text}\nin the file, which has\n{self.scene.read_text()}")


@pytest.fixture
def serve(tmp_path):
    """Starts servers that end with the test."""
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
    # A page whose files come from the repository counts as foreign.
    foreign = ["--disable-features=LocalNetworkAccessChecks"] if os.environ.get("SCENEC_PAGE") else []
    return playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", *foreign])


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as p:
        it = launch(p)
        yield it
        it.close()


# Records each frame that the page draws, at the next animation frame.
WATCH = """
addEventListener('DOMContentLoaded', () => {
  window.violations = [];
  window.painted = [];
  document.addEventListener('securitypolicyviolation', (e) => violations.push(e.violatedDirective + ' ' + e.blockedURI));
  document.getElementById('film').addEventListener('painted', (e) => {
    const { n, rev, exact, at } = e.detail;
    requestAnimationFrame((shown) => painted.push({
      n, rev, exact, at, drawn: performance.timeOrigin + at, shown: performance.timeOrigin + shown,
    }));
  });
});
"""


PAGE = ROOT / "Sources/Interactive/ScenePage/page"


def from_folder(route):
    """Serves a file of the page from the repository, so that no build is needed (`SCENEC_PAGE=1`)."""
    name = re.search(r"/p/[^/]+/(?:ui/([^?]+))?(?:\?.*)?$", route.request.url)[1] or "index.html"
    body = (PAGE / name).read_text()
    if name.endswith(".js"):
        body = body.replace(".js';", f".js?b={route.request.url.split('?b=')[-1]}';")
    headers = {}
    if name == "index.html":
        # The server knows its build and sets the policy of the page.
        try:
            answer = route.fetch()
        except Error:
            return route.abort()
        headers = {**answer.headers}
        headers.pop("content-length", None)
        build = re.search(r'name="build" content="([^"]*)"', answer.text())[1]
        body = body.replace("{{build}}", build).replace("{{modules}}", "")
    types = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
    headers["content-type"] = types[name.split(".")[-1]]
    route.fulfill(status=200, headers=headers, body=body)


class Tab:
    """The page in a tab, with the queries and waits that its tests share."""

    def __init__(self, page):
        self.page = page
        self.errors = []
        page.set_default_timeout(LIMIT * 1000)
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.add_init_script(WATCH)
        if os.environ.get("SCENEC_PAGE"):
            page.route(re.compile(r"/p/[^/]+/(ui/.*)?$"), from_folder)

    def open(self, url):
        """Loads the page and waits until it shows the exact frame."""
        self.page.goto(url)
        return self.rest()

    def wait(self, expression, arg=None):
        """Waits until an expression is true. It is evaluated at each animation frame; with `arg`, it is a function of
        that argument. The content security policy does not allow the page itself to evaluate text."""
        test = f"({expression})(arg)" if arg is not None else f"({expression})"
        while True:
            try:
                if self.page.evaluate("""async ([arg, ms]) => {
                  const end = performance.now() + ms;
                  while (!(%s)) {
                    if (performance.now() > end) return false;
                    await new Promise(requestAnimationFrame);
                  }
                  return true;
                }""" % test, [arg, LIMIT * 1000]):
                    return
            except Error as e:
                # The page was reloaded in the meantime.
                if "context was destroyed" not in str(e):
                    raise
                continue
            raise late(f"{expression} {arg if arg is not None else ''}; {self.state()}", LIMIT)

    def settled(self, rev=None):
        """Waits until the page has no work left and shows its result; with `rev`, first until it knows
        that revision of the text."""
        if rev is not None:
            self.wait("(rev) => Number(document.getElementById('film').dataset.rev) >= rev", rev)
        if not self.page.evaluate("""(ms) => Promise.race([
          scenec.settled().then(() => true), new Promise((done) => setTimeout(() => done(false), ms))])""", LIMIT * 1000):
            raise late(f"a page without work; {self.state()}", LIMIT)
        return self

    @contextlib.contextmanager
    def frozen(self):
        """Stops the clock of the page: timers and animation frames run only in `step`. The tab must be
        made with `clock=True`."""
        self.page.clock.pause_at(self.page.evaluate("Date.now() + 1000") / 1000)
        yield
        self.page.clock.resume()

    def step(self, ms):
        """Advances a stopped clock, then waits for the server and for images."""
        self.page.clock.run_for(ms)
        self.answered()

    def answered(self):
        """Waits until all requests have responses and no image is being decoded."""
        until(lambda: not [it for it in self.unfinished() if it.split()[0] in ("request", "image")],
              lambda: f"responses to {self.unfinished()}")

    def unfinished(self):
        return self.page.evaluate("scenec.unfinished()")

    def state(self):
        """A description of the page for the message of a failed wait."""
        return self.page.evaluate("""() => {
          const { frame, rev, view, exact } = document.getElementById('film').dataset;
          return `frame ${frame} of revision ${rev}, view ${view}, exact ${exact}; unfinished: ${scenec.unfinished().join(', ') || 'nothing'}`;
        }""")

    def rest(self, n=None, rev=None):
        """Waits for the exact frame, and until the page has no work left."""
        picture = "#film[data-exact=true]"
        if n is not None:
            picture += f'[data-frame="{n}"]'
        if rev is not None:
            picture += f'[data-rev="{rev}"]'
        self.wait("(picture) => document.querySelector(picture)", picture)
        return self.settled()

    def pixels(self):
        """Width, height, and RGBA pixels of the canvas."""
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
        return got[0], got[1], base64.b64decode(got[2])

    def shows(self, channel, value):
        """Waits until a channel of the pixel at (1, 1) has this value in the exact frame."""
        self.wait("""([channel, value]) => {
          const film = document.getElementById('film');
          return film.dataset.exact === 'true' && film.getContext('2d').getImageData(1, 1, 1, 1).data[channel] === value;
        }""", [channel, value])

    def text(self, selector):
        """The visible text of an element."""
        return self.page.inner_text(selector)

    def frame(self):
        return int(self.page.inner_text("#frame")[1:])

    def revision(self):
        """The revision of the frame that the page shows."""
        return int(self.page.get_attribute("#film", "data-rev"))

    def knows(self, revision):
        """Waits until the server has announced a revision, or a later one, and no errors after it. It needs
        no timer of the page."""
        until(lambda: self.page.evaluate("scenec.revision()") >= revision and "errors" not in self.unfinished(),
              lambda: f"revision {revision} without errors; {self.state()}")

    def quiet(self, passed=""):
        """Fails if the browser reported an error, except those that contain `passed`."""
        assert self.page.evaluate("violations") == []
        assert [it for it in self.errors if not passed or passed not in it] == []


@pytest.fixture
def tab(browser):
    contexts = []

    def make(width=1280, height=800, clock=False, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        if clock:
            context.clock.install()
        return Tab(context.new_page())

    yield make
    for it in contexts:
        it.close()
