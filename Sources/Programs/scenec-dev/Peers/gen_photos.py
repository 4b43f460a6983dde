# SPDX-License-Identifier: MIT
"""Five deterministic 2400x1600 JPEGs (quality 90): 1/f noise + gradients + soft blobs + grain."""
import numpy as np, os
from PIL import Image
os.makedirs("photos", exist_ok=True)
w, h = 2400, 1600
for k in range(5):
    r = np.random.default_rng(1000 + k)
    fy, fx = np.meshgrid(np.fft.fftfreq(h), np.fft.rfftfreq(w), indexing="ij")
    f = np.sqrt(fx**2*(w/h)**0 + fy**2); f[0, 0] = 1
    chans = []
    base = np.fft.irfft2(np.exp(2j*np.pi*r.random(f.shape))/f**1.35, s=(h, w)); base /= base.std()
    yy, xx = np.mgrid[0:h, 0:w]
    for c in range(3):
        n = np.fft.irfft2(np.exp(2j*np.pi*r.random(f.shape))/f**1.5, s=(h, w)); n /= n.std()
        a = r.random(4)
        g = 110 + 70*np.sin(a[0]*6 + 3*a[1]*xx/w) + 50*(yy/h - .5)*(2*a[2]-1)*2
        img = g + 28*base + 14*n
        for b in range(6):
            bx, by, br = r.random()*w, r.random()*h, 80 + r.random()*260
            img += (60*r.random()-30)*1/(1+np.exp((np.hypot(xx-bx, yy-by)-br)/4))
        img += r.normal(0, 3.0, (h, w))
        chans.append(np.clip(img, 0, 255).astype(np.uint8))
    Image.fromarray(np.dstack(chans)).save("photos/p%d.jpg" % k, quality=90)
