#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures which lines of the shipped targets the tests run, including those that run in child processes. A copy of
# the sources under build/coverage is built with counters, so that the other builds keep their objects.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=build/coverage
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name .build ! -name build -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard --deduplicate |
  while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  xargs -0 cp --parents --preserve=timestamps -t "$tree"
cd "$tree"
# Without optimization, inlined code would be counted in full, but the tests would run for an hour.
flags=(-c release -Xlinker --build-id=sha1 --enable-code-coverage)
swift build "${flags[@]}" --build-tests
profiles=$PWD/.build/profiles
rm -rf "$profiles"
# Processes of one program share eight files.
export LLVM_PROFILE_FILE="$profiles/%8m.profraw"
status=0
swift test "${flags[@]::3}" --skip-build --disable-xctest > .build/tests.log 2>&1 || status=1
grep -E '^✘|^. Test run with' .build/tests.log | tail -n 20 || true
.build/release/scenec-simulate all 1 100 || status=1
PARTS=${PARTS-clients hostile preview}
[ -z "$PARTS" ] || Tests/check.sh .build/release $PARTS || status=1
tools=$(dirname "$(readlink -f "$(command -v swift)")")
"$tools/llvm-profdata" merge -sparse -o .build/all.profdata "$profiles"/*.profraw
/usr/bin/python3 -B Tests/coverage.py "$tools/llvm-cov" .build/all.profdata .build/release || status=1
exit $status
