# SPDX-License-Identifier: MIT
"""Kate's highlighter colors a scene with Editors/kate/scene.xml."""
import os
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCENE = """// 😀 a comment
let brand = #ff8800
scene {
    for: 2s
    rect card { size: 100x50;  opacity: 0 -> 1 over 500ms }
    text "Hi {brand}" { font-size: 40 }
}
"""


def colours(tmp_path, text):
    """The highlighting style of each word of a scene."""
    syntax = tmp_path / ".local/share/org.kde.syntax-highlighting/syntax"
    syntax.mkdir(parents=True)
    shutil.copy(ROOT / "Editors/kate/scene.xml", syntax)
    film = tmp_path / "film.scene"
    film.write_text(text, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment.update(HOME=str(tmp_path), QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    page = subprocess.run(
        ["kate-syntax-highlighter", "--output-format", "html", str(film)], env=environment,
        timeout=60, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout
    found = {}
    for style, part in re.findall(r'<span style="([^"]*)">(.*?)</span>', page, re.DOTALL):
        for word in unescape(re.sub("<[^>]*>", "", part)).split():
            found.setdefault(word, set()).add(style)
    return found


def test_a_scene_has_its_colours(tmp_path):
    found = colours(tmp_path, SCENE)
    kinds = [
        ["size", "opacity", "font-size", "for"], ["rect"], ["2s", "500ms", "40"], ["#ff8800"],
        ["let", "over"], ['"Hi'], ["//", "comment"],
    ]
    styles = []
    for words in kinds:
        own = {style for word in words for style in found[word]}
        assert len(own) == 1, words
        styles += own
    assert len(set(styles)) == len(styles), styles
