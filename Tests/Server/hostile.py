# SPDX-License-Identifier: MIT
"""Sends invalid input to language servers, and checks that they still respond: hostile.py SCENEC TOOLS.

Each input is sent to a new server with an open text. The server survives if it then responds to a request and keeps
the connection open. Exits with 1 unless scenec survives all inputs.
"""
import json
import os
import sys
import tempfile

from client import Client, frame
from peers import all_peers


def raw(text):
    return text if isinstance(text, bytes) else text.encode()


def body(data):
    data = raw(data)
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def change(uri, changes, version=2):
    return frame({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": uri, "version": version}, "contentChanges": changes}})


def opened(uri, language, text):
    return frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
        "uri": uri, "languageId": language, "version": 3, "text": text}}})


def spot(line, character):
    return {"line": line, "character": character}


def ask(method, params, number=900):
    return frame({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def inputs(uri, language):
    """Twenty-one hostile inputs, each with a name."""
    deep = "[" * 100_000
    nested = {"scene": "scene { rect { size: " + "(" * 50_000, "c": "int x = " + "(" * 50_000,
              "python": "x = " + "(" * 50_000, "toml": "x = " + "[" * 50_000}[language]
    note = {"jsonrpc": "2.0", "method": "$/none", "params": {}}
    other = frame(note).replace(b"Content-Length", b"content-length").replace(b"\r\n", b"\n", 2)
    return [
        ("headers in other letters, ended by LF", other),
        ("a header that is unknown", b"Content-Type: application/vim-jsonrpc\r\n" + frame(note)),
        ("a negative length", b"Content-Length: -5\r\n\r\n"),
        ("a length of twenty-one digits", b"Content-Length: 999999999999999999999\r\n\r\n"),
        ("a length that is a word", b"Content-Length: many\r\n\r\n"),
        ("20 kB that are no header", b"y" * 20_000 + b"\r\n\r\n"),
        ("a body that is no JSON", body("{]}")),
        ("a body that is cut short", body('{"jsonrpc": "2.0", "id": 7, "method": "textDocument')),
        ("a list of requests", body(json.dumps([note, note]))),
        ("null", body("null")),
        ("100 000 brackets", body('{"method":"x","params":' + deep + "}")),
        ("a method that is a number", body('{"jsonrpc":"2.0","id":8,"method":4,"params":{}}')),
        ("parameters of other types", ask("textDocument/hover", {"textDocument": 3, "position": []})),
        ("half a surrogate in a text",
         body('{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"'
              + uri + '","version":2},"contentChanges":[{"text":"a\\ud83d b"}]}}')),
        ("bytes that are no UTF-8",
         body(b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"'
              + uri.encode() + b'","version":2},"contentChanges":[{"text":"a\xff\xfe b"}]}}')),
        ("places beyond the text and turned around",
         change(uri, [{"range": {"start": spot(9999, 9999), "end": spot(0, 3)}, "text": "x"}])),
        ("places below zero",
         change(uri, [{"range": {"start": spot(-4, -9), "end": spot(0, -1)}, "text": "x"}])),
        ("changes of a text that is not open", change("file:///none/such." + language, [{"text": "x"}])),
        ("a second opening, with zeros and lone CRs", opened(uri, language, "a\0b\rc\r\n\0" * 500)),
        ("50 000 open brackets", opened(uri, language, nested)),
        ("a text of 20 MB", opened(uri, language, "# a line of words\n" * 1_150_000)),
    ]


def survives(peer, number):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "film." + peer.ending)
        text = peer.text(60)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        client = Client(peer.command, folder)
        try:
            if client.start(folder) is None:
                return False
            uri = "file://" + path
            client.open(uri, peer.language, text)
            client.write(inputs(uri, peer.language)[number][1])
            # The check of that text may take long, so the request is about a different text.
            second = os.path.join(folder, "other." + peer.ending)
            with open(second, "w", encoding="utf-8") as file:
                file.write(text)
            client.open("file://" + second, peer.language, text)
            answer = client.ask(
                "textDocument/documentSymbol", {"textDocument": {"uri": "file://" + second}})
            return bool(answer) and bool(answer.get("result")) and not client.closed
        finally:
            client.kill()


def main():
    scenec, tools = sys.argv[1], os.path.abspath(sys.argv[2])
    wanted = sys.argv[3:]
    failed = False
    names = [name for name, _ in inputs("file:///x", "scene")]
    for peer in all_peers(os.path.abspath(scenec), tools):
        if (wanted and peer.name not in wanted) or not peer.is_here:
            continue
        lost = [name for number, name in enumerate(names) if not survives(peer, number)]
        print(f"{peer.name}: {len(names) - len(lost)} of {len(names)} survived", flush=True)
        for name in lost:
            print(f"  not {name}")
        failed = failed or (peer.name == "scenec" and bool(lost))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
