# SPDX-License-Identifier: MIT
"""A pytest plugin that ends a failed run with the command that runs each failed test alone."""
import os


def pytest_terminal_summary(terminalreporter):
    failed = [it.nodeid for kind in ("failed", "error") for it in terminalreporter.stats.get(kind, [])]
    for test in dict.fromkeys(failed):
        terminalreporter.write_line(f"run it alone: {os.environ.get('RERUN', 'pytest')} '{test}'")
