#!/bin/bash
# SPDX-License-Identifier: MIT
# stage.sh BIN ROOT PREFIX VERSION: what every package holds, below ROOT: the programs and what 'make install'
# puts beside them, the manual and the examples.
set -euo pipefail
bin=$1 root=$2 prefix=$3 version=$4
rm -rf "$root"
mkdir -p "$root"
# The programs are built already.
make --no-print-directory -s -o static install DESTDIR="$root" PREFIX="$prefix"
strip --strip-unneeded "$root$prefix"/bin/*
doc=$root$prefix/share/doc/scenec
mkdir -p "$doc"
cp README.md CHANGELOG.md "$doc"
cp -R Grammar Editors/README.md "$doc"
# What the benchmark generates is no example.
tar --exclude=photos --exclude=library -cf - Examples | tar -xf - -C "$doc"
{
  echo "scenec $version"
  echo
  cat LICENSE
} > "$doc/copyright"
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -path '*/bin/*' -exec chmod 644 {} +
# The same files give the same package, on any day.
find "$root" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-1700000000}" {} +
