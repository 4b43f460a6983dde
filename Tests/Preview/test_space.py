# SPDX-License-Identifier: MIT
"""Elements in space look as CSS 3D transforms do in Chromium."""
import math

import pytest
from conftest import frame
from PIL import Image, ImageChops, ImageStat

WIDTH, HEIGHT = 640, 360

# Each case is a scene and its equivalent in CSS. In CSS, everything inside the outermost element is in one space;
# elements of a scene are so with a rotation or a depth, hence `translate-z: 0`.


def rect(color, width, height, more=""):
    return f"rect {{ size: {width}x{height};  fill: {color};  {more} }}\n"


def box(color, width, height, transform, more="", inside="", left=None, top=None):
    left = (WIDTH - width) / 2 if left is None else left
    top = (HEIGHT - height) / 2 if top is None else top
    return (f'<div style="left:{left}px;top:{top}px;width:{width}px;height:{height}px;background:{color};'
            f'transform:{transform};{more}">{inside}</div>')


def plain(color, width, height, scene, css):
    return rect(color, width, height, scene), box(color, width, height, css)


SIDES = [("#e63946", ""), ("#457b9d", "rotate-y: 90deg"), ("#2a9d8f", "rotate-y: 180deg"),
         ("#f4a261", "rotate-y: 270deg"), ("#9b5de5", "rotate-x: 90deg"), ("#f15bb5", "rotate-x: -90deg")]


def cube(turn, css):
    scene = "".join(
        f"group {{ size: 160x160;  {side};  rect {{ size: 100%;  fill: {color};  translate-z: 80 }} }}\n"
        for color, side in SIDES)
    html = "".join(
        box(color, 160, 160, (side.replace(": ", "(").replace("-y", "Y").replace("-x", "X") + ")" if side else "")
            + " translateZ(80px)", left=0, top=0)
        for color, side in SIDES)
    return f"group {{ size: 160x160;  {turn}\n{scene} }}", box("none", 160, 160, css, inside=html)


def group(size, properties, inside):
    return f"group {{ size: {size};  {properties}\n{inside} }}\n"


