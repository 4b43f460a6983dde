# SPDX-License-Identifier: MIT
"""Saves a scene with a clip and sound while `scenec watch` builds it: saves.py SCENEC [COUNT] [SEED]

Valid and invalid texts are saved by every method that editors use, at random times. After every tenth save, the
video must become byte-identical to the output of `scenec build`. From a hundred saves on, memory and open files
at the end are compared with those after the first tenth of the saves.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile
import wave

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from waiting import pause, until  # noqa: E402

CLIP = """scene { size: 640x360; fps: 25; for: 3s; background: linear-gradient(navy, teal)
  circle { radius: 40; fill: gold; position: (320 + 200 * wave(2s), 180) } audio { source: "tone.wav" } }"""


def film(pick, number):
    """Returns a unique random scene."""
    return f"""scene {{ size: 640x360; fps: 25; for: {pick.choice(["2s", "3s", "4s"])}; background: #102030
  video {{ source: "clip.mp4"; volume: {pick.randint(1, 9) / 10} }}
  text "{number}" {{ position: ({pick.randint(100, 500)}, 180 + 40 * wave(1s)); font-size: 60; fill: white }}
}}"""


def save(pick, path, text):
    way = pick.randrange(4)
    if way == 0:
        with open(path + "~", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + "~", path)
    elif way == 1:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    elif way == 2:
        # In two writes, as for a large file.
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:len(text) // 2])
            file.flush()
            pause(pick.random() * 0.01)
            file.write(text[len(text) // 2:])
    else:
        os.rename(path, path + "~")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def use(process):
    """The memory of a process and its children in MiB, and its numbers of open files and threads."""
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
    memory = 0
    for number in [str(process.pid)] + children.stdout.split():
        try:
            with open(f"/proc/{number}/smaps_rollup", encoding="ascii") as file:
                memory += sum(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        except OSError:
            pass
    return (memory / 1024, len(os.listdir(f"/proc/{process.pid}/fd")), len(os.listdir(f"/proc/{process.pid}/task")))


def has(path, wanted):
    try:
        with open(path, "rb") as file:
            return file.read() == wanted
    except FileNotFoundError:
        return False


def main():
    scenec, count = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["30"])[0])
    pick = random.Random(int((sys.argv[3:] or ["1"])[0]))
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        with wave.open("tone.wav", "wb") as file:
            file.setparams((1, 2, 48_000, 0, "NONE", ""))
            file.writeframes(b"".join(struct.pack("<h", (n * 220 % 48_000 - 24_000) // 4) for n in range(144_000)))
        with open("clip.scene", "w", encoding="utf-8") as file:
            file.write(CLIP)
        subprocess.run([scenec, "build", "clip.scene", "--quiet"], check=True)
        os.mkdir("film")
        os.rename("clip.mp4", "film/clip.mp4")
        path, log = "film/a.scene", open("log", "w+", encoding="utf-8")
        save(random.Random(1), path + "~", film(pick, 0))
        os.replace(path + "~", path)
        watch = subprocess.Popen(
            [scenec, "watch", "--no-preview", "--cache", "store", "-o", "watched.mp4", path], stdout=log, stderr=log)
        try:
            first = None
            for number in range(1, count + 1):
                pause(pick.random() ** 3)
                text = film(pick, number)
                isCompared = number % 10 == 0 or number == count
                if not isCompared and pick.random() < 0.2:
                    text = text.replace("position", "positon")
                save(pick, path, text)
                if not isCompared:
                    continue
                subprocess.run([scenec, "build", "--no-cache", "--quiet", "-o", "built.mp4", path], check=True)
                with open("built.mp4", "rb") as file:
                    wanted = file.read()
                try:
                    until(lambda: has("watched.mp4", wanted), f"the film of save {number}", interval=0.05)
                except AssertionError as late:
                    log.seek(0)
                    print(f"{late}:\n{text}\n{log.read()[-3000:]}")
                    return 1
                if number * 10 >= count and first is None:
                    first = use(watch)
            last = use(watch)
        finally:
            watch.terminate()
            watch.wait()
    isFlat = count < 100 or (last[0] <= first[0] * 1.1 and last[1:] == first[1:])
    print(f"{count} saves: each tenth became the film that 'build' makes; memory {first[0]:.0f} MiB, then {last[0]:.0f}; "
          f"open files {first[1]}, then {last[1]}; threads {first[2]}, then {last[2]}")
    return 0 if isFlat else 1


if __name__ == "__main__":
    sys.exit(main())
