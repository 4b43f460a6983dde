#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Summarizes the cost of the Swift tests.

usage: account.py [--budgets] ACCOUNT
       account.py --over ACCOUNT
       account.py --over ACCOUNT AGAIN
       account.py --filter ACCOUNT

ACCOUNT is the file that SCENEC_TEST_ACCOUNT named during `swift test`. Without an option, the script
prints the failed tests with the commands that run them alone, the slowest tests, and the CPU seconds
of each suite beside its budget.

--over prints only the suites that took more than twice their budget, and exits with 1 if there are
any. Budgets hold for the machine on which they were measured; a slower machine multiplies all of
them by its slowness, the median of CPU time to budget. --filter prints a regular expression for
`swift test --filter` that runs these suites again, together with suites whose ratio is near the
median. With the account of that run as AGAIN, --over prints the suites that exceed their budget in
both, each run measured by its own slowness.

--budgets prints a new budget for each suite as JSON: one and a half times its CPU seconds.
"""
import argparse
import collections
import json
import math
import os
import statistics
import sys

COMMAND = "make test FILTER="

# A budget is this multiple of the CPU seconds that the suite took when it was measured.
MARGIN = 1.5

# The budget, in seconds, from which the CPU time of a suite says something about the machine.
LARGE = 4


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


class Suite:
    def __init__(self):
        self.cpu = self.wall = self.budget = 0.0
        self.count = 0

    def add(self, line):
        self.cpu += line["cpu"] + line["children"]
        self.wall += line["wall"]
        self.budget = line["budget"]
        self.count += 1


    @property
    def ratio(self):
        """The CPU seconds divided by those that were measured for the budget."""
        return MARGIN * self.cpu / self.budget


def by_suite(lines):
    suites = collections.defaultdict(Suite)
    for line in lines:
        suites[line["suite"]].add(line)
    return suites


def title(line):
    text = line["suite"] + "/" + line["test"]
    return text + " " + line["input"] if line.get("input") else text


def shown(text, width=110):
    text = " ".join(text.split())
    return text if len(text) <= width else text[: width - 1] + "…"


def slowness(suites):
    """The median ratio of the large suites, at least 1."""
    ratios = [suite.ratio for suite in suites.values() if suite.budget >= LARGE]
    return max(1, statistics.median(ratios)) if ratios else 1


def over(suites, slow):
    """The suites that took more than twice their budget on a machine of this slowness."""
    return {name for name, suite in suites.items() if suite.cpu > 2 * slow * suite.budget}


def references(suites):
    """Five suites of medium size whose ratio is nearest to the slowness of the run."""
    slow = slowness(suites)
    medium = [n for n, s in suites.items() if LARGE <= s.budget <= 5 * LARGE]
    near = sorted(medium, key=lambda name: abs(suites[name].ratio - slow))
    return set(near[:5]) - over(suites, slow)


def print_over(suites, again):
    slow = slowness(suites)
    found = over(suites, slow)
    if again is not None:
        slow = slowness({n: s for n, s in again.items() if n in references(suites)})
        found &= over(again, slow)
        suites = again
    for name in sorted(found):
        suite = suites[name]
        print(f"{name} took {suite.cpu:.1f} s of CPU; its budget is {slow * suite.budget:.1f} s")
    return 1 if found else 0


def print_failures(lines):
    failed = [line for line in lines if line["failures"]]
    for line in failed:
        print("failed: " + shown(title(line), 400))
        for message in line["failures"][:3]:
            print("    " + shown(message, 1000))
        print(f"    {COMMAND}'{line['filter']}'")
    if failed:
        print(f"\n{len(failed)} of {len(lines)} tests failed\n")


def print_slowest(lines, name, key):
    print(f"slowest by {name}")
    for line in sorted(lines, key=key, reverse=True)[:20]:
        print(f"{key(line):9.2f} s  {shown(title(line))}")
    print()


def print_suites(lines):
    suites = by_suite(lines)
    slow = slowness(suites)
    exceeding = over(suites, slow)
    print(f"This run was {slow:.2f} times as slow as that of the budgets.")
    print("  CPU     budget    wall  tests  suite")
    for name, suite in sorted(suites.items(), key=lambda item: -item[1].cpu):
        mark = " over" if name in exceeding else ""
        print(
            f"{suite.cpu:7.2f} s {suite.budget:6.0f} s {suite.wall:7.2f} {suite.count:6}  {name}{mark}"
        )
    own, children = 0.0, 0.0
    for process in {line["process"] for line in lines}:
        mine = [line for line in lines if line["process"] == process]
        own += max(line["processSeconds"] for line in mine) - sum(line["cpu"] for line in mine)
        children += max(line["processChildSeconds"] for line in mine)
        children -= sum(line["children"] for line in mine)
    print(f"{own:7.2f} s                           other threads of the test process")
    print(f"{children:7.2f} s                           helper processes of these threads")
    total = sum(suite.cpu for suite in suites.values()) + own + children
    print(f"{total:7.2f} s in total")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--over", action="store_true")
    parser.add_argument("--filter", action="store_true")
    parser.add_argument("--budgets", action="store_true")
    parser.add_argument("account")
    parser.add_argument("again", nargs="?")
    options = parser.parse_args()
    lines = read(options.account)
    suites = by_suite(lines)
    if options.budgets:
        made = {name: max(1, math.ceil(MARGIN * suite.cpu)) for name, suite in suites.items()}
        print(json.dumps(made, indent=2, sort_keys=True))
        return 0
    if options.over:
        return print_over(suites, by_suite(read(options.again)) if options.again else None)
    if options.filter:
        print("|".join(sorted(over(suites, slowness(suites)) | references(suites))))
        return 0
    if not lines:
        return 0
    print_failures(lines)
    print_slowest(lines, "CPU", lambda line: line["cpu"] + line["children"])
    print_slowest(lines, "wall time", lambda line: line["wall"])
    print_suites(lines)
    return 0


sys.exit(main())