CASES = {
    "turned about y": plain("#e63946", 260, 180, "rotate-y: 30deg", "rotateY(30deg)"),
    "turned about x": plain("#e63946", 260, 180, "rotate-x: 60deg", "rotateX(60deg)"),
    "all three": plain(
        "#e63946", 260, 180, "rotate-x: 20deg;  rotate-y: 40deg;  rotate: 30deg",
        "rotateX(20deg) rotateY(40deg) rotateZ(30deg)"),
    "near": plain(
        "#2a9d8f", 100, 80, "translate-z: 500;  rotate-y: 35deg", "translateZ(500px) rotateY(35deg)"),
    "far": plain(
        "#2a9d8f", 400, 300, "translate-z: -900;  rotate-x: -40deg", "translateZ(-900px) rotateX(-40deg)"),
    "skew and scale": plain(
        "#457b9d", 260, 180, "rotate-y: 50deg;  skew: (20deg, 0deg);  scale: (1.3, 0.7)",
        "rotateY(50deg) skewX(20deg) scale(1.3, 0.7)"),
    "behind the eye": plain(
        "#e63946", 900, 200, "rotate-y: 80deg;  translate-z: 500", "translateZ(500px) rotateY(80deg)"),
    "pivot": (
        rect("#e63946", 200, 200, "pivot: bottom-left;  rotate-y: 50deg;  rotate-x: 20deg"),
        box("#e63946", 200, 200, "rotateX(20deg) rotateY(50deg)", "transform-origin:0 100%")),
    "crossing": (
        rect("#e63946", 260, 180, "rotate-y: 45deg") + rect("#457b9d", 260, 180, "rotate-y: -45deg"),
        box("#e63946", 260, 180, "rotateY(45deg)") + box("#457b9d", 260, 180, "rotateY(-45deg)")),
    "three crossing": (
        rect("#e63946", 200, 180, "rotate-y: 60deg") + rect("#457b9d", 200, 180, "rotate-y: -60deg")
        + rect("#2a9d8f", 200, 180, "translate-z: 0"),
        box("#e63946", 200, 180, "rotateY(60deg)") + box("#457b9d", 200, 180, "rotateY(-60deg)")
        + box("#2a9d8f", 200, 180, "translateZ(0)")),
    "order": (
        rect("#e63946", 260, 180, "translate-z: 60;  rotate-y: 20deg")
        + rect("#457b9d", 300, 120, "translate-z: -60") + rect("#f4a261", 120, 300, "translate-z: 0"),
        box("#e63946", 260, 180, "translateZ(60px) rotateY(20deg)")
        + box("#457b9d", 300, 120, "translateZ(-60px)") + box("#f4a261", 120, 300, "translateZ(0)")),
    "backs": (
        rect("#e63946", 260, 180, "rotate-y: 150deg;  backface: hidden")
        + rect("#457b9d", 100, 100, "rotate-y: 60deg;  backface: hidden"),
        box("#e63946", 260, 180, "rotateY(150deg)", "backface-visibility:hidden")
        + box("#457b9d", 100, 100, "rotateY(60deg)", "backface-visibility:hidden")),
    "mirrored back": (
        rect("#e63946", 260, 180, "rotate-y: 30deg;  scale: (-1, 1);  backface: hidden"),
        box("#e63946", 260, 180, "rotateY(30deg) scaleX(-1)", "backface-visibility:hidden")),
    "cube": cube("rotate-x: -25deg;  rotate-y: 35deg", "rotateX(-25deg) rotateY(35deg)"),
    "cube from below": cube(
        "rotate-x: 50deg;  rotate-y: -70deg;  rotate: 20deg", "rotateX(50deg) rotateY(-70deg) rotateZ(20deg)"),
    "linear gradient": (
        "rect { size: 300x200;  fill: linear-gradient(#ff8a3d, #1b6ca8, angle: 0deg);  mixing: srgb;  "
        "rotate-y: 55deg;  corner-radius: 40 }",
        box("linear-gradient(90deg,#ff8a3d,#1b6ca8)", 300, 200, "rotateY(55deg)", "border-radius:40px")),
    "radial gradient": (
        "rect { size: 300x200;  fill: radial-gradient(#fff, #000, radius: 100);  mixing: srgb;  rotate-x: 55deg }",
        box("radial-gradient(circle 100px,#fff,#000)", 300, 200, "rotateX(55deg)")),
    "ring": (
        "circle { radius: 120;  fill: none;  stroke: #e63946;  stroke-width: 24;  rotate-x: 60deg }",
        '<svg width="300" height="300" style="position:absolute;left:170px;top:30px;transform:rotateX(60deg)">'
        '<circle cx="150" cy="150" r="120" fill="none" stroke="#e63946" stroke-width="24"/></svg>'),
    "blur": (
        rect("#e63946", 200, 160, "filter: blur(12);  rotate-y: 55deg"),
        box("#e63946", 200, 160, "rotateY(55deg)", "filter:blur(12px)")),
    "shadow": (
        rect("#e63946", 200, 160, "shadow: shadow(offset: (20, 20), blur: 24, color: #000);  rotate-y: 55deg"),
        box("#e63946", 200, 160, "rotateY(55deg)", "box-shadow:20px 20px 24px #000")),
    "two deep": (
        group("300x220", "rotate-y: 40deg", rect("#1d3557", 300, 220) + group(
            "160x120", "rotate-x: 50deg;  translate-z: 60",
            rect("#e63946", 160, 120) + "circle { radius: 40;  fill: #fff;  translate-z: 40 }")),
        box("#1d3557", 300, 220, "rotateY(40deg)", inside=box(
            "#e63946", 160, 120, "translateZ(60px) rotateX(50deg)", left=70, top=50,
            inside=box("#fff", 80, 80, "translateZ(40px)", "border-radius:40px", left=40, top=20)))),
    "own eye": (
        group("300x220", "perspective: 300;  perspective-origin: (20%, 30%)",
              rect("#e63946", 200, 150, "rotate-y: 50deg")),
        box("none", 300, 220, "none", "perspective:300px;perspective-origin:20% 30%;transform-style:flat",
            inside=box("#e63946", 200, 150, "rotateY(50deg)", left=50, top=35))),
    "own eye, turned": (
        group("300x220", "perspective: 300;  rotate-x: 40deg",
              rect("#e63946", 200, 150, "rotate-y: 50deg")),
        box("none", 300, 220, "rotateX(40deg)", "perspective:300px;transform-style:flat",
            inside=box("#e63946", 200, 150, "rotateY(50deg)", left=50, top=35))),
    "scaled group": (
        group("200x200", "scale: 1.4;  rotate: 20deg", rect("#457b9d", 160, 160, "rotate-y: 60deg")),
        box("none", 200, 200, "rotate(20deg) scale(1.4)",
            inside=box("#457b9d", 160, 160, "rotateY(60deg)", left=20, top=20))),
    "faded plane": (
        group("240x240", "rotate-y: 50deg;  opacity: 0.5",
              rect("#e63946", 240, 240) + "circle { radius: 100;  fill: #457b9d }"),
        box("#e63946", 240, 240, "rotateY(50deg)", "opacity:.5",
            inside=box("#457b9d", 200, 200, "none", "border-radius:100px", left=20, top=20))),
    "clipped plane": (
        group("240x240", "rotate-x: 50deg;  clip { circle { radius: 120 } }",
              rect("#e63946", 240, 240) + rect("#457b9d", 60, 300)),
        box("#e63946", 240, 240, "rotateX(50deg)", "border-radius:120px;overflow:hidden",
            inside=box("#457b9d", 60, 300, "none", left=90, top=-30))),
    "blended plane": (
        rect("#f4a261", 640, 360) + rect("#457b9d", 240, 240, "rotate-x: 50deg;  blend: multiply"),
        box("#f4a261", 640, 360, "none", f"perspective:{WIDTH + HEIGHT}px;transform-style:flat",
            inside=box("#457b9d", 240, 240, "rotateX(50deg)", "mix-blend-mode:multiply"))),
    "carousel": (
        "repeat { copies: 8;  step-rotate-y: 45deg;  rotate-x: -20deg\n"
        "rect { size: 100x130;  fill: hsl(index * 45deg, 60%, 50%);  translate-z: 220 } }",
        box("none", 100, 130, "rotateX(-20deg)", inside="".join(
            box(f"hsl({45 * n},60%,50%)", 100, 130, f"rotateY({45 * n}deg) translateZ(220px)", left=0, top=0)
            for n in range(8)))),
    "photo near": ('image "photo.png" { rotate-y: 30deg }', '<img src="photo.png" style="transform:rotateY(30deg)">'),
    "photo steep": ('image "photo.png" { rotate-y: 75deg }', '<img src="photo.png" style="transform:rotateY(75deg)">'),
    "photo far": (
        'image "photo.png" { translate-z: -3000;  rotate-x: 30deg }',
        '<img src="photo.png" style="transform:translateZ(-3000px) rotateX(30deg)">'),
}


