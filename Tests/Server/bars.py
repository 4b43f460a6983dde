# SPDX-License-Identifier: MIT
"""Compares language servers through pipes: bars.py SCENEC TOOLS [LINES…].

Prints for each server and size: the milliseconds from a change to its diagnostics, the CPU time, the latency of
completion, hover, semantic tokens and symbols (median and 95th percentile), and the memory of all processes.
"""
import json
import os
import statistics
import sys
import tempfile
import time

from client import Client, cpu, memory
from peers import all_peers

ROUNDS = int(os.environ.get("ROUNDS", "200"))


def place(text, word):
    """The position of the last occurrence of a word in the first half of a text."""
    index = text.rfind(word, 0, max(len(text) // 2, text.find(word) + len(word)))
    line = text.count("\n", 0, index)
    return {"line": line, "character": index - (text.rfind("\n", 0, index) + 1) + 1}


def spread(values):
    values = sorted(values)
    if not values:
        return "—"
    late = values[min(len(values) - 1, int(len(values) * 0.95))]
    return f"{statistics.median(values):.1f} / {late:.1f}"


def timed(client, method, params, rounds):
    found, size = [], 0
    for _ in range(rounds):
        begun = time.perf_counter()
        moment, answer = client.wait(client.begin(method, params), 30)
        if not answer or "error" in answer:
            return [], 0
        found.append((moment - begun) * 1000)
    return found, len(json.dumps(answer.get("result"), separators=(",", ":")))


def measure(peer, lines):
    text = peer.text(lines)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "film." + peer.ending)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        begun = time.perf_counter()
        client = Client(peer.command, folder)
        if client.start(folder) is None:
            return {"start": "no answer"}
        rows = {"start": f"{(time.perf_counter() - begun) * 1000:.0f}"}
        uri = "file://" + path
        client.open(uri, peer.language, text)
        pushes = client.diagnostics(uri, 1, seconds=20) is not None
        document = {"uri": uri}
        # Typing in a name: a letter is inserted, then deleted.
        spot = place(text, peer.hover)
        late, version, before = [], 1, cpu(client.process.pid)
        rounds = ROUNDS if lines <= 1000 else max(20, ROUNDS // 5)
        for turn in range(rounds):
            version += 1
            end = dict(spot)
            if turn % 2:
                end["character"] += 1
            now = time.perf_counter()
            client.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": {"start": spot, "end": end},
                                    "text": "" if turn % 2 else "q"}]})
            if pushes:
                found = client.diagnostics(uri, version, after=now)
                if found is None:
                    break
                late.append((found[0] - now) * 1000)
            else:
                moment, answer = client.wait(client.begin(
                    "textDocument/diagnostic", {"textDocument": document}), 30)
                if not answer or "error" in answer:
                    break
                late.append((moment - now) * 1000)
        rows["change → diagnostics"] = spread(late)
        if late:
            rows["its CPU"] = f"{(cpu(client.process.pid) - before) * 1000 / len(late):.0f}"
        questions = [
            ("completion", "textDocument/completion",
             {"textDocument": document, "position": place(text, peer.complete)}),
            ("hover", "textDocument/hover", {"textDocument": document, "position": spot}),
            ("semantic tokens", "textDocument/semanticTokens/full", {"textDocument": document}),
            ("symbols", "textDocument/documentSymbol", {"textDocument": document}),
            ("formatting", "textDocument/formatting",
             {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}}),
            ("rename", "textDocument/rename",
             {"textDocument": document, "position": spot, "newName": "other"}),
        ]
        for name, method, params in questions:
            found, size = timed(client, method, params, rounds // 2)
            rows[name] = spread(found)
            if name == "completion" and found:
                rows["completion, KB"] = f"{size / 1000:.0f}"
        rows["memory, MiB"] = f"{memory(client.process.pid)[0]:.0f}"
        client.end()
        return rows


def main():
    scenec, tools = sys.argv[1], os.path.abspath(sys.argv[2])
    sizes = [int(it) for it in sys.argv[3:]] or [300, 1000, 10000]
    peers = all_peers(os.path.abspath(scenec), tools)
    for peer in [it for it in peers if not it.is_here]:
        print(f"{peer.name} is not installed")
    peers = [it for it in peers if it.is_here]
    for lines in sizes:
        found = [(peer.name, measure(peer, lines)) for peer in peers]
        names = list(dict.fromkeys(name for _, rows in found for name in rows))
        print(f"\n{lines} lines, ms (median / 95 %)")
        print(f"{'':24}" + "".join(f"{name:>18}" for name, _ in found))
        for name in names:
            print(f"{name:24}" + "".join(f"{rows.get(name, '—'):>18}" for _, rows in found), flush=True)


if __name__ == "__main__":
    main()
