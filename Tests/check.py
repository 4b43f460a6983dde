# SPDX-License-Identifier: MIT
"""The runner behind check.sh. It prints a line for each part: its time on the clock and on the CPU, and how many
tests passed and failed. Only a failed part shows its output, followed by the command that runs it alone."""
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

SEED = 1


def parts(folder):
    """The parts by name, longest first. Every part has its own folders and ports, so any two of them can
    run at the same time."""
    scenec = os.path.join(folder, "scenec")
    python = ["/usr/bin/python3", "-B"]
    server = ["Tests/Server/run.sh", "test", scenec]
    return {
        "preview": ["Tests/Preview/run.sh"],
        "packages": ["Tests/Packages/test.sh", "build/static"],
        "storm": [*python, "Tests/Server/storm.py", scenec, "50000", str(SEED)],
        "clients": server,
        "formats": [os.path.join(folder, "scenec-dev"), "play", "formats"],
        "editors": [*server, "Tests/Editors", "-n", "2"],
        "saves": [*python, "Tests/Watch/saves.py", scenec, "30", str(SEED)],
        "action": ["Tests/Packages/action.sh", folder],
        "digests": [*python, "Tests/Digests/run.py"],
        "schemas": [*python, "Tests/Schemas/validate.py", scenec],
        "hostile": [*python, "Tests/Server/hostile.py", scenec, "-", "scenec"],
    }


def counts(output, status):
    """How many tests passed and failed, by the summary of pytest or of the part itself; a part without one is
    one test."""
    found = {"passed": 0, "failed": 0}
    for line in output.splitlines():
        if re.match(r"[=\d].*\b(passed|failed|errors?)\b.* in [\d.:]+", line):
            numbers = dict((kind, int(n)) for n, kind in re.findall(r"(\d+) (passed|failed|error)", line))
            found["passed"] += numbers.get("passed", 0)
            found["failed"] += numbers.get("failed", 0) + numbers.get("error", 0)
        elif it := re.search(r": (\d+) of (\d+) survived$", line):
            found["passed"] += int(it[1])
            found["failed"] += int(it[2]) - int(it[1])
        elif it := re.match(r"(\d+) passed, (\d+) failed$", line):
            found["passed"] += int(it[1])
            found["failed"] += int(it[2])
    if not any(found.values()):
        found["passed"] = int(status == 0)
    # A part that exits with an error has failed, whatever it printed.
    if status != 0:
        found["failed"] = max(1, found["failed"])
    return found["passed"], found["failed"]


class Run:
    """Takes parts from a list with two threads and prints their results."""

    def __init__(self, folder, names):
        self.all = parts(folder)
        self.waiting = list(names or self.all)
        self.lock = threading.Lock()
        self.passed = self.failed = 0
        self.environment = dict(os.environ, SCENEC_BIN=os.path.abspath(folder))

    def lane(self):
        while True:
            with self.lock:
                if not self.waiting:
                    return
                name = self.waiting.pop(0)
            self.part(name)

    def part(self, name):
        command = self.all[name]
        begun = time.monotonic()
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=self.environment)
            _, status, used = os.wait4(process.pid, 0)
            status = process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            output = log.read().decode(errors="replace")
        wall, cpu = time.monotonic() - begun, used.ru_utime + used.ru_stime
        passed, failed = counts(output, status)
        with self.lock:
            self.passed += passed
            self.failed += failed
            if failed:
                how = f"signal {-status}" if status < 0 else f"status {status}"
                print(f"{output.rstrip()}\n{name} ended with {how}; to run it alone: {' '.join(command)}")
            print(f"{name:9}{wall:6.1f} s wall {cpu:6.1f} s CPU   {passed} passed, {failed} failed", flush=True)


def main():
    folder, names = sys.argv[1], sys.argv[2:]
    begun = time.monotonic()
    unknown = [it for it in names if it not in parts(folder)]
    if unknown:
        sys.exit(f"unknown part {', '.join(unknown)}; there are {', '.join(parts(folder))}")
    run = Run(folder, names)
    lanes = [threading.Thread(target=run.lane) for _ in range(2)]
    for it in lanes:
        it.start()
    for it in lanes:
        it.join()
    print(f"{time.monotonic() - begun:.0f} s\n{run.passed} passed, {run.failed} failed")
    return 1 if run.failed else 0


if __name__ == "__main__":
    sys.exit(main())
