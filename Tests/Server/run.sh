#!/bin/sh
# SPDX-License-Identifier: MIT
# Measures the language server beside others, which come from Debian and, into build/, from PyPI:
# run.sh SCENEC [LINES…]. `run.sh test SCENEC` tests it as five editors see it, and Kate's colours.
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-}" = test ]; then
  env=$(Tests/environment.sh lsp-env Tests/Server/requirements-test.txt)
  export SCENEC="$2"
  exec "$env/bin/python" -B -W ignore -m pytest -q -p no:cacheprovider \
    Tests/Server/test_clients.py Tests/Server/test_kate.py
fi
scenec=$1
shift
env=$(Tests/environment.sh server-env Tests/Server/requirements.txt)
"$env/bin/python" -B Tests/Server/bars.py "$scenec" "$env/bin" "$@"
"$env/bin/python" -B Tests/Server/hostile.py "$scenec" "$env/bin"
