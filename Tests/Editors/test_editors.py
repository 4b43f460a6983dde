# SPDX-License-Identifier: MIT
"""Editors with their packages for scenes: highlighting, indentation, `:make`, and work with the language server."""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent))

from waiting import LIMIT  # noqa: E402

SCENEC = pathlib.Path(os.environ.get("SCENEC", ROOT / ".build/release/scenec")).resolve()
VIM = ["/usr/bin/vim", "-Nu", "NONE", "-es"]
NEOVIM = ["/usr/bin/nvim", "--headless", "--clean"]
EMACS = ["/usr/bin/emacs", "--batch", "-Q", "-l", "look.el"]
SCENE = """\
// a note
scene demo {
    for: 2s
    circle dot { fill: mix(red, #00ff00, 0.5);  radius: 0 -> 80 over 0.4s }
}
"""
EXAMPLES = sorted((ROOT / "Examples").rglob("*.scene"))


def run(command, folder):
    """The output of a program; its errors follow if the test fails."""
    ended = subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=2 * LIMIT, check=False)
    print(ended.stderr, file=sys.stderr)
    return ended.stdout


def vim(folder, script, command=None):
    """The lines that a script writes to out.txt."""
    (folder / "look.vim").write_text(f"set runtimepath^={ROOT}/Editors/vim noswapfile\n" + script + "qa!\n")
    run([*(command or VIM), "-S", "look.vim"], folder)
    return (folder / "out.txt").read_text().splitlines()


def emacs(folder, script):
    """The lines that a script prints."""
    # The editors must not leave files beside the examples, which other tests read concurrently.
    (folder / "look.el").write_text(f'(setq create-lockfiles nil)\n(add-to-list \'load-path "{ROOT}/Editors/emacs")\n(require \'scene-mode)\n{script}')
    return run(EMACS, folder).splitlines()


def test_vim_highlights(tmp_path):
    (tmp_path / "a.scene").write_text(SCENE)
    assert vim(tmp_path, """\
filetype on
syntax on
edit a.scene
let names = []
for [word, line, column] in [["note", 1, 1], ["scene", 2, 1], ["circle", 4, 5], ["fill", 4, 18], ["mix", 4, 24], ["color", 4, 33], ["over", 4, 65]]
  call add(names, word . " " . synIDattr(synID(line, column, 1), "name"))
endfor
call writefile(names, "out.txt")
""") == ["note sceneComment", "scene sceneElement", "circle sceneElement", "fill sceneProperty", "mix sceneFunction",
         "color sceneColor", "over sceneDeclaration"]


def test_emacs_highlights_and_indents(tmp_path):
    (tmp_path / "a.scene").write_text(SCENE)
    assert emacs(tmp_path, """\
(find-file "a.scene")
(font-lock-ensure)
(dolist (word '("note" "circle" "fill" "mix" "#00ff00" "over"))
  (goto-char (point-min))
  (search-forward word)
  (princ (format "%s %s\\n" word (get-text-property (match-beginning 0) 'face))))
(let ((before (buffer-string)))
  (indent-region (point-min) (point-max))
  (princ (format "same %s\\n" (equal before (buffer-string)))))
""") == ["note font-lock-comment-face", "circle font-lock-type-face", "fill font-lock-variable-name-face",
         "mix font-lock-function-name-face", "#00ff00 font-lock-constant-face", "over font-lock-keyword-face", "same t"]


def test_emacs_indents_like_the_formatter(tmp_path):
    assert EXAMPLES
    files = " ".join(f'"{it}"' for it in EXAMPLES)
    # It prints the files that it would change.
    assert emacs(tmp_path, f"""\
(dolist (file '({files}))
  (find-file file)
  (font-lock-ensure)
  (let ((before (buffer-string)))
    (indent-region (point-min) (point-max))
    (unless (and (eq major-mode 'scene-mode) (string= before (buffer-string)))
      (princ (format "%s %s\\n" major-mode file)))))
(princ "end")
""") == ["end"]


def test_vim_indents_like_the_formatter(tmp_path):
    assert vim(tmp_path, f"""\
filetype plugin indent on
syntax on
let seen = []
for file in glob('{ROOT}/Examples/**/*.scene', 0, 1)
  execute 'edit' file
  let before = getline(1, '$')
  silent normal! gg=G
  call add(seen, before == getline(1, '$') ? 'same' : file)
  set nomodified
endfor
call writefile(seen, 'out.txt')
""") == ["same"] * len(EXAMPLES)


FORMULA = r"""scene {
    math eq $$
        a + b \
            = \frac{a}{
  b}
    $$ {
        position: center
        each line {
            stagger: 1s
        }
    }
    math $x^{2$ {
        position: top
    }
    circle {}
}
"""


def test_emacs_keeps_formulas(tmp_path):
    (tmp_path / "a.scene").write_text(FORMULA)
    assert emacs(tmp_path, """\
(find-file "a.scene")
(indent-region (point-min) (point-max))
(princ (buffer-string))
""") == FORMULA.splitlines()


def test_vim_keeps_formulas(tmp_path):
    (tmp_path / "a.scene").write_text(FORMULA)
    assert vim(tmp_path, """\
filetype plugin indent on
syntax on
edit a.scene
silent normal! gg=G
call writefile(getline(1, '$'), 'out.txt')
""") == FORMULA.splitlines()


@pytest.mark.parametrize("editor", ["neovim", "vim", "emacs", "vscode"])
def test_works_with_the_server(tmp_path, editor):
    """An error at the correct column after an emoji, its fix, completion, hover, a rename across two files,
    formatting, and the next error after the worker process is killed."""
    assert run(["/usr/bin/python3", "-B", HERE / "run.py", editor, SCENEC], tmp_path).splitlines() == [
        "error: E0201 font-sise", "fixed: 0", "completion: true", "hover: painted with", "renamed: 2",
        "formatted: rect box { fill: accent;  size: 100x100 }", "killed: 0", "error: E0201", "line: 5"]


@pytest.mark.parametrize("command", [VIM, NEOVIM], ids=["vim", "neovim"])
def test_make_finds_columns(tmp_path, command):
    """Columns of `:make` are bytes in Vim and characters in the output of scenec."""
    (tmp_path / "a.scene").write_text('scene { for: 1s\n  text "é🎬漢" { opacty: 1 }\n}\n')
    assert vim(tmp_path, f"""\
let $PATH = '{SCENEC.parent}:' . $PATH
filetype plugin on
edit a.scene
compiler scenec
silent make!
let it = getqflist()[0]
call writefile([it.lnum . ' ' . strpart(getline(it.lnum), it.col - 1, 6)], 'out.txt')
""", command) == ["2 opacty"]


def test_bash_completes(tmp_path):
    (tmp_path / "a.scene").touch()
    (tmp_path / "b.txt").touch()
    run([SCENEC.parent / "scenec-dev", "shells", tmp_path], tmp_path)
    assert run(["/bin/bash", "-c", """
source ./scenec.bash
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _scenec; echo "${COMPREPLY[*]}"; }
try scenec ch
try scenec check --strict --fo
try scenec check --format ''
try scenec check ''
try scenec help bu
"""], tmp_path).splitlines() == ["check", "--format", "text json sarif svg", "a.scene", "build"]
