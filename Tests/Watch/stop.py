# SPDX-License-Identifier: MIT
"""Measures how long a save waits for the previous build to stop: stop.py SCENEC EXAMPLE …

`scenec watch` renders an example without a cache while its file is saved twenty times at random times. Two times
are measured from each save: until the file is read again, and until the last thread of the previous build has
ended, which completes the frame that it is encoding. Exits with 1 if half of the saves wait longer than 50 ms.
"""
import ctypes
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from waiting import pause, until  # noqa: E402

IN_OPEN = 0x20
libc = ctypes.CDLL(None, use_errno=True)


def opened(events, name, seconds):
    """The time at which a file with this name is opened next; None if it is not."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0 and select.select([events], [], [], left)[0]:
        now, data = time.perf_counter(), os.read(events, 1 << 16)
        while data:
            length = struct.unpack("iIII", data[:16])[3]
            if data[16:16 + length].rstrip(b"\0").decode() == name:
                return now
            data = data[16 + length:]
    return None


def threads(process):
    return set(os.listdir(f"/proc/{process.pid}/task"))


def gone(process, workers, since):
    """The time until these threads have ended, in milliseconds."""
    until(lambda: not workers & threads(process), "the end of the older build", interval=0.001)
    return 1000 * (time.perf_counter() - since)


def measure(scenec, example, pick):
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "film")
        shutil.copytree(example, folder)
        path = os.path.join(folder, "scene.scene")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        events = libc.inotify_init1(os.O_NONBLOCK)
        libc.inotify_add_watch(events, folder.encode(), IN_OPEN)
        watch = subprocess.Popen(
            [scenec, "watch", "--no-preview", "--no-cache", "-o", os.path.join(place, "film.mp4"), path],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times, ends, before = [], [], None
        try:
            opened(events, "scene.scene", 10)
            for number in range(20):
                pause(1 + pick.random())
                while select.select([events], [], [], 0)[0]:
                    os.read(events, 1 << 16)
                new = os.path.join(folder, "new~")
                with open(new, "w", encoding="utf-8") as file:
                    file.write(f"{text}\n// {number}\n")
                running = threads(watch)
                saved = time.perf_counter()
                os.rename(new, path)
                moment = opened(events, "scene.scene", 10)
                times.append(1000 * (moment - saved) if moment else float("inf"))
                # Threads that also existed before the last save are not workers of the build.
                if before is not None:
                    ends.append(gone(watch, running - before, saved))
                before = running
        finally:
            watch.terminate()
            watch.wait()
            os.close(events)
        return sorted(times), sorted(ends)


def main():
    isGood = True
    for example in sys.argv[2:]:
        times, ends = measure(os.path.abspath(sys.argv[1]), example, random.Random(1))
        isGood = isGood and times[len(times) // 2] <= 50
        print(f"{os.path.basename(example):12} a save is read within {times[len(times) // 2]:.1f} ms while an older "
              f"one is built (median of {len(times)}; longest {times[-1]:.1f} ms; at most 50), whose threads end "
              f"within {ends[len(ends) // 2]:.1f} ms (longest {ends[-1]:.1f} ms)")
    return 0 if isGood else 1


if __name__ == "__main__":
    sys.exit(main())
