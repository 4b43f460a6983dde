#!/bin/bash
# SPDX-License-Identifier: MIT
# copy.sh FOLDER: copies the sources into a folder, for builds with other flags. Existing build products there are
# kept.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "$1"
find "$1" -mindepth 1 -maxdepth 1 ! -name .build ! -name build -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard --deduplicate |
  while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  xargs -0 cp --parents --no-dereference --preserve=timestamps -t "$1"
