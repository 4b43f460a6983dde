#!/bin/bash
# SPDX-License-Identifier: MIT
# sanitize.sh address|thread [FILTER]: builds a copy of the sources with a sanitizer, and runs tests with the programs
# that they start. It fails if the sanitizer reports anything.
#
# address: AddressSanitizer and, for C and C++, UndefinedBehaviorSanitizer, with the tests of clips, images, outlines,
# pixels, sound and encoding. Decoders have no sandbox in this build, so that reports can be written.
# thread: ThreadSanitizer, with the tests of builds, sessions, the cache and the decoder processes.
set -euo pipefail
cd "$(dirname "$0")/.."
kind=$1
tree=$PWD/build/sanitize/$kind
reports=$PWD/build/sanitize/$kind-reports
rm -rf "$reports"
mkdir -p "$reports"
Tests/copy.sh "$tree"
cd "$tree"
flags=(-c release -Xlinker --build-id=sha1 "--sanitize=$kind")
if [ "$kind" = address ]; then
  filter='SceneClipsTests|SceneGraphicsTests|SceneSoundTests|SceneEncodingTests|SceneRasterTests|HostileFileTests'
  flags+=(-Xcc -fsanitize=undefined -Xcc -fno-sanitize=function,vptr -Xcc -fno-sanitize-recover=undefined)
else
  filter='SceneSessionTests|SceneBuildTests|SceneStoreTests|SceneClipsTests'
fi
filter=${2:-$filter}
swift build "${flags[@]}" --build-tests > build.log 2>&1 || {
  grep error: build.log | head -n 20
  exit 1
}
# Decoder processes exit without freeing memory, and their memory limit includes the memory of the sanitizer.
# For some files, libraries request more memory than available, and handle the failure.
# The crash handler of Swift waits forever for a process that a sanitizer watches.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16:log_path=$reports/report
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=log_path=$reports/report:exitcode=0:history_size=4
if [ "$kind" = thread ]; then
  clang -O2 -shared -fPIC -o mutex-events.so Tests/mutex-events.c
  export LD_PRELOAD=$tree/mutex-events.so
fi
# The sandbox is disabled in a build with AddressSanitizer. A sanitized program exceeds some CPU limits; the tests of
# these limits must only be free of reports.
swift test "${flags[@]}" --skip-build --disable-xctest --filter "$filter" --skip FenceTests > tests.log 2>&1 || true
unset LD_PRELOAD
grep -E '^✘|^. Test run with' tests.log | cut -c1-300 | tail -n 20
grep -qE '^. Test run with [1-9]' tests.log
found=$(find "$reports" -type f -size +0)
[ -z "$found" ] || {
  grep -hE '^SUMMARY|runtime error:' $found | sort | uniq -c | sort -rn
  exit 1
}
echo "no reports"
