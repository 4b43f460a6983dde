# SPDX-License-Identifier: MIT
"""A check that is too slow for a test: memory does not grow over thousands of saves, with a tab that follows and a
client that reads nothing. `soak.py COUNT`."""
import base64
import os
import re
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from conftest import SCENE, Server, Tab, launch, until
from playwright.sync_api import sync_playwright

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000


def resident(process):
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def deaf(server):
    """A client that requests many frames and reads none."""
    it = socket.create_connection(("127.0.0.1", server.port))
    path = server.url.split(str(server.port), 1)[1]
    build = re.search(r'name="build" content="([^"]*)"', page_text(server))[1]
    it.sendall((
        f"GET {path}ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Protocol: scenec.{build}\r\n\r\n"
    ).encode())
    for n in range(200):
        text = f'{{"id":{n + 1},"do":"frame","view":"main","n":{n % 100},"width":640,"for":"play"}}'.encode()
        length = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126, len(text) >> 8, len(text) & 255])
        it.sendall(b"\x81" + length + b"\0\0\0\0" + text)
    return it


def page_text(server):
    with socket.create_connection(("127.0.0.1", server.port)) as it:
        path = server.url.split(str(server.port), 1)[1]
        it.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n".encode())
        data = b""
        while b"</html>" not in data:
            more = it.recv(65536)
            if not more:
                break
            data += more
        return data.decode()


def follow(tab, rev):
    """Waits until the page shows a later revision than `rev` and returns it."""
    tab.wait("(rev) => Number(document.getElementById('film').dataset.rev) > rev", rev)
    return tab.revision()


def main():
    folder = Path(tempfile.mkdtemp())
    scene = folder / "intro.scene"
    scene.write_text(SCENE)
    run = folder / "run"
    run.mkdir(mode=0o700)
    server = Server(scene, runtime=run)
    # Its output must be read, otherwise it blocks.
    threading.Thread(target=server.process.stdout.read, daemon=True).start()
    held, failed = [], ""
    with sync_playwright() as p:
        browser = launch(p)
        tab = Tab(browser.new_page())
        tab.open(server.url)
        held.append(deaf(server))
        began = time.monotonic()
        rev = 1
        for number in range(1, COUNT + 1):
            # Forty texts in rotation: with more of them, the frame cache would only reach its limit later.
            text = SCENE.replace("font-size: 40", f"font-size: {30 + number % 40}")
            new = folder / "new"
            new.write_text(text)
            new.replace(scene)
            rev = follow(tab, rev)
            if number == COUNT // 10:
                early = resident(server.process), descriptors(server.process)
        tab.rest()

        def is_flat():
            return resident(server.process) <= early[0] * 1.1 + 4 and descriptors(server.process) <= early[1] + 2

        try:
            until(is_flat, "memory and descriptors as they were")
        except AssertionError as error:
            failed = str(error)
        late = resident(server.process), descriptors(server.process)
        browser.close()
    server.process.terminate()
    server.process.wait(10)
    print(f"{COUNT} saves in {time.monotonic() - began:.0f} s: {early[0]:.1f} MiB and {early[1]} descriptors after a tenth, "
          f"{late[0]:.1f} MiB and {late[1]} at the end")
    if failed:
        sys.exit(f"memory or descriptors grew: {failed}")


main()
