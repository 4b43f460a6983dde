#!/bin/bash
# SPDX-License-Identifier: MIT
# deb.sh BIN FOLDER: a Debian package, FOLDER/scenec_VERSION_ARCH.deb. XZ_LEVEL trades its size for time, 0 to 9.
set -euo pipefail
bin=$1 folder=$2
version=$("$bin/scenec" --version | cut -d' ' -f2)
arch=$(dpkg --print-architecture)
work=$folder/deb
root=$work/root
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1700000000}
mkdir -p "$work/debian"
Tests/Packages/stage.sh "$bin" "$root" /usr "$version"
gzip -9nf "$root/usr/share/man/man1/scenec.1" "$root/usr/share/doc/scenec/CHANGELOG.md"
# The packages of the libraries that the programs are linked with.
touch "$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info root/usr/bin/* 2>/dev/null | sed 's/^shlibs:Depends=//')
mkdir -p "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<END
Package: scenec
Version: $version
Architecture: $arch
Section: video
Priority: optional
Maintainer: The authors of scenec <scenec@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends, fontconfig-config, fonts-dejavu-core, libsource-highlight-common
Recommends: fonts-inter, fonts-jetbrains-mono, fonts-ebgaramond, fonts-lmodern, fonts-noto-color-emoji
Suggests: git
Description: compiler from a scene language to video
 A person writes a scene, a text file with shapes, paths, images, text,
 keyframes, video and sound; scenec checks it, draws it and encodes it. With a
 live preview, a language server, and packages for editors.
END
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) > "$root/DEBIAN/md5sums"
touch -d "@$SOURCE_DATE_EPOCH" "$root/DEBIAN" "$root"/DEBIAN/*
dpkg-deb --root-owner-group -Zxz -z"${XZ_LEVEL:-6}" --build "$root" "$folder/scenec_${version}_$arch.deb" > /dev/null
echo "$folder/scenec_${version}_$arch.deb"
