# SPDX-License-Identifier: MIT
"""Shared definitions of the four benchmark scenes (Examples/bench-* are the same in scenec).
1920x1080, 30 fps, 300 frames. Pure math only: every tool's version imports this."""
import math, colorsys
W, H, FPS, N = 1920, 1080, 30, 300
TAU = 2 * math.pi
sin, cos = math.sin, math.cos
def clamp01(x): return 0.0 if x < 0 else 1.0 if x > 1 else x
def out_cubic(u): u = clamp01(u); return 1 - (1 - u) ** 3
def in_cubic(u): u = clamp01(u); return u ** 3
def hsv(h, s, v): return colorsys.hsv_to_rgb(h % 1.0, s, v)
# ---- S1 title card
S1_C0, S1_C1 = (0x1B/255, 0x2A/255, 0x49/255), (0x3A/255, 0x60/255, 0x73/255)
S1_LINES = [("Declarative Motion", 96, True, 480), ("A scene language for 2D motion graphics", 48, False, 600),
            ("benchmark scene S1: title card", 36, False, 680)]
def s1_line(i, t):
    """(alpha, dy) of line i at t"""
    if t < 5: e = out_cubic(t - 0.5 * i); return e, 60 * (1 - e)
    e = in_cubic(t - 8 - 0.5 * i); return 1 - e, -60 * e
# ---- S2 bezier flow
S2_BG = (0x10/255, 0x18/255, 0x20/255); S2_FILL = (1.0, 0xB7/255, 0x03/255, 0.8)
S2_COL = [hsv(i/40, .7, 1) for i in range(40)]
def s2_curve(i, t):
    return [(96 + 576*j + 120*sin(TAU*(0.10+0.013*i+0.05*j)*t + 0.7*i + 1.3*j),
             27*(i+0.5) + 160*sin(TAU*(0.13+0.007*i+0.03*j)*t + 0.9*i + 1.7*j)) for j in range(4)]
def s2_blob(t):
    """12 cubic segments: list of (c1, c2, p); starts at returned[-1].p"""
    P = []
    for k in range(12):
        a = TAU*k/12 + 0.2*t; r = 260 + 60*sin(TAU*(0.2+0.02*k)*t + k)
        P.append((960 + r*cos(a), 540 + r*sin(a)))
    segs = []
    for k in range(12):
        p0, p1, p2, p3 = P[k-1], P[k], P[(k+1) % 12], P[(k+2) % 12]
        segs.append(((p1[0]+(p2[0]-p0[0])/6, p1[1]+(p2[1]-p0[1])/6), (p2[0]-(p3[0]-p1[0])/6, p2[1]-(p3[1]-p1[1])/6), p2))
    return P[0], segs
# ---- S3 slideshow
PHOTOS = ["photos/p%d.jpg" % k for k in range(5)]
def s3_alpha(k, t): return 1.0 if k == 0 else clamp01((t - (2*k - 0.25)) / 0.5)
def s3_visible(t):
    """photo indexes to draw, bottom first"""
    top = max(k for k in range(5) if s3_alpha(k, t) > 0)
    return [top-1, top] if s3_alpha(top, t) < 1 and top > 0 else [top]
def s3_view(k, t):
    """(scale, cx, cy): source px -> output px scale; source point shown at the frame's center"""
    u = clamp01((t - (2*k - 0.25)) / 2.5)
    s = 0.9 + 0.2*u if k % 2 == 0 else 1.1 - 0.2*u
    d = 1 if k % 2 == 0 else -1
    return s, 1200 + d*100*(2*u-1), 800 + 60*(2*u-1)
# ---- S4 busy
S4_BG = (0xF4/255, 0xF1/255, 0xEA/255)
S4_CC = [hsv(i*0.618, .65, .9) for i in range(500)]
S4_RC = [hsv(i*0.618+0.3, .55, .8) for i in range(500)]
def s4_circle(i, t):
    """x, y, r, alpha"""
    return (960 + (200 + i*37 % 700)*sin(TAU*(0.05+0.0004*i)*t + i*2.399), 540 + (100 + i*53 % 380)*cos(TAU*(0.06+0.0003*i)*t + i*1.7),
            8 + i*7 % 25, 0.65 + 0.3*sin(TAU*0.5*t + i))
def s4_rect(i, t):
    """cx, cy, w, h, angle, alpha; corner radius 5"""
    return (960 + (150 + i*41 % 750)*cos(TAU*(0.04+0.0005*i)*t + i*1.9), 540 + (80 + i*59 % 420)*sin(TAU*(0.05+0.0004*i)*t + i*2.7),
            20 + i*11 % 41, 14 + i*13 % 31, TAU*(0.1+0.001*i)*t + i, 0.65 + 0.3*cos(TAU*0.4*t + i))
def s4_label(j, t):
    return 60 + (j % 10)*180 + 40*sin(TAU*0.3*t + j), 120 + (j//10)*210 + 40*cos(TAU*0.27*t + 1.3*j)
