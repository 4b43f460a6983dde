# SPDX-License-Identifier: MIT
"""The measured servers, each with generated texts of its language, of any number of lines."""
import os
import shutil

HERE = os.path.dirname(os.path.abspath(__file__))


class Peer:
    def __init__(self, name, command, language, ending, text, hover, complete):
        self.name, self.command, self.language, self.ending = name, command, language, ending
        self.text, self.hover, self.complete = text, hover, complete

    @property
    def is_here(self):
        return shutil.which(self.command[0]) is not None


def scene(lines):
    head = ["let wide = 420", "fn sway(p: time, a: number) -> number = a * wave(p)", "scene film {",
            "    for: 60s"]
    body = []
    while len(head) + len(body) + 8 < lines:
        k = len(body) // 8
        body += [
            f"    rect card{k} {{",
            f"        at: {k % 50}s",
            "        for: 4s",
            f"        size: (wide / 2 + {k % 90}, 160)",
            f"        position: ({k % 19 * 100}, {k % 10 * 100})",
            "        fill: mix(#ff8a3d, steelblue, 0.5)",
            "        opacity: 0 -> 1 over 1s with ease-out",
            "    }",
        ]
    return "\n".join(head + body + ["}", ""])


def c(lines):
    head = ["#include <stddef.h>", "static int wide = 420;"]
    body = []
    while len(head) + len(body) + 8 < lines:
        k = len(body) // 8
        body += [
            f"int card{k}(int at, int length) {{",
            f"  int size = wide / 2 + {k % 90};",
            f"  int place = at * {k % 19 + 1};",
            "  if (length > size) place += length;",
            "  for (int i = 0; i < size; i++) place += i;",
            "  return place;",
            "}",
            "",
        ]
    return "\n".join(head + body + [""])


def python(lines):
    head = ["import math", "wide = 420"]
    body = []
    while len(head) + len(body) + 8 < lines:
        k = len(body) // 8
        body += [
            f"def card{k}(at: int, length: int) -> int:",
            f"    size = wide // 2 + {k % 90}",
            f"    place = at * {k % 19 + 1}",
            "    if length > size:",
            "        place += length",
            "    place += int(math.sqrt(size))",
            "    return place",
            "",
        ]
    return "\n".join(head + body + [""])


def toml(lines):
    body = ["wide = 420"]
    while len(body) + 8 < lines:
        k = len(body) // 8
        body += [
            f"[cards.card{k}]",
            f"at = {k % 50}",
            "for = 4",
            f"size = [{k % 90}, 160]",
            f"place = {{ x = {k % 19}, y = {k % 10} }}",
            'fill = "#ff8a3d"',
            "opacity = [0.0, 1.0]",
            "",
        ]
    return "\n".join(body + [""])


def all_peers(scenec, tools):
    """`tools` is the folder with the programs from PyPI."""
    def tool(name):
        own = os.path.join(tools, name)
        return own if os.path.exists(own) else name
    return [
        Peer("scenec", [scenec, "lsp"], "scene", "scene", scene, "wide", "(wide"),
        Peer("clangd", ["clangd", "--log=error"], "c", "c", c, "wide", "wide /"),
        Peer("ty", [tool("ty"), "server"], "python", "py", python, "wide", "wide //"),
        Peer("tombi", [tool("tombi"), "lsp"], "toml", "toml", toml, "wide", "wide ="),
    ]
