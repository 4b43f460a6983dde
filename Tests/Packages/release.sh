#!/bin/bash
# SPDX-License-Identifier: MIT
# release.sh BIN PACKAGES VSIX FOLDER: collects the files of a release in FOLDER. The version is that of BIN/scenec; the
# release notes are its section of CHANGELOG.md.
set -euo pipefail
bin=$1 packages=$2 vsix=$3 folder=$4
version=$("$bin/scenec" --version | cut -d' ' -f2)
fail() { echo "release: $1" >&2; exit 1; }

rm -rf "$folder"
mkdir -p "$folder"
for package in "$packages/scenec_${version}_"*.deb "$packages/scenec-$version-linux-"*.tar.xz; do
  [ -e "$package" ] || fail "$packages has no package of version $version"
  cp "$package" "$folder"
done
cp "$vsix" "$folder/scene-$version.vsix"
cp Packaging/Containerfile "$folder"
awk -v head="## $version" 'index($0, "## ") == 1 {on = $0 == head || index($0, head " ") == 1; next} on' CHANGELOG.md \
  | sed '1{/^$/d}' > "$folder/notes.md"
grep -q '[^[:space:]]' "$folder/notes.md" || fail "CHANGELOG.md has no section '## $version'"
(cd "$folder" && sha256sum -- * > ../SHA256SUMS && mv ../SHA256SUMS .)
ls -l "$folder"
tag=v$version
if git rev-parse -q --verify "refs/tags/$tag" > /dev/null; then
  echo "the tag $tag exists already"
elif [ -n "$(git status --porcelain)" ]; then
  echo "commit all changes before you tag the release"
else
  echo "tag the release:"
  echo "  git tag -a $tag -F $folder/notes.md && git push origin $tag"
fi
