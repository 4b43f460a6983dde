#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests of the preview's page in Debian's Chromium, with an environment of their own under build/;
# `run.sh bench` measures instead, `run.sh soak` takes long, `run.sh picture` takes the picture of the manual,
# `run.sh site` tests the pages of the book, which `make site` makes.
set -eu
cd "$(dirname "$0")/../.."
env=$(Tests/environment.sh preview-env Tests/Preview/requirements.txt)
if [ "${1:-}" = bench ]; then
  shift
  exec "$env/bin/python" -B Tests/Preview/bench.py "$@"
fi
if [ "${1:-}" = soak ]; then
  SCENEC_ALL=1 "$env/bin/python" -B -m pytest -q -p no:cacheprovider Tests/Preview/test_picture.py -k at_rest
  exec "$env/bin/python" -B Tests/Preview/soak.py
fi
if [ "${1:-}" = picture ]; then
  exec "$env/bin/python" -B Tests/Preview/picture.py
fi
if [ "${1:-}" = site ]; then
  shift
  exec "$env/bin/python" -B -m pytest -q -p no:cacheprovider Tests/Site "$@"
fi
node --test Tests/Preview/modules.test.mjs
exec "$env/bin/python" -B -m pytest -q -p no:cacheprovider Tests/Preview "$@"