def drawn(tmp_path, scene):
    (tmp_path / "a.scene").write_text(f"scene {{\nsize: {WIDTH}x{HEIGHT};  for: 1s;  background: white\n{scene}\n}}\n")
    return Image.open(frame(tmp_path / "a.scene", 0, tmp_path / "a.png")).convert("RGB")


def shown(tmp_path, page, html):
    (tmp_path / "a.html").write_text(f"""<!doctype html>
<style>
  body {{ margin: 0; background: white }}
  div {{ position: absolute; transform-style: preserve-3d }}
  img {{ position: absolute; left: 120px; top: 50px }}
  .eye {{ left: 0; top: 0; width: {WIDTH}px; height: {HEIGHT}px; overflow: hidden; transform-style: flat;
          perspective: {WIDTH + HEIGHT}px }}
  .space {{ left: 0; top: 0; width: {WIDTH}px; height: {HEIGHT}px }}
</style>
<div class="eye"><div class="space">{html}</div></div>""")
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    page.goto((tmp_path / "a.html").as_uri())
    page.screenshot(path=tmp_path / "c.png")
    return Image.open(tmp_path / "c.png").convert("RGB")


def likeness(a, b):
    """Returns the peak signal-to-noise ratio of two images, in decibels."""
    squares = [rms * rms for rms in ImageStat.Stat(ImageChops.difference(a, b)).rms]
    mean = sum(squares) / len(squares)
    return 99 if mean == 0 else 10 * math.log10(255 * 255 / mean)


@pytest.fixture(scope="module")
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", CASES)
def test_planes_look_as_in_css(name, tmp_path, page):
    scene, html = CASES[name]
    photo = Image.radial_gradient("L").resize((400, 260))
    Image.merge("RGB", [photo, ImageChops.offset(photo, 90, 40), ImageChops.invert(photo)]).save(tmp_path / "photo.png")
    found = likeness(drawn(tmp_path, scene), shown(tmp_path, page, html))
    assert found >= 40, f"{name}: {found:.1f} dB"


@pytest.mark.parametrize("turn", [20, 45, 60])
def test_text_is_as_sharp_as_unturned_text(turn, tmp_path, page):
    # Chromium's gamma for text differs even without a rotation.
    def compare(degrees):
        scene = f'text "Depth of field" {{ font: "DejaVu Sans";  font-size: 60;  fill: #111;  rotate-y: {degrees}deg }}'
        html = (f'<div style="left:0;top:0;width:{WIDTH}px;height:{HEIGHT}px;display:flex;align-items:center;'
                f'justify-content:center;font:60px DejaVu Sans;line-height:normal;color:#111;'
                f'transform:rotateY({degrees}deg)"><span>Depth of field</span></div>')
        return likeness(drawn(tmp_path, scene), shown(tmp_path, page, html))

    flat, turned = compare(0), compare(turn)
    assert turned >= flat - 2, f"{turned:.1f} dB, {flat:.1f} dB without a rotation"
