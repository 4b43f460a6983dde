#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a virtual environment of Python with the packages of a list, unless it is there already, and
# prints its folder: environment.sh NAME LIST, from the folder of the project.
set -eu
env=build/$1
if ! cmp -s "$2" "$env/made-from"; then
  rm -rf "$env"
  mkdir -p build
  python3 -m venv "$env"
  "$env/bin/pip" install --quiet --disable-pip-version-check -r "$2" >&2
  cp "$2" "$env/made-from"
fi
echo "$env"
