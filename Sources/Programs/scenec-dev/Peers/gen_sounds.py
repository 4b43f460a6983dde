#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes the sounds of the manual and the examples: music at 120 beats per minute, and spoken
sentences. Requires numpy, ffmpeg and espeak-ng.

usage: gen_sounds.py ROOT-OF-THE-REPOSITORY
"""
import os
import subprocess
import sys
import wave

import numpy as np

RATE = 48000
BEAT = 0.5
CHORDS = [(57, 60, 64, 69), (53, 57, 60, 65), (48, 55, 60, 64), (55, 59, 62, 67)]


def frequency(note):
    return 440 * 2 ** ((note - 69) / 12)


def tone(note, seconds, decay, partials):
    t = np.arange(int(seconds * RATE)) / RATE
    sound = sum(
        level * np.sin(2 * np.pi * frequency(note) * (k + 1) * t) * np.exp(-t * decay * (1 + k))
        for k, level in enumerate(partials))
    rise = np.minimum(1, t / 0.004)
    return sound * rise * np.minimum(1, (seconds - t) / 0.02)


def kick():
    t = np.arange(int(0.25 * RATE)) / RATE
    return np.sin(2 * np.pi * (45 * t + 6 * (1 - np.exp(-t * 30)))) * np.exp(-t * 14)


def theme(bars):
    chance = np.random.default_rng(7)
    mix = np.zeros((int(bars * 4 * BEAT * RATE) + RATE, 2))

    def add(sound, at, level, pan):
        start = int(round(at * RATE))
        end = min(len(mix), start + len(sound))
        mix[start:end, 0] += sound[:end - start] * level * min(1, 1 - pan)
        mix[start:end, 1] += sound[:end - start] * level * min(1, 1 + pan)

    hat = chance.standard_normal(int(0.05 * RATE)) * np.exp(-np.arange(int(0.05 * RATE)) / 400)
    for bar in range(bars):
        chord = CHORDS[bar % len(CHORDS)]
        begin = bar * 4 * BEAT
        for beat in range(4):
            add(kick(), begin + beat * BEAT, 0.55, 0)
            add(hat, begin + (beat + 0.5) * BEAT, 0.05, 0.3)
        for step in range(8):
            note = chord[[0, 2, 1, 3, 2, 1, 3, 2][step]] + 12
            add(tone(note, 1.2, 4, (1, 0.35, 0.12)), begin + step * BEAT / 2, 0.13, (-1) ** step * 0.5)
        add(tone(chord[0] - 12, 4 * BEAT, 1.2, (1, 0.5, 0.2)), begin, 0.22, 0)
        for note in chord:
            add(tone(note, 4 * BEAT, 0.6, (1, 0.2)), begin, 0.05, 0)
    mix = mix[:int(bars * 4 * BEAT * RATE)]
    return mix / np.abs(mix).max() * 0.7


def encode(samples, path, bits):
    with wave.open("/dev/shm/sound.wav", "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", "/dev/shm/sound.wav", "-c:a", "libopus", "-b:a", bits,
         "-fflags", "+bitexact", "-map_metadata", "-1", path], check=True)
    os.remove("/dev/shm/sound.wav")


def voice(text, path):
    spoken = "/dev/shm/voice.wav"
    subprocess.run(["espeak-ng", "-v", "en-gb", "-s", "150", "-w", spoken, text], check=True)
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", spoken, "-ac", "1", "-c:a", "libopus", "-b:a", "32k",
         "-fflags", "+bitexact", "-map_metadata", "-1", path], check=True)
    os.remove(spoken)


ROOT = sys.argv[1]


def place(name):
    path = os.path.join(ROOT, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


encode(theme(8), place("Grammar/pictures/assets/theme.opus"), "56k")
voice("A boat crosses the bay. It takes ten seconds, and nobody is in a hurry.",
      place("Grammar/pictures/assets/voice.opus"))
encode(theme(4), place("Examples/narration/theme.opus"), "56k")
voice("Light takes eight minutes from the sun to the earth.", place("Examples/narration/one.opus"))
voice("To the nearest star it takes four years.", place("Examples/narration/two.opus"))
voice("And to the middle of our galaxy, twenty six thousand.",
      place("Examples/narration/three.opus"))
encode(theme(4), place("Examples/beat/theme.opus"), "56k")
encode(theme(4), place("Examples/demo/theme.opus"), "56k")
voice("Welcome back. Today we talk about tides: why the sea comes twice a day, "
      "and why it is never quite on time.", place("Examples/podcast/voice.opus"))
