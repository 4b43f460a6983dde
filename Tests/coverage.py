# SPDX-License-Identifier: MIT
"""coverage.py LLVM-COV PROFILE FOLDER [TARGET]: prints the percentage of executed lines for each shipped target, from
the programs and the tests in FOLDER. With a target, it prints the lines of that target that did not run. It
fails if less than 90% of all lines ran."""
import collections
import glob
import json
import os
import re
import subprocess
import sys

GOAL = 0.9
# Tools for development, and a target without code.
UNSHIPPED = {"scenec-dev", "SceneFuzz", "Programs"}
PROGRAMS = ["scenec", "scenec-render", "scenec-decode", "scenec-clip", "scenec-dev", "scenec-simulate"]


def objects(folder):
    paths = [os.path.join(folder, name) for name in ["scenecPackageTests.xctest", *PROGRAMS]]
    first, *others = [path for path in paths if os.path.exists(path)]
    return [first, *(word for path in others for word in ("-object", path))]


def missed(tool, profile, folder, target):
    """Prints each file of a target with the lines that did not run."""
    shown = subprocess.run(
        [tool, "show", "-instr-profile", profile, *objects(folder), "--sources",
         *glob.glob(f"Sources/*/{target}")],
        capture_output=True, text=True, check=True).stdout
    for line in shown.splitlines():
        if line.endswith(":") and "|" not in line:
            print(line)
        elif re.match(r" *\d+\| *0\|", line):
            number, _, text = line.split("|", 2)
            print(f"{number.strip():>5} {text}")


def main(tool, profile, folder):
    report = json.loads(subprocess.run(
        [tool, "export", "-summary-only", "-instr-profile", profile, *objects(folder)],
        capture_output=True, text=True, check=True).stdout)
    targets = collections.defaultdict(lambda: [0, 0])
    for file in report["data"][0]["files"]:
        found = re.search(r"/Sources/[^/]+/([^/]+)/", file["filename"])
        if not found or found[1] in UNSHIPPED or "/.build/" in file["filename"]:
            continue
        lines = file["summary"]["lines"]
        targets[found[1]][0] += lines["covered"]
        targets[found[1]][1] += lines["count"]
    covered, count = (sum(it[place] for it in targets.values()) for place in (0, 1))
    for name, (part, whole) in sorted(targets.items()):
        print(f"{name:18} {whole:6} lines {whole - part:6} missed {100 * part / whole:6.1f} %")
    print(f"{'all':18} {count:6} lines {count - covered:6} missed {100 * covered / count:6.1f} %")
    if covered < GOAL * count:
        sys.exit(f"less than {GOAL:.0%} of the lines ran")


if __name__ == "__main__":
    if len(sys.argv) == 5:
        missed(*sys.argv[1:])
    else:
        main(*sys.argv[1:])
