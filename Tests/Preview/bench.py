# SPDX-License-Identifier: MIT
"""Measures the latency of the preview, from a save in the editor to the display: medians and 95th percentiles.

Latencies are measured in the page, up to the animation frame after an image is drawn. `make bench-preview` prints
them. With `--check`, the script fails above twice the limits, which leaves a margin for busy machines.
"""
import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from conftest import ROOT, Server, Tab, launch
from playwright.sync_api import sync_playwright

SCENES = {"S1": "bench-title", "S2": "bench-flow", "S4": "bench-busy"}
# Medians in ms; for `play`, the displayed frames per second.
BARS = {("save", "S1"): 35, ("save", "S4"): 90, ("scrub", "S1"): 16, ("rest", "S1"): 210, ("open", "S1"): 350,
        ("play", "S1"): 30, ("play", "S2"): 30, ("play", "S4"): 24}


def ninety_five(values):
    return sorted(values)[int(len(values) * 0.95)]


class Messages:
    """The times that the server reports with revisions and images, in milliseconds."""

    def __init__(self, page):
        self.read, self.drawn = {}, {}
        page.on("websocket", lambda socket: socket.on("framereceived", self.take))

    def take(self, message):
        if isinstance(message, bytes):
            size = int.from_bytes(message[:4], "big")
            head = json.loads(message[4:4 + size])
            self.drawn.setdefault(head["rev"], head.get("ms"))
        else:
            head = json.loads(message)
            if head.get("event") == "rev":
                self.read[head["rev"]] = head["ms"]
            elif "same" in head:
                # The page already has the image.
                self.drawn.setdefault(head["rev"], {"lower": 0, "draw": 0, "encode": 0})


def saves(tab, scene, count=30):
    """The latencies from a save to the display, and their parts."""
    text = scene.read_text()
    out, parts = [], []
    messages = Messages(tab.page)
    tab.page.reload()
    tab.wait("painted.length")
    tab.settled()
    for i in range(count):
        # A comment changes the text, but not the work.
        rev = tab.revision()
        new = re.sub(r"\n}\s*$", f"\n    // {i}\n}}\n", text)
        begun = time.time() * 1000
        scene.write_text(new)
        tab.wait("(rev) => painted.some((p) => p.rev > rev)", arg=rev)
        it = tab.page.evaluate("(rev) => painted.find((p) => p.rev > rev)", rev)
        out.append(it["shown"] - begun)
        tab.settled()
        read, drawn = messages.read.get(it["rev"]), messages.drawn.get(it["rev"])
        if read and drawn:
            part = {"read": read["read"], "check": read["check"],
                    "draw": drawn["lower"] + drawn["draw"] + drawn["encode"], "paint": it["shown"] - it["drawn"]}
            # The remainder: the file notification, the wait for a thread, and the transfer to the page.
            parts.append(part | {"send": out[-1] - sum(part.values())})
    print("  ".join(f"{name} {median(part[name] for part in parts):.1f}" for name in (parts or [{}])[0])
          + f" ms: the parts of {len(parts)} of {count} saves", file=sys.stderr)
    return out


def scrubs(tab, count=40):
    box = tab.page.locator("#ruler").bounding_box()
    y = box["y"] + 8
    out = []
    tab.page.mouse.move(box["x"] + 4, y)
    tab.page.mouse.down()
    tab.page.evaluate("""() => addEventListener('pointermove', (e) => {
      window.moved = performance.timeOrigin + e.timeStamp;
      painted.length = 0;
    }, true)""")
    for i in range(1, count):
        tab.page.mouse.move(box["x"] + 4 + (i * 0.618 % 1) * box["width"] * 0.95, y)
        tab.wait("painted.length")
        out.append(tab.page.evaluate("painted[0].shown - moved"))
        tab.settled()
    tab.page.mouse.up()
    return out


def rests(tab, count=10):
    """The latency of the exact frame after a step. Steps go back and forth, so that a short video does not end."""
    tab.page.keyboard.press("Home")
    tab.rest()
    out = []
    for i in range(count):
        tab.page.evaluate("painted.length = 0")
        begun = tab.page.evaluate("performance.timeOrigin + performance.now()")
        tab.page.keyboard.press("Shift+ArrowLeft" if i % 2 else "Shift+ArrowRight")
        tab.wait("painted.some((p) => p.exact)")
        out.append(tab.page.evaluate("painted.find((p) => p.exact).shown") - begun)
    return out


def plays(tab, seconds=5):
    tab.page.keyboard.press("Home")
    tab.rest()
    out = []
    for _ in range(2):
        begun = tab.page.evaluate("(painted.length = 0, performance.now())")
        tab.page.keyboard.press("Space")
        tab.wait("(end) => performance.now() > end", begun + seconds * 1000)
        tab.page.keyboard.press("k")
        shown = tab.page.evaluate("painted.filter((p) => !p.exact).map((p) => p.at)")
        out.append((len(shown) - 1) / max(0.1, (shown[-1] - shown[0]) / 1000) if len(shown) > 1 else 0)
        tab.page.keyboard.press("Home")
        tab.rest()
    return out


def opens(tab, url, count=5):
    out = []
    for _ in range(count):
        tab.page.goto("about:blank")
        begun = time.time() * 1000
        tab.page.goto(url)
        tab.wait("painted.length")
        out.append(tab.page.evaluate("painted[0].shown") - begun)
    return out


def main():
    rows = []
    with sync_playwright() as p, tempfile.TemporaryDirectory() as folder:
        browser = launch(p)
        for name, example in SCENES.items():
            copy = Path(folder) / name
            shutil.copytree(ROOT / "Examples" / example, copy)
            run = copy / "run"
            run.mkdir(mode=0o700)
            server = Server(copy / "scene.scene", runtime=run)
            # The stage is 960 × 540 in this window.
            tab = Tab(browser.new_page(viewport={"width": 1568, "height": 1000}))
            try:
                rows.append(("open", name, opens(tab, server.url)))
                tab.open(server.url + "#t=1")
                rows.append(("save", name, saves(tab, server.scene)))
                rows.append(("scrub", name, scrubs(tab)))
                rows.append(("rest", name, rests(tab)))
                rows.append(("play", name, plays(tab)))
                print(f"{name}: picture {tab.page.inner_text('#scale')}", file=sys.stderr)
            finally:
                tab.page.close()
                server.stop()
        browser.close()
    failed = False
    for what, name, values in rows:
        bar = BARS.get((what, name))
        if what == "play":
            line = f"{what:6} {name}  first round {values[0]:5.1f}  second {values[1]:5.1f} pictures/s"
            bad = bar and values[1] < bar / 2
        else:
            line = f"{what:6} {name}  median {median(values):6.1f}  95 % {ninety_five(values):6.1f} ms"
            bad = bar and median(values) > 2 * bar
        print(line + (f"  bar {bar}" if bar else "") + ("  BEYOND TWICE" if bad else ""))
        failed = failed or bool(bad)
    return 1 if failed and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
