# SPDX-License-Identifier: MIT
"""Tests wait for conditions, never for a length of time."""
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_only_the_module_for_waiting_sleeps():
    found = [f"{path.relative_to(TESTS)}:{number}" for path in sorted(TESTS.rglob("*.py")) if path.name != "waiting.py"
             for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
             if re.search(r"\bsleep\(|\bwait_for_timeout\(", line)]
    assert found == []
