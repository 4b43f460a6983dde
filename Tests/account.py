#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Summarizes the cost of the Swift tests.

usage: account.py [--over] [--budgets] ACCOUNT

ACCOUNT is the file that SCENEC_TEST_ACCOUNT named during `swift test`. Without an option, the script
prints the failed tests with the commands that run them alone, the slowest tests, and the CPU seconds
of each suite beside its budget. --over prints only the suites that took more than twice their
budget, and exits with 1 if there are any. --budgets prints a new budget for each suite as JSON:
one and a half times its CPU seconds.
"""
import argparse
import collections
import json
import math
import os
import sys

COMMAND = "make test FILTER="


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
    print("  CPU     budget    wall  tests  suite")
    for name, suite in sorted(suites.items(), key=lambda item: -item[1].cpu):
        mark = " over" if suite.cpu > 2 * suite.budget else ""
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
    parser.add_argument("--budgets", action="store_true")
    parser.add_argument("account")
    options = parser.parse_args()
    lines = read(options.account)
    if options.budgets:
        made = {
            name: max(1, math.ceil(1.5 * suite.cpu)) for name, suite in by_suite(lines).items()
        }
        print(json.dumps(made, indent=2, sort_keys=True))
        return 0
    if options.over:
        over = {n: s for n, s in by_suite(lines).items() if s.cpu > 2 * s.budget}
        for name, suite in sorted(over.items()):
            print(f"{name} took {suite.cpu:.1f} s of CPU; its budget is {suite.budget:.0f} s")
        return 1 if over else 0
    if not lines:
        return 0
    print_failures(lines)
    print_slowest(lines, "CPU", lambda line: line["cpu"] + line["children"])
    print_slowest(lines, "wall time", lambda line: line["wall"])
    print_suites(lines)
    return 0


sys.exit(main())
