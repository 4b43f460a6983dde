#!/bin/sh
# SPDX-License-Identifier: MIT
# Creates a virtual environment of Python with the packages of a list, unless it exists, and prints its folder:
# environment.sh NAME LIST, from the folder of the project.
set -eu
env=build/$1
mkdir -p build
# Several test runs may need it at the same time.
exec 9> "$env.lock"
flock 9
if ! cmp -s "$2" "$env/made-from"; then
  rm -rf "$env"
  python3 -m venv "$env"
  "$env/bin/pip" install --quiet --disable-pip-version-check -r "$2" >&2
  cp "$2" "$env/made-from"
fi
echo "$env"
