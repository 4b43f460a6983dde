# SPDX-License-Identifier: MIT
"""Lets an editor work on two scenes with the real server: run.py EDITOR SCENEC.

The script of the editor acts like a user and writes its observations to found.txt, which must be equal for
all editors. `run.py kill-worker` ends the worker process of the editor in this folder.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EDITORS = os.path.join(HERE, "..", "..", "Editors")
COMMANDS = {
    "neovim": ["nvim", "--headless", "--clean", "--cmd", "set rtp^=$SCENE_EDITORS/vim",
               "-S", f"{HERE}/neovim.lua"],
    "vim": ["vim", "-Nu", "NONE", "-es", "-S", f"{HERE}/vim.vim"],
    "emacs": ["emacs", "--batch", "-q", "--no-site-file", "-l", f"{HERE}/emacs.el"],
    "vscode": ["node", f"{HERE}/vscode.js"],
}


def kill_worker():
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{process}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            if b"--worker" in words and os.readlink(f"/proc/{process}/cwd") == os.getcwd():
                os.kill(int(process), signal.SIGKILL)
                return 0
        except OSError:
            continue
    return 1


def run(editor, scenec):
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(os.path.realpath(folder), "project")
        shutil.copytree(os.path.join(HERE, "project"), project)
        environment = dict(
            os.environ, HOME=folder, SCENE_EDITORS=os.path.abspath(EDITORS), LC_ALL="C.UTF-8",
            SCENE_RUN=os.path.abspath(__file__), NODE_PATH=f"{HERE}/node",
            PATH=os.path.dirname(os.path.abspath(scenec)) + ":/usr/bin:/bin")
        for name in [name for name in environment if name.startswith("XDG_")]:
            del environment[name]
        try:
            ended = subprocess.run(
                COMMANDS[editor], cwd=project, env=environment, timeout=150,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            said = ended.stdout
        except subprocess.TimeoutExpired as late:
            said = (late.stdout or b"") + b"\nno end after 150 s\n"
        sys.stderr.write(said.decode(errors="replace"))
        found = os.path.join(project, "found.txt")
        if os.path.exists(found):
            with open(found, encoding="utf-8") as file:
                print(file.read(), end="")


if __name__ == "__main__":
    if sys.argv[1:] == ["kill-worker"]:
        sys.exit(kill_worker())
    run(*sys.argv[1:])
