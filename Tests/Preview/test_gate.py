# SPDX-License-Identifier: MIT
"""Other sites and other users of the machine have no access."""
import contextlib
import http.server
import socket
import subprocess
import threading
from urllib.parse import urlsplit

import pytest
from conftest import LIMIT


def answer(server, request):
    """The status and the bytes of the response to raw bytes; status 0 if the connection closed without a response."""
    data = b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as s:
        # The server may have closed the connection already.
        with contextlib.suppress(OSError):
            s.sendall(request)
            # The end of the input makes the server close a connection that it would otherwise keep open.
            s.shutdown(socket.SHUT_WR)
        try:
            while more := s.recv(65536):
                data += more
        except ConnectionError:
            pass
    return (int(data.split(b" ", 2)[1]) if data.startswith(b"HTTP/") else 0), data


def request(server, method="GET", path=None, host=None, **headers):
    path = path if path is not None else urlsplit(server.url).path
    host = host if host is not None else f"127.0.0.1:{server.port}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    lines += [f"{k.replace('_', '-')}: {v}" for k, v in headers.items()]
    return ("\r\n".join(lines) + "\r\nConnection: close\r\n\r\n").encode()


def handshake(server, **headers):
    given = {
        "Origin": f"http://127.0.0.1:{server.port}", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "scenec.other", **headers,
    }
    given = {k: v for k, v in given.items() if v is not None}
    lines = [f"GET {urlsplit(server.url).path}ws HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Connection: Upgrade"]
    return ("\r\n".join(lines + [f"{k}: {v}" for k, v in given.items()]) + "\r\n\r\n").encode()


def frames(data):
    """The kind and content of each complete WebSocket frame; kind 8 closes the connection."""
    while len(data) >= 2:
        size, begin = data[1] & 127, 2
        if size >= 126:
            begin = 4 if size == 126 else 10
            size = int.from_bytes(data[2:begin], "big")
        if len(data) < begin + size:
            return
        yield data[0] & 15, data[begin:begin + size]
        data = data[begin + size:]


