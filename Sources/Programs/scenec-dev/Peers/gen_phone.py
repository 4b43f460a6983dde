#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Converts `Examples/phone/balloons.scene` to a clip like a phone recording: stored sideways with a rotation
matrix, and with uneven frame times. Requires ffmpeg.

usage: gen_phone.py SCENEC FOLDER
"""
import os
import subprocess
import sys

scenec, folder = sys.argv[1:]
upright, lying = ("/dev/shm/upright.mp4", "/dev/shm/lying.mp4")


def run(*words):
    subprocess.run(words, check=True)


run(scenec, "build", "--quiet", os.path.join(folder, "balloons.scene"), "-o", upright)
# In bright light, the sensor delivers every frame, in the dark every second one. Sometimes a frame is missing.
kept = "select=not(eq(mod(n\\,17)\\,5))*(lt(mod(n\\,90)\\,60)+not(mod(n\\,2)))"
run("ffmpeg", "-v", "error", "-y", "-i", upright, "-vf", kept + ",transpose=cclock", "-vsync", "vfr",
    "-enc_time_base", "1/90000", "-c:v", "libx264", "-preset", "slow", "-crf", "27", "-g", "30", lying)
run("ffmpeg", "-v", "error", "-y", "-i", lying, "-c", "copy", "-metadata:s:v:0", "rotate=270", "-fflags",
    "+bitexact", "-movflags", "+faststart", os.path.join(folder, "phone.mp4"))
for path in (upright, lying):
    os.remove(path)
