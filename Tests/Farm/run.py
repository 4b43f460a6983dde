#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Renders a video on a Slurm cluster of two nodes on this machine, with Examples/farm/slurm.sh.

    run.py FOLDER_OF_PROGRAMS [SECONDS]

One task is killed while it renders, and requeued by Slurm. The video must be byte-identical to one that a
single machine renders, and the join must find every segment in the cache.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from waiting import until  # noqa: E402

PROGRAMS = Path(sys.argv[1]).resolve()
LENGTH = sys.argv[2] if len(sys.argv) > 2 else "40"
PROJECT = Path(__file__).resolve().parents[2]
SCENE = PROJECT / "Examples/bench-film/scene.scene"
SHARES = 6
NODES = 2

CONFIGURATION = """
ClusterName=scenec
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
# Killed tasks are requeued.
RequeueExit=137
{nodes}
PartitionName=film Nodes=ALL Default=YES State=UP
"""


class Cluster:
    """munged, slurmctld, and a slurmd for each node, in a separate folder."""

    def __init__(self, folder):
        self.folder = folder
        self.processes = []
        self.environment = dict(
            os.environ,
            SLURM_CONF=str(folder / "slurm.conf"),
            PATH=f"{PROGRAMS}:{os.environ['PATH']}:/usr/sbin",
            XDG_CACHE_HOME=str(folder / "home"),
        )
        port = 20000 + os.getpid() % 20000
        host = socket.gethostname().split(".")[0]
        nodes = "\n".join(
            f"NodeName=farm{n} NodeHostname={host} NodeAddr=127.0.0.1 Port={port + n} CPUs=4 State=UNKNOWN"
            for n in range(1, NODES + 1)
        )
        user = self.run("id", "-un").strip()
        (folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=host, port=port, user=user, folder=folder, nodes=nodes)
        )
        (folder / "state").mkdir()

    def __enter__(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        # munged requires folders that other users cannot write to.
        self.start(
            "/usr/sbin/munged", "--foreground", "--force", f"--key-file={key}",
            f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munge.pid",
            f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log",
        )
        self.wait(lambda: (self.folder / "munge.socket").exists(), "the socket of munged")
        self.start("/usr/sbin/slurmctld", "-D")
        for n in range(1, NODES + 1):
            self.start("/usr/sbin/slurmd", "-D", "-N", f"farm{n}")
        self.wait(lambda: self.run("sinfo", "-h", "-o", "%T %D").strip() == f"idle {NODES}",
                  "idle nodes")
        return self

    def __exit__(self, *_):
        for it in reversed(self.processes):
            it.terminate()
        for it in reversed(self.processes):
            try:
                it.wait(10)
            except subprocess.TimeoutExpired:
                it.kill()

    def start(self, *words):
        log = open(self.folder / f"{Path(words[0]).name}.output", "a")
        self.processes.append(
            subprocess.Popen(words, env=self.environment, stdout=log, stderr=log, cwd=self.folder)
        )

    def run(self, *words):
        it = subprocess.run(words, env=self.environment, capture_output=True, text=True, cwd=self.folder)
        return it.stdout if it.returncode == 0 else it.stdout + it.stderr

    def wait(self, condition, what, seconds=120):
        try:
            until(condition, what, seconds, interval=0.2)
        except AssertionError as late:
            fail(str(late), self.folder)


def fail(sentence, folder):
    print(f"farm: {sentence}", file=sys.stderr)
    for log in sorted(folder.glob("*.log")) + sorted(folder.glob("*.output")) + sorted(folder.glob("slurm-*.out")):
        print(f"--- {log.name}", *log.read_text(errors="replace").splitlines()[-15:], sep="\n", file=sys.stderr)
    sys.exit(1)


def tasks_of(share):
    """The processes that render a share, identified by their command lines."""
    found = []
    for it in Path("/proc").iterdir():
        try:
            words = (it / "cmdline").read_bytes().split(b"\0")
        except (OSError, NotADirectoryError):
            continue
        if b"--shard" in words and f"{share}/{SHARES}".encode() in words and b"scenec" in words[0]:
            found.append(int(it.name))
    return found


def main():
    folder = Path(tempfile.mkdtemp(prefix="scenec-farm-"))
    try:
        film = folder / "film"
        shutil.copytree(SCENE.parent, film)
        scene = film / "scene.scene"
        with Cluster(folder) as cluster:
            began = time.monotonic()
            cache = folder / "cache"
            cache.mkdir()
            ids = cluster.run(str(PROJECT / "Examples/farm/slurm.sh"), str(scene), str(folder / "farm.mp4"),
                              str(cache), str(SHARES), "--to", f"{LENGTH}s").split()
            if len(ids) != 1 or not ids[0].isdigit():
                fail(f"sbatch says {ids}", folder)
            cluster.wait(lambda: tasks_of(2) and any(cache.rglob("*")), "the first segment of share 2")
            for process in tasks_of(2):
                os.kill(process, signal.SIGKILL)
            print("farm: killed share 2 while it was drawn")
            # Slurm waits for two minutes before it retries a task, in case the node has failed.
            def requeued():
                for job in cluster.run("squeue", "-h", "-t", "PD", "-o", "%A").split():
                    cluster.run("scontrol", "update", "StartTime=now", f"JobId={job}")
                return "Restarts=1" in cluster.run("scontrol", "show", "job")

            cluster.wait(requeued, "Slurm to requeue the killed task")
            cluster.wait(lambda: not cluster.run("squeue", "-h"), "the end of all jobs", 900)
            print(f"farm: {SHARES} shares on {NODES} nodes, one killed, and the join: {time.monotonic() - began:.0f} s")
        alone = subprocess.run(
            ["scenec", "build", str(scene), "-o", str(folder / "alone.mp4"), "--no-cache", "--to", f"{LENGTH}s",
             "--progress", "none"], env=cluster.environment, capture_output=True, text=True)
        if alone.returncode != 0:
            fail(alone.stderr, folder)
        if not (folder / "farm.mp4").exists():
            fail("the join has made no film", folder)
        # The join is the last job, and the only one outside the array.
        join = max(folder.glob("slurm-[0-9]*.out"), key=lambda it: it.stat().st_mtime).read_text()
        if "nothing to render" not in join:
            fail(f"the join has drawn what the tasks should have: {join}", folder)
        if (folder / "farm.mp4").read_bytes() != (folder / "alone.mp4").read_bytes():
            fail("the film of the farm differs from the one that one machine makes", folder)
        print("farm: the same bytes as one machine makes")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


main()
