#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the language server beside others, which come from Debian and, into build/, from PyPI:
# run.sh SCENEC [LINES…]
set -eu
scenec=$1
shift
cd "$(dirname "$0")/../.."
env=build/server-env
if ! cmp -s Tests/Server/requirements.txt "$env/made-from"; then
  rm -rf "$env"
  mkdir -p build
  python3 -m venv "$env"
  "$env/bin/pip" install --quiet --disable-pip-version-check -r Tests/Server/requirements.txt
  cp Tests/Server/requirements.txt "$env/made-from"
fi
"$env/bin/python" -B Tests/Server/bars.py "$scenec" "$env/bin" "$@"
"$env/bin/python" -B Tests/Server/hostile.py "$scenec" "$env/bin"
