# SPDX-License-Identifier: MIT
"""Hand-written pycairo + ffmpeg pipe. pycairo_scene.py S1|S2|S3|S4|tiny OUT [frames]   OUT: file.mp4, null (draw only), raw:FILE (yuv420p)"""
import sys, os, math, subprocess
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scenes_math import *
import cairo
scene, out = sys.argv[1], sys.argv[2]
n = int(sys.argv[3]) if len(sys.argv) > 3 else N
w, h = W, H
if scene == "tiny": w, h, n = 320, 180, 1
surf = cairo.ImageSurface(cairo.FORMAT_RGB24, w, h); c = cairo.Context(surf)
def font(size, bold=False): c.select_font_face("DejaVu Sans", 0, 1 if bold else 0); c.set_font_size(size)
def S1(t):
    c.set_source(grad); c.paint()
    for i, (s, size, b, y) in enumerate(S1_LINES):
        a, dy = s1_line(i, t)
        if a <= 0: continue
        font(size, b); e = c.text_extents(s)
        c.move_to(960 - e.x_advance/2, y + dy); c.set_source_rgba(1, 1, 1, a); c.show_text(s)
def S2(t):
    c.set_source_rgb(*S2_BG); c.paint(); c.set_line_width(3)
    for i in range(40):
        p = s2_curve(i, t); c.move_to(*p[0]); c.curve_to(*p[1], *p[2], *p[3]); c.set_source_rgb(*S2_COL[i]); c.stroke()
    p0, segs = s2_blob(t); c.move_to(*p0)
    for a, b, p in segs: c.curve_to(*a, *b, *p)
    c.close_path(); c.set_source_rgba(*S2_FILL); c.fill()
def S3(t):
    for k in s3_visible(t):
        a = s3_alpha(k, t); s, cx, cy = s3_view(k, t)
        c.save(); c.translate(960, 540); c.scale(s, s); c.translate(-cx, -cy)
        c.set_source_surface(photos[k]); c.get_source().set_filter(cairo.FILTER_BILINEAR); c.paint_with_alpha(a); c.restore()
        c.set_source_rgba(0, 0, 0, 0.5*a); c.rectangle(72, 924, 560, 84); c.fill()
        font(48); c.set_source_rgba(1, 1, 1, a); c.move_to(96, 984); c.show_text("Photograph %d of 5" % (k+1))
def S4(t):
    c.set_source_rgb(*S4_BG); c.paint()
    for i in range(500):
        x, y, r, a = s4_circle(i, t); c.arc(x, y, r, 0, TAU); c.set_source_rgba(*S4_CC[i], a); c.fill()
    for i in range(500):
        x, y, rw, rh, an, a = s4_rect(i, t)
        c.save(); c.translate(x, y); c.rotate(an); x0, y0, x1, y1, R = -rw/2, -rh/2, rw/2, rh/2, 5
        c.arc(x1-R, y0+R, R, -math.pi/2, 0); c.arc(x1-R, y1-R, R, 0, math.pi/2); c.arc(x0+R, y1-R, R, math.pi/2, math.pi); c.arc(x0+R, y0+R, R, math.pi, 1.5*math.pi)
        c.close_path(); c.restore(); c.set_source_rgba(*S4_RC[i], a); c.fill()
    font(20); c.set_source_rgb(0.13, 0.13, 0.13)
    for j in range(50): c.move_to(*s4_label(j, t)); c.show_text("Label %02d" % j)
def tiny(t): c.set_source_rgb(.2, .3, .6); c.paint(); font(24); c.move_to(20, 100); c.set_source_rgb(1, 1, 1); c.show_text("Hello")
if scene == "S1":
    grad = cairo.LinearGradient(0, 0, W, H); grad.add_color_stop_rgb(0, *S1_C0); grad.add_color_stop_rgb(1, *S1_C1)
if scene == "S3":
    from PIL import Image
    photos = []
    for f in PHOTOS:
        im = Image.open(f).convert("RGBA"); r, g, b, a = im.split()
        photos.append(cairo.ImageSurface.create_for_data(bytearray(Image.merge("RGBA", (b, g, r, a)).tobytes()), cairo.FORMAT_RGB24, im.width, im.height))
draw = globals()[scene]
if out == "null": pipe = None
else:
    enc = ["-f", "rawvideo", "-pix_fmt", "yuv420p", out[4:]] if out.startswith("raw:") else \
          ["-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", out]
    pipe = subprocess.Popen(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{w}x{h}", "-r", "30", "-i", "-", *enc], stdin=subprocess.PIPE)
for f in range(n):
    draw(f/FPS); surf.flush()
    if pipe: pipe.stdin.write(surf.get_data())
if pipe: pipe.stdin.close(); sys.exit(pipe.wait())
