#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh BIN [PART]…: runs the tests that start the programs in the folder BIN: in Chromium, in editors, with
# clients of the language server, and on a bare Debian. Without parts it runs all of them, two at a time.
set -eu
cd "$(dirname "$0")/.."
exec /usr/bin/python3 -B Tests/check.py "$@"
