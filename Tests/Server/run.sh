#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares the language server with others, which are installed from Debian and, into build/, from PyPI:
# run.sh SCENEC [LINES…]. `run.sh test SCENEC [TEST | OPTION OF PYTEST]…` tests it with the capabilities of five
# editors, and the syntax highlighting of Kate.
set -eu
cd "$(dirname "$0")/../.."
if [ "${1:-}" = test ]; then
  env=$(Tests/environment.sh lsp-env Tests/Server/requirements-test.txt)
  export SCENEC="$2" PYTHONPATH="$PWD/Tests" RERUN="Tests/Server/run.sh test $2"
  shift 2
  case "${1:-}" in Tests/*) ;; *) set -- -n 2 --dist worksteal Tests/Server "$@" ;; esac
  exec "$env/bin/python" -B -W ignore -m pytest -q -p no:cacheprovider -p rerun "$@"
fi
scenec=$1
shift
env=$(Tests/environment.sh server-env Tests/Server/requirements.txt)
"$env/bin/python" -B Tests/Server/bars.py "$scenec" "$env/bin" "$@"
"$env/bin/python" -B Tests/Server/hostile.py "$scenec" "$env/bin"
