#!/usr/bin/env python3
"""Typesets formulas with LuaLaTeX and with scenec, and compares the positions of all glyphs and rules.

Usage: run.py FOLDER-OF-PROGRAMS. Both use the font Latin Modern Math. No glyph may be missing or more than 0.06 em
away from its position in LaTeX. Alphabets are selected by the commands that select the glyphs of that font. Words use
the text font, whose letters have the same widths, and are compared by character.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
LIMIT = 0.06
SAME = {"\\mathbf": "\\symbf", "\\mathit": "\\symit", "\\mathsf": "\\symsf", "\\mathcal": "\\symcal",
        "\\mathbb": "\\symbb", "\\mathfrak": "\\symfrak"}


def document(formulas, script):
    lines = ["\\documentclass[10pt]{article}", "\\usepackage{amsmath}", "\\usepackage{mathtools}",
             "\\usepackage{unicode-math}",
             "\\setmathfont{latinmodern-math.otf}", "\\directlua{dofile('%s')}" % script,
             "\\begin{document}", "\\newbox\\formula"]
    for formula in formulas:
        for name, other in SAME.items():
            formula = formula.replace(name, other)
        lines.append("\\setbox\\formula\\hbox{$\\displaystyle %s$}" % formula)
        lines.append("\\directlua{scene_write(\\number\\formula)}")
    lines += ["\\directlua{scene_close()}", "\\end{document}"]
    return "\n".join(lines) + "\n"


def items(line):
    glyphs, rules = [], 0
    for item in filter(None, line.strip().split(";")):
        words = item.split(" ")
        if words[0] == "R":
            rules += 1
            continue
        # The glyph index or the character, then the position and the size.
        glyphs.append((words[0], int(words[1]), int(words[2]), *map(float, words[3:6])))
    return glyphs, rules


def difference(ours, reference):
    """The largest distance, and the number of unmatched glyphs."""
    if not ours or not reference:
        return 0.0, abs(len(ours) - len(reference))
    shift = min(it[3] for it in reference) - min(it[3] for it in ours)
    left, worst, missing = list(ours), 0.0, 0
    for kind, number, letter, x, y, size in reference:
        alike = [it for it in left if (it[1] == number if kind == "G" else it[2] == letter)
                 and abs(it[5] - size) < 0.02]
        if not alike:
            missing += 1
            continue
        best = min(alike, key=lambda it: math.hypot(it[3] + shift - x, it[4] - y))
        left.remove(best)
        worst = max(worst, math.hypot(best[3] + shift - x, best[4] - y))
    return worst, missing + len(left)


def main():
    programs = pathlib.Path(sys.argv[1]).resolve()
    source = here / "formulas.txt"
    formulas = source.read_text().splitlines()
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "formulas.tex").write_text(document(formulas, here / "reference.lua"))
        done = subprocess.run(["lualatex", "-interaction=nonstopmode", "formulas.tex"], cwd=folder,
                              capture_output=True, text=True, timeout=600, errors="replace")
        reference = pathlib.Path(folder, "reference.txt")
        if done.returncode != 0 or not reference.exists():
            sys.exit("lualatex failed:\n" + done.stdout[-3000:])
        wanted = reference.read_text().splitlines()
    done = subprocess.run([programs / "scenec-dev", "formulas", source], capture_output=True, text=True, check=True)
    found = done.stdout.splitlines()
    if not len(formulas) == len(wanted) == len(found):
        sys.exit(f"{len(formulas)} formulas, {len(wanted)} of LaTeX, {len(found)} of scenec")
    failures, greatest, count = 0, 0.0, 0
    for formula, theirs, ours in zip(formulas, wanted, found):
        (reference, lines), (glyphs, rules) = items(theirs), items(ours)
        worst, missing = difference(glyphs, reference)
        greatest, count = max(greatest, worst), count + len(reference)
        if worst > LIMIT or missing or rules != lines:
            failures += 1
            print(f"{formula}\n  {worst:.3f} em, {missing} glyphs without a partner, {rules} rules for {lines}")
    print(f"{len(formulas)} formulas, {count} glyphs: at most {greatest:.3f} em from LaTeX; {failures} failed")
    sys.exit(1 if failures else 0)


main()
