# SPDX-License-Identifier: MIT
"""Compiles the pixel kernels in several ways and compares the digests of their results."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PIXELS = os.path.join(HERE, "..", "..", "Sources", "C", "CPixels")
SOURCES = [os.path.join(HERE, "digests.c")] + [os.path.join(PIXELS, f"{name}.c") for name in ("Program", "Warp", "Gradient", "CPixels", "Blur", "Blurred", "Flash", "Light", "Over")]

# AVX2 is selected by the dispatch of the program itself. Even with FMA enabled, the sources disable contraction.
WAYS = {
    "clang -O3, dispatched": ["clang", "-O3"],
    "clang -O3, SSE2": ["clang", "-O3", "-DSCENE_PORTABLE"],
    "clang -O3, AVX2 and FMA": ["clang", "-O3", "-DSCENE_PORTABLE", "-mavx2", "-mfma"],
    "clang -O0": ["clang", "-O0", "-DSCENE_PORTABLE"],
    "gcc -O2": ["gcc", "-O2", "-DSCENE_PORTABLE", "-ffp-contract=off"],
    "gcc -O0": ["gcc", "-O0", "-DSCENE_PORTABLE", "-ffp-contract=off"],
}


def digests(command, folder):
    program = os.path.join(folder, "digests")
    subprocess.run([*command, "-w", f"-I{PIXELS}/include", *SOURCES, "-lm", "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        wanted = digests(WAYS["clang -O3, dispatched"], folder)
        for name, command in WAYS.items():
            found = digests(command, folder)
            wrong = [f"{a} instead of {b}" for a, b in zip(found, wanted) if a != b]
            passed += not wrong
            failed += bool(wrong)
            for it in wrong:
                print(f"{name}: {it}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
