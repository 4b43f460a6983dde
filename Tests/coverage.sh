#!/bin/bash
# SPDX-License-Identifier: MIT
# Measures which lines of the shipped targets the tests run, including those that run in child processes. A copy of
# the sources under build/coverage is built with counters, so that the other builds keep their objects.
set -euo pipefail
cd "$(dirname "$0")/.."
tree=build/coverage
Tests/copy.sh "$tree"
cd "$tree"
flags=(-c release -Xlinker --build-id=sha1)
# The counters are in a file that is mapped from the start, because sandboxed processes cannot write a file when they
# exit.
coverage=(--enable-code-coverage -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation
  -Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping -Xcc -mllvm -Xcc -runtime-counter-relocation)
swift build "${flags[@]}" "${coverage[@]}" --build-tests
profiles=$PWD/.build/profiles
rm -rf "$profiles"
# Each process has its own file: a shared file is damaged if a process is killed while it adds its counters.
export LLVM_PROFILE_FILE="$profiles/%c%p.profraw"
status=0
# Some tests fail here, because they find the counter files among the output of a build. This does not stop the run.
swift test "${flags[@]}" --skip-build --disable-xctest > .build/tests.log 2>&1 || true
grep -E '^✘|^. Test run with' .build/tests.log | tail -n 20 || true
.build/release/scenec-simulate all 1 100 || status=1
PARTS=${PARTS-clients hostile preview}
[ -z "$PARTS" ] || Tests/check.sh .build/release $PARTS || status=1
tools=$(dirname "$(readlink -f "$(command -v swift)")")
find "$profiles" -name '*.profraw' > .build/profiles.txt
"$tools/llvm-profdata" merge -sparse --failure-mode=all -f .build/profiles.txt -o .build/all.profdata
/usr/bin/python3 -B Tests/coverage.py "$tools/llvm-cov" .build/all.profdata .build/release || status=1
exit $status
