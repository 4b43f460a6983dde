# SPDX-License-Identifier: MIT
"""Sound, exports from the page, and outline points in the frame."""
import math
import struct
import wave

from conftest import SCENE

SOUND = SCENE.replace("    rect card {", """\
    audio tone {
        source: "tone.wav"
        at: 1s
    }
    rect card {""")

SHAPES = """\
scene intro {
    size: 640x360
    fps: 30
    for: 2s
    background: #203040

    path way {
        move (100, 100)
        curve (200, 50%), (300, 260), (500, 180)
        stroke: white
        stroke-width: 4
        fill: none
    }
    line rule {
        from: (80, 300)
        to: (560, 300)
        stroke: #ffd166
        stroke-width: 3
    }
    circle dot {
        radius: 20
        position: (60, 60)
        change { at: 0.5s; position: (580, 60); easing: cubic-bezier(0.2, 0, 0.4, 1) }
    }
}
"""


def tone(folder, seconds=2):
    with wave.open(str(folder / "tone.wav"), "wb") as it:
        it.setnchannels(1)
        it.setsampwidth(2)
        it.setframerate(48000)
        it.writeframes(b"".join(
            struct.pack("<h", int(16000 * math.sin(n / 48000 * 440 * 2 * math.pi))) for n in range(48000 * seconds)))


def test_a_film_with_sound_plays_with_it(serve, tab, tmp_path):
    tone(tmp_path)
    page = tab().open(serve(SOUND).url)
    page.page.wait_for_selector("#sound:not([hidden])")
    # The row of the sound shows its waveform, only where it is audible.
    page.page.wait_for_selector("#lives canvas.wave")
    page.wait("""(() => {
      const c = document.querySelector('#lives canvas.wave');
      if (!c) return false;
      const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
      return d.some((x, i) => i % 4 === 3 && x > 0);
    })()""")
    with page.page.expect_response(lambda r: "/sound?" in r.url) as heard:
        page.page.keyboard.press(" ")
    assert heard.value.status == 200
    assert heard.value.body()[:4] == b"RIFF"
    page.wait("Number(document.getElementById('frame').textContent.slice(1)) > 20")
    page.page.keyboard.press("m")
    page.page.wait_for_selector("#sound[aria-pressed=false]")
    page.page.keyboard.press(" ")
    page.quiet()


def test_a_silent_film_has_no_button_for_sound(serve, tab):
    page = tab().open(serve().url)
    assert page.page.locator("#sound").is_hidden()


def test_a_film_is_exported_and_shown(serve, tab):
    server = serve()
    page = tab().open(server.url)
    page.page.click("#export")
    page.page.click(".menu .item:has-text('As .webm')")
    page.page.wait_for_selector(".toast:has-text('intro.webm') .fix")
    assert (server.scene.parent / "intro.webm").stat().st_size > 1000
    page.page.click(".toast .fix")
    page.wait("document.querySelector('#player video')?.readyState >= 2")
    assert page.page.evaluate("Math.round(document.querySelector('#player video').duration * 10)") == 40
    page.page.keyboard.press("Escape")
    page.page.wait_for_selector("#player:not([open])", state="attached")
    page.quiet()


TEXTS = """\
    captions "talk.vtt" { language: "en";  label: "English" }
    description "A \\"red\\" boat" { at: 1.5s;  for: 2s }
    rect card {"""


def test_the_player_has_captions_and_descriptions(serve, tab, tmp_path):
    (tmp_path / "talk.vtt").write_text("WEBVTT\n\n00:00.500 --> 00:01.000\nHello\n")
    server = serve(SCENE.replace("    rect card {", TEXTS))
    page = tab().open(server.url)
    page.page.click("#export")
    page.page.click(".menu .item:has-text('As .webm')")
    page.page.wait_for_selector(".toast:has-text('intro.webm') .fix")
    # The texts are those of the exported video, whatever the scene contains now.
    (tmp_path / "talk.vtt").write_text("WEBVTT\n\n00:00.500 --> 00:01.000\nBye\n")
    server.scene.write_text(SCENE)
    page.settled(rev=2)
    page.page.click(".toast:has-text('intro.webm') .fix")
    page.wait("document.querySelector('#player video')?.readyState >= 2")
    page.page.evaluate("for (const it of document.querySelector('#player video').textTracks) it.mode = 'hidden'")
    page.wait("[...document.querySelectorAll('#player track')].every((it) => it.readyState === 2)")
    tracks = page.page.evaluate("""[...document.querySelector('#player video').textTracks].map((it) => [
      it.kind, it.language, it.label, [...it.cues].map((cue) => [cue.startTime, cue.endTime, cue.text])])""")
    assert tracks == [
        ["captions", "en", "English", [[0.5, 1, "Hello"]]],
        ["descriptions", "", "Audio description", [[1.5, 3.5, 'A "red" boat']]],
    ]
    page.page.keyboard.press("Escape")
    page.quiet()


def test_what_cannot_be_exported_says_why(serve, tab):
    page = tab().open(serve(SCENE.replace("640x360", "641x361")).url)
    page.page.click("#export")
    page.page.click(".menu .item:has-text('As .mp4')")
    page.page.wait_for_selector(".toast.bad:has-text('641x361')")