def test_the_gate(serve):
    server = serve()
    port = server.port
    base = urlsplit(server.url).path
    token = base.strip("/").split("/")[-1]
    status, whole = answer(server, request(server))
    assert status == 200
    for name in ("content-security-policy", "x-content-type-options", "cross-origin-opener-policy",
                 "cross-origin-resource-policy", "referrer-policy", "cache-control"):
        assert name.encode() in whole.lower(), name
    assert b"access-control" not in whole.lower() and b"set-cookie" not in whole.lower()
    assert answer(server, request(server, host=f"localhost:{port}"))[0] == 200

    refused = {f"host {h!r}": request(server, host=h) for h in [
        "evil.test", f"evil.test:{port}", "127.0.0.1", "127.0.0.1:1", f"127.0.0.2:{port}", f"127.1:{port}",
        f"0.0.0.0:{port}", f"[::1]:{port}", f"127.0.0.1:{port}.evil.test", f"127.0.0.1:{port}@evil.test", "",
        f"localhost.:{port}", f"LOCALHOST.evil:{port}"]}
    refused |= {f"path {p!r}": request(server, path=p) for p in [
        "/", "/p/", "/p/x/", f"/p/{token[:-1]}/", f"/p/{token}x/", f"/p/{token.swapcase()}/", f"/P/{token}/",
        base + "../", base + "ui/../index.html", base + "ui/..%2findex.html", base + "ui/%2e%2e/%2e%2e/etc/passwd",
        base + "ui//etc/passwd", base + "ui/main.js%00.css", base + "ui/" + "a" * 7000, base + "intro.scene",
        base + "ui/intro.scene", base + "still?view=main&rev=-1&n=0",
        base + "still?view=main&rev=1&n=-1", base + "still?view=main&rev=1&n=999999999999999999999", base + "still"]}
    refused |= {f"method {m}": request(server, method=m) for m in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"]}
    refused |= {f"site {s}": request(server, path=base + "ui/main.js", Sec_Fetch_Site=s) for s in ["cross-site", "same-site", "x"]}
    refused |= {f"origin {o}": request(server, path=base + "ui/main.js", Origin=o) for o in
                ["http://evil.test", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.test"]}
    refused |= {f"socket {h}": handshake(server, **h) for h in [
        {"Origin": None}, {"Origin": "null"}, {"Origin": "http://evil.test"}, {"Origin": f"http://127.0.0.1:{port + 1}"},
        {"Sec-WebSocket-Version": "8"}, {"Sec-WebSocket-Key": None}, {"Sec-WebSocket-Key": "short"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-WebSocket-Protocol": "scenec.other"}]}
    refused |= {
        "no host": f"GET {base} HTTP/1.1\r\n\r\n".encode(),
        "two hosts": f"GET {base} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.test\r\nConnection: close\r\n\r\n".encode(),
        "long header": request(server, X="a" * 20000),
        "no request": b"\x16\x03\x01\x02\x00\x01\x00" * 9 + b"\r\n\r\n",
    }
    assert len(refused) >= 54
    let_in = [name for name, it in refused.items() if answer(server, it)[0] in range(100, 300)]
    assert let_in == []
    assert answer(server, request(server))[0] == 200
    for gone in ["view=main&rev=99&n=0", "view=../x&rev=1&n=0"]:
        assert answer(server, request(server, path=base + "still?" + gone))[0] == 204


def test_other_pages_of_the_browser(serve, browser):
    """A page on a different port can neither read from the server nor open a socket."""
    server = serve()

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>other</title>")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{other.server_port}/")
        got = page.evaluate("""async (url) => {
          const out = {};
          const read = (name, it) => it.then((x) => { out[name] = x; }, () => { out[name] = 'refused'; });
          await read('fetch', fetch(url).then((r) => r.text()));
          await read('opaque', fetch(url + 'ui/main.js', { mode: 'no-cors' }).then((r) => r.type));
          await read('post', fetch(url, { method: 'POST', body: 'x' }).then((r) => r.status));
          await read('module', import(url + 'ui/time.js').then(() => 'loaded'));
          for (const [tag, name] of [['img', 'still?view=main&rev=1&n=0'], ['script', 'ui/main.js']]) {
            await read(tag, new Promise((done, fail) => {
              const it = document.createElement(tag);
              it.onload = () => done('loaded');
              it.onerror = fail;
              it.src = url + name;
              document.body.append(it);
            }));
          }
          await read('socket', new Promise((done, fail) => {
            const it = new WebSocket(url.replace('http', 'ws') + 'ws', 'scenec.x');
            it.onopen = () => done('open');
            it.onerror = fail;
          }));
          const frame = document.createElement('iframe');
          frame.src = url;
          // A refused frame loads an error page, which fires the same event.
          await new Promise((done) => { frame.onload = done; document.body.append(frame); });
          try { out.frame = frame.contentDocument ? 'empty' : 'closed'; } catch { out.frame = 'closed'; }
          return out;
        }""", server.url)
        page.close()
        other.shutdown()
    assert got.pop("frame") in ("closed", "empty")
    assert set(got.values()) == {"refused"}, got


def test_a_rebound_name(serve):
    server = serve()
    out = subprocess.run(
        ["/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=2000",
         "--host-resolver-rules=MAP evil.test 127.0.0.1", server.url.replace("127.0.0.1", "evil.test")],
        capture_output=True, text=True, timeout=LIMIT)
    assert 'name="build"' not in out.stdout


@pytest.mark.parametrize("bytes_", [
    b"\x81\x05hello", b"\x82\xff" + b"\xff" * 8, b"\x83\x80\0\0\0\0", b"\x81\x84\0\0\0\0\xff\xfe\xfd\xfc", b"\x80\x80\0\0\0\0",
    b"\x09\x80\0\0\0\0", b"\xf1\x80\0\0\0\0", b"\x88\x81\0\0\0\0x", b"\x81\xfe\xff\xff\0\0\0\0" + b"[" * 65535,
    b"\x81\x8c\0\0\0\0{\"id\":1e999}", b"\x81\x82\0\0\0\0[]",
], ids=lambda b: b[:6].hex())
def test_wrong_frames_close_the_socket_alone(serve, bytes_):
    """The server closes the socket, or continues with the next message."""
    server = serve()
    build = answer(server, request(server))[1]
    build = build.split(b'name="build" content="')[1].split(b'"')[0].decode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as s:
        s.sendall(handshake(server, **{"Sec-WebSocket-Protocol": "scenec." + build}))
        data = b""
        while b"\r\n\r\n" not in data:
            data += s.recv(4096)
        head, data = data.split(b"\r\n\r\n", 1)
        assert b" 101 " in head
        next_message = b'{"id":7,"do":"explain","code":"E0201"}'
        try:
            s.sendall(bytes_ + bytes([0x81, 0x80 | len(next_message), 0, 0, 0, 0]) + next_message)
            while not any(kind == 8 or b'"id":7' in text for kind, text in frames(data)):
                more = s.recv(65536)
                if not more:
                    break
                data += more
        except ConnectionError:
            pass
    assert server.process.poll() is None
    assert answer(server, request(server))[0] == 200
