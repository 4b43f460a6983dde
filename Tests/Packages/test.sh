#!/bin/bash
# SPDX-License-Identifier: MIT
# test.sh BIN: builds both packages from the programs in the folder BIN and uses each on a bare Debian 12.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=build/packages/test
mkdir -p "$folder"
# The content of the packages is tested, not their size.
export XZ_LEVEL=0
passed=0 failed=0
for kind in deb tarball; do
  if package=$(Tests/Packages/$kind.sh "$1" "$folder") && Tests/Packages/try.sh $kind "$package"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: Tests/Packages/try.sh $kind \"\$(Tests/Packages/$kind.sh $1 $folder)\""
  fi
done
# A release of these packages has notes, and its checksums are correct.
make --no-print-directory -s vsix
if Tests/Packages/release.sh "$1" "$folder" build/scene.vsix "$folder/release" > "$folder/release.log" 2>&1 \
  && (cd "$folder/release" && sha256sum --quiet -c SHA256SUMS && test "$(wc -l < SHA256SUMS)" = 5); then
  passed=$((passed + 1))
else
  failed=$((failed + 1))
  cat "$folder/release.log"
  echo "failed: Tests/Packages/release.sh $1 $folder build/scene.vsix $folder/release"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