def pull(page, x, y, dx, dy):
    """Drags the object at a position of the frame."""
    box = page.page.locator("#film").bounding_box()
    size = page.page.evaluate("document.getElementById('facts').textContent.split(' · ')[0].split(' × ').map(Number)")
    k = box["width"] / size[0]
    mouse = page.page.mouse
    mouse.move(box["x"] + x * k, box["y"] + y * k)
    mouse.down()
    mouse.move(box["x"] + (x + dx) * k, box["y"] + (y + dy) * k, steps=8)
    mouse.up()


def test_points_of_an_outline_are_dragged(serve, tab):
    server = serve(SHAPES)
    page = tab().open(server.url + "#sel=intro/way")
    pull(page, 300, 260, -40, 20)
    text = SHAPES.replace("(300, 260)", "(260, 280)")
    server.holds(text)
    page.settled(rev=2)
    # A percentage remains a percentage.
    pull(page, 200, 180, 0, 36)
    text = text.replace("(200, 50%)", "(200, 60%)")
    server.holds(text)
    page.settled(rev=3)
    page.page.goto(server.url + "#sel=intro/rule")
    page.page.reload()
    page.rest()
    pull(page, 560, 300, -60, -100)
    server.holds(text.replace("to: (560, 300)", "to: (500, 200)"))
    page.quiet()


def test_the_handles_of_a_curve(serve, tab):
    server = serve(SHAPES)
    page = tab().open(server.url + "#sel=intro/dot/change")
    box = page.page.locator("canvas.bezier").bounding_box()
    mouse = page.page.mouse
    # The first handle is at 0.2 of the width, at the bottom of the square.
    mouse.move(box["x"] + 0.2 * 160, box["y"] + 40 + 160)
    mouse.down()
    mouse.move(box["x"] + 0.7 * 160, box["y"] + 40 + 160 - 32, steps=8)
    mouse.up()
    server.holds(SHAPES.replace("0.2, 0, 0.4, 1", "0.7, 0.2, 0.4, 1"))
    page.settled(rev=2)
    page.page.locator("canvas.bezier").focus()
    page.page.keyboard.press("ArrowLeft")
    server.holds(SHAPES.replace("0.2, 0, 0.4, 1", "0.69, 0.2, 0.4, 1"))
    page.quiet()


def test_a_marker_is_dragged(serve, tab):
    text = SCENE.replace("    rect card {", """\
    marker chorus {
        at: 2s
        title: "The chorus"
    }
    rect card {""")
    server = serve(text)
    page = tab().open(server.url)
    box = page.page.locator("#markers .flag").bounding_box()
    second = page.page.locator("#ruler").bounding_box()["width"] / (4 * 1.02)
    mouse = page.page.mouse
    mouse.move(box["x"] + 5, box["y"] + 5)
    mouse.down()
    mouse.move(box["x"] + 5 + second / 2, box["y"] + 5, steps=8)
    mouse.up()
    server.holds(text.replace("at: 2s", "at: 2.5s"))
    page.quiet()


def test_another_size_and_rate_are_a_view_of_its_own(serve, tab):
    server = serve()
    page = tab().open(server.url)
    page.page.click("#facts")
    page.page.click(".menu .item:has-text('1080 × 1080')")
    page.wait("document.getElementById('facts').textContent.startsWith('1080 × 1080')")
    page.page.click("#facts")
    page.page.click(".menu .item:has-text('60 fps')")
    page.wait("document.getElementById('facts').textContent.includes('60 fps')")
    page.wait("location.hash.includes('size=1080x1080') && location.hash.includes('rate=60-1')")
    page.page.reload()
    page.wait("document.getElementById('facts').textContent.startsWith('1080 × 1080 · 60 fps')")
    assert server.scene.read_text() == SCENE
    page.quiet()


def test_the_sound_is_heard_while_the_playhead_is_moved(serve, tab, tmp_path):
    tone(tmp_path)
    page = tab()
    page.page.add_init_script("""
      window.heard = [];
      const start = AudioBufferSourceNode.prototype.start;
      AudioBufferSourceNode.prototype.start = function (...of) { heard.push(of); return start.apply(this, of); };
    """)
    page.open(serve(SOUND).url)
    ruler = page.page.locator("#ruler").bounding_box()
    second = ruler["width"] / (4 * 1.02)
    mouse = page.page.mouse

    def scrub():
        mouse.move(ruler["x"] + 0.5 * second, ruler["y"] + 8)
        mouse.down()
        for i in range(20):
            mouse.move(ruler["x"] + (0.5 + i / 10) * second, ruler["y"] + 8)
            page.settled()
        mouse.up()

    scrub()
    assert page.page.evaluate("heard.length") == 0, "it is off by itself"
    page.page.click("#scrubs")
    page.page.wait_for_selector("#scrubs[aria-pressed=true]")
    scrub()
    moments = page.page.evaluate("heard")
    assert len(moments) > 3
    assert all(abs(length - 0.06) < 1e-6 and 0 <= at < 2 for _, at, length in moments), moments
    page.page.keyboard.press("Shift+M")
    page.page.wait_for_selector("#scrubs[aria-pressed=false]")
    page.quiet()
