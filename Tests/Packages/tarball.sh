#!/bin/bash
# SPDX-License-Identifier: MIT
# tarball.sh BIN FOLDER: writes FOLDER/scenec-VERSION-linux-ARCH.tar.xz, which requires only the C library: the
# programs with all linked libraries, and fonts for systems without fonts. XZ_LEVEL, from 0 to 9, trades size for
# time.
set -euo pipefail
bin=$1 folder=$2
version=$("$bin/scenec" --version | cut -d' ' -f2)
name=scenec-$version-linux-$(uname -m)
root=$folder/tarball/$name
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1700000000}
rm -rf "$folder/tarball"
Tests/Packages/stage.sh "$bin" "$PWD/$folder/tarball/stage" /s "$version"
mv "$folder/tarball/stage/s" "$root"
lib=$root/lib/scenec
mkdir -p "$lib" "$root/share/fonts"
mv "$root"/bin/* "$lib"
# All libraries that the programs load, except the C library of the system.
ldd "$lib"/scenec* | awk '/=> \//{print $3}' | LC_ALL=C sort -u \
  | grep -vE '/(libc|libm|libdl|librt|libpthread|libresolv|ld-linux[^/]*)\.so' \
  | while read -r library; do cp -L "$library" "$lib"; done
for program in "$lib"/scenec*; do
  # This also applies to libraries that are loaded by other libraries.
  patchelf --force-rpath --set-rpath '$ORIGIN' "$program"
done
chmod 755 "$lib"/scenec*
# The language definitions for syntax highlighting.
mkdir "$lib/source-highlight"
cp -L /usr/share/source-highlight/*.lang "$lib/source-highlight"
cp -L /usr/share/doc/libsource-highlight-common/copyright "$lib/source-highlight"
cat > "$root/bin/scenec" <<'END'
#!/bin/sh
# If the system has no configured fonts, the fonts beside this program are used.
home=$(dirname "$(dirname "$(readlink -f "$0")")")
if [ ! -e /etc/fonts/fonts.conf ] && [ -z "$FONTCONFIG_FILE" ]; then
  export FONTCONFIG_FILE="$home/share/fonts/fonts.conf"
fi
exec "$home/lib/scenec/scenec" "$@"
END
chmod 755 "$root/bin/scenec"
for package in fonts-dejavu-core fonts-inter fonts-jetbrains-mono fonts-ebgaramond fonts-noto-color-emoji; do
  dpkg -L "$package" | grep -E '\.(ttf|otf)$' | grep -v '/woff' | while read -r font; do cp -L "$font" "$root/share/fonts"; done
  cp -L "/usr/share/doc/$package/copyright" "$root/share/fonts/$package.copyright"
done
# Only the math font of Latin Modern.
cp -L "$(dpkg -L fonts-lmodern | grep '/latinmodern-math\.otf$')" "$root/share/fonts"
cp -L /usr/share/doc/fonts-lmodern/copyright "$root/share/fonts/fonts-lmodern.copyright"
cat > "$root/share/fonts/fonts.conf" <<'END'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
END
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar -C "$folder/tarball" --sort=name --owner=0 --group=0 --numeric-owner -cf - "$name" | xz -T0 -"${XZ_LEVEL:-6}" > "$folder/$name.tar.xz"
echo "$folder/$name.tar.xz"
