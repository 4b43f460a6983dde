#!/usr/bin/env python3
"""Writes the four stems of the reel as Opus files: drums, bass, keys and pad, at 120 beats per minute.

Each stem is a loop of 8 bars (16 s). The scene places the loops and moves their volume. The script is
deterministic: all noise comes from one seed. It requires numpy and ffmpeg.
"""
import pathlib
import subprocess
import wave

import numpy

RATE = 48000
BEAT = 0.5
BARS = 8
LENGTH = int(BARS * 4 * BEAT * RATE)
HERE = pathlib.Path(__file__).parent
noise = numpy.random.default_rng(7)

# One chord for every two bars, as MIDI notes: A minor 9, F major 7, C add 9, G 6.
CHORDS = [(57, 60, 64, 71), (53, 57, 60, 64), (48, 55, 62, 64), (55, 59, 62, 64)]
ROOTS = [33, 29, 36, 31]


def pitch(note):
    return 440 * 2 ** ((note - 69) / 12)


def seconds(length):
    return numpy.arange(int(length * RATE)) / RATE


def place(track, sound, at, gain=1.0):
    """Adds a sound to a stereo loop; its tail wraps around to the beginning."""
    if sound.ndim == 1:
        sound = numpy.stack([sound, sound])
    indices = (int(at * RATE) + numpy.arange(sound.shape[1])) % LENGTH
    track[:, indices] += gain * sound


def low_pass(sound, cutoff):
    spectrum = numpy.fft.rfft(sound)
    frequencies = numpy.fft.rfftfreq(sound.shape[-1], 1 / RATE)
    return numpy.fft.irfft(spectrum / (1 + (frequencies / cutoff) ** 4), sound.shape[-1])


def room(track, length=2.2, share=0.3):
    """A reverberation: the circular convolution with decaying noise, different on both sides."""
    at = seconds(length)
    wet = numpy.zeros_like(track)
    for side in range(2):
        tail = numpy.zeros(LENGTH)
        tail[: len(at)] = noise.standard_normal(len(at)) * numpy.exp(-3.2 * at / length)
        tail = low_pass(tail, 3200)
        tail /= numpy.sqrt((tail**2).sum())
        wet[side] = numpy.fft.irfft(numpy.fft.rfft(track[side]) * numpy.fft.rfft(tail), LENGTH)
    return track * (1 - share) + wet * share


def duck(track, depth):
    """Lowers a stem after every kick, as a compressor with a side chain does."""
    phase = (numpy.arange(LENGTH) / RATE) % (2 * BEAT) / BEAT
    return track * (1 - depth * numpy.exp(-4.5 * phase))


def kick():
    at = seconds(0.4)
    sweep = 2 * numpy.pi * (46 * at + 70 / 34 * (1 - numpy.exp(-34 * at)))
    return numpy.sin(sweep) * numpy.exp(-9 * at) * numpy.minimum(1, at / 0.002)


def hat(length):
    at = seconds(0.12)
    hiss = noise.standard_normal(len(at))
    return (hiss - low_pass(hiss, 7000)) * numpy.exp(-at / length)


def clap():
    at = seconds(0.3)
    hiss = low_pass(noise.standard_normal(len(at)), 2600)
    return hiss * (numpy.exp(-22 * at) + 0.5 * numpy.exp(-90 * numpy.abs(at - 0.018)))


def drums():
    track = numpy.zeros((2, LENGTH))
    for beat in range(BARS * 4):
        if beat % 2 == 0:
            place(track, kick(), beat * BEAT, 0.8)
        else:
            place(track, clap(), beat * BEAT, 0.16)
        place(track, hat(0.03), (beat + 0.5) * BEAT, 0.10)
        for step in (0.25, 0.75):
            place(track, hat(0.014), (beat + step) * BEAT, 0.035)
        if beat % 8 == 6:
            place(track, kick(), (beat + 1.5) * BEAT, 0.45)
    return room(track, 0.7, 0.12)


def bass():
    track = numpy.zeros((2, LENGTH))
    for bar in range(BARS):
        root = ROOTS[bar // 2]
        for beat, length, step in ((0, 0.7, 0), (1.5, 0.4, 0), (2.5, 0.4, 12), (3, 0.6, 7)):
            at = seconds(length)
            tone = pitch(root + step)
            body = sum(numpy.sin(2 * numpy.pi * tone * h * at) / h**1.7 for h in range(1, 7))
            shape = numpy.minimum(1, at / 0.008) * numpy.minimum(1, (length - at) / 0.08)
            place(track, low_pass(body * shape * numpy.exp(-1.6 * at), 700), (bar * 4 + beat) * BEAT, 0.34)
    return duck(track, 0.55)


def pluck(note, length=1.6):
    at = seconds(length)
    tone = pitch(note)
    bend = 1.8 * numpy.exp(-7 * at) * numpy.sin(2 * numpy.pi * 2 * tone * at)
    return numpy.sin(2 * numpy.pi * tone * at + bend) * numpy.exp(-3.4 * at) * numpy.minimum(1, at / 0.004)


def keys():
    track = numpy.zeros((2, LENGTH))
    order = [0, 2, 1, 3, 2, 3, 1, 2]
    for bar in range(BARS):
        chord = CHORDS[bar // 2]
        for step, choice in enumerate(order):
            if (bar + step) % 5 == 4:
                continue
            side = 0.35 + 0.3 * ((step * 3 + bar) % 4) / 3
            sound = pluck(chord[choice] + 12)
            place(track, numpy.stack([sound * (1 - side), sound * side]), (bar * 4 + step / 2) * BEAT, 0.3)
    return room(track, 2.4, 0.42)


def pad():
    track = numpy.zeros((2, LENGTH))
    for part in range(4):
        at = seconds(4.8)
        shape = numpy.minimum(1, at / 0.9) * numpy.minimum(1, (4.8 - at) / 0.9)
        for k, note in enumerate(CHORDS[part]):
            for side, detune in ((0, -0.04), (1, 0.04)):
                tone = pitch(note + detune)
                body = sum(numpy.sin(2 * numpy.pi * tone * h * at + k) / h**2 for h in range(1, 6))
                sound = numpy.zeros((2, len(at)))
                sound[side] = body * shape
                place(track, sound, part * 4, 0.07)
    return duck(room(track, 2.8, 0.5), 0.4)


def write(name, track):
    track = numpy.clip(track * 0.5 / numpy.abs(track).max(), -1, 1)
    raw = HERE / f"{name}.wav"
    with wave.open(str(raw), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((track.T * 32767).astype("<i2").tobytes())
    subprocess.run(
        ["ffmpeg", "-y", "-loglevel", "error", "-i", raw, "-c:a", "libopus", "-b:a", "56k", "-map_metadata", "-1",
         "-fflags", "+bitexact", "-flags:a", "+bitexact", HERE / f"{name}.opus"], check=True)
    raw.unlink()


for stem in (drums, bass, keys, pad):
    write(stem.__name__, stem())
