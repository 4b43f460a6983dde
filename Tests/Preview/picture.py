# SPDX-License-Identifier: MIT
"""Takes the screenshot of the page for Grammar/PREVIEW.md: run.sh picture."""
import os
import shutil
import tempfile
from pathlib import Path

from conftest import ROOT, Server, Tab, launch
from playwright.sync_api import sync_playwright


def main():
    with tempfile.TemporaryDirectory() as folder:
        runtime = Path(folder, "run")
        runtime.mkdir(mode=0o700)
        film = Path(folder, "demo")
        shutil.copytree(ROOT / "Examples/demo", film)
        server = Server(film / "scene.scene", runtime=runtime)
        try:
            with sync_playwright() as p:
                browser = launch(p)
                tab = Tab(browser.new_page(viewport={"width": 1200, "height": 760}, color_scheme="dark"))
                tab.open(server.url + os.environ.get("AT", "#t=2.6&sel=demo/opening-part/heading"))
                tab.page.screenshot(path=ROOT / "Grammar/pictures/preview.png")
                browser.close()
        finally:
            server.stop()


main()
