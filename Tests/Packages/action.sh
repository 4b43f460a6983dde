#!/bin/sh
# SPDX-License-Identifier: MIT
# action.sh BIN: tests the GitHub action with the programs in the folder BIN.
set -eu
cd "$(dirname "$0")/../.."
env=$(Tests/environment.sh action-env Tests/Packages/action-requirements.txt)
exec "$env/bin/python" -B Tests/Packages/action.py "$@"
