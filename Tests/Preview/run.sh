#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests the preview's page in Debian's Chromium, with a virtual environment under build/:
# `run.sh [TEST | OPTION OF PYTEST]…`. `run.sh bench` measures latencies, `run.sh soak` is a long run,
# `run.sh picture` takes the screenshot of the manual, `run.sh site` tests the pages that `make site` generates.
set -eu
cd "$(dirname "$0")/../.."
env=$(Tests/environment.sh preview-env Tests/Preview/requirements.txt)
export PYTHONPATH="$PWD/Tests"
pytest() {
  exec "$env/bin/python" -B -m pytest -q -p no:cacheprovider -p rerun "$@"
}
case "${1:-}" in
  bench)
    shift
    exec "$env/bin/python" -B Tests/Preview/bench.py "$@" ;;
  soak)
    (SCENEC_ALL=1 RERUN="SCENEC_ALL=1 Tests/Preview/run.sh" pytest Tests/Preview/test_picture.py -k at_rest)
    exec "$env/bin/python" -B Tests/Preview/soak.py ;;
  picture)
    exec "$env/bin/python" -B Tests/Preview/picture.py ;;
  site)
    shift
    export RERUN="Tests/Preview/run.sh site"
    case "${1:-}" in Tests/*) ;; *) set -- Tests/Site "$@" ;; esac
    pytest "$@" ;;
esac
export RERUN="Tests/Preview/run.sh"
# Two workers, each with its own browser; selected tests run in a single worker.
case "${1:-}" in Tests/*) ;; *) set -- -n 2 --dist worksteal Tests/Preview "$@" ;; esac
pytest "$@"
