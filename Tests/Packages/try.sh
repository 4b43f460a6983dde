#!/bin/bash
# SPDX-License-Identifier: MIT
# try.sh deb|tarball PACKAGE: installs a package on a bare Debian 12 and uses it there. build/packages caches the bare
# system, and the same system with the dependencies that the package declares.
set -euo pipefail
kind=$1 package=$2
[ "$(id -u)" = 0 ] || { echo "only root can create a bare Debian: run this as root"; exit 1; }
base=build/packages/debian.tar
mkdir -p build/packages
exec 9> build/packages/debian.lock
flock 9
if [ ! -e "$base" ]; then
  mmdebstrap --quiet --variant=minbase --format=tar bookworm "$base.new"
  mv "$base.new" "$base"
fi
flock -u 9
root=$(mktemp -d)
# Programs read their arguments and their location from /proc.
trap 'umount "$root/proc" 2> /dev/null || true; rm -rf --one-file-system "$root"' EXIT
in_root() { chroot "$root" /usr/bin/env -i PATH=/opt/scenec/bin:/usr/bin:/bin:/usr/sbin:/sbin HOME=/srv LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
must() { "$@" || { echo "failed: $*"; exit 1; }; }
# Like `must`, for a command with much output, which is shown only if it fails.
silently() { local said; said=$("$@" 2>&1) || { echo "$said"; echo "failed: $*"; exit 1; }; }
unpack() {
  tar -xf "$1" -C "$root"
  mount -t proc proc "$root/proc"
}
# dpkg need not flush files to the disk, because the system is temporary.
quick=(-y -qq -o Dpkg::Use-Pty=0 -o Dpkg::Options::=--force-unsafe-io)
case $kind in
  deb)
    # Its recommendations are installed, but not theirs.
    # 'scenec diff' and the action use git.
    needs="$(dpkg-deb -f "$package" Depends), $(dpkg-deb -f "$package" Recommends), git"
    ready=build/packages/debian-$(echo "$needs" | cat - "$base" | sha256sum | cut -c1-16).tar
    if [ -e "$ready" ]; then
      unpack "$ready"
    else
      rm -f build/packages/debian-*.tar
      unpack "$base"
      cp /etc/resolv.conf "$root/etc/resolv.conf"
      in_root apt-get update -qq
      silently in_root apt-get satisfy "${quick[@]}" --no-install-recommends "$needs"
      in_root apt-get clean
      tar -C "$root" --one-file-system -cf "$ready.new" .
      mv "$ready.new" "$ready"
    fi
    cp "$package" "$root/"
    # No archive is configured, so the installation fails if the package needs one that it does not declare.
    silently in_root apt-get install "${quick[@]}" -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null \
      --no-install-recommends "/$(basename "$package")"
    share=/usr/share
    ;;
  tarball)
    unpack "$base"
    # Unpacked here: a bare Debian has no xz.
    tar -xJf "$package" -C "$root/opt" && mv "$root"/opt/scenec-* "$root/opt/scenec"
    share=/opt/scenec/share
    ;;
esac
must in_root scenec --version
for file in man/man1 bash-completion/completions/scenec zsh/site-functions/_scenec nvim/site/ftdetect \
  doc/scenec/README.md doc/scenec/Grammar/README.md doc/scenec/Examples/demo/scene.scene doc/scenec/copyright; do
  [ -e "$root$share/$file" ] || [ -d "$root$share/$file" ] || ls "$root$share/$file"* > /dev/null || { echo "no $share/$file"; exit 1; }
done
must in_root sh -c 'mkdir -p "$HOME/hello" && cd "$HOME/hello" && scenec new hello --from title && scenec check --strict hello.scene && scenec build --quiet hello.scene -o film.mp4 && scenec frame hello.scene --at 1s -o still.png'
must in_root sh -c "cp -R $share/doc/scenec/Examples/cookbook \$HOME && cd \$HOME/cookbook && scenec check --strict code.scene"
# Files that are loaded on first use: librsvg with libxml2, and the language definitions.
for recipe in colored-code logo-by-parts drawing-by-parts equation; do
  must in_root sh -c "cd \$HOME/cookbook && scenec check --strict $recipe.scene && scenec frame $recipe.scene --at 2s -o $recipe.png"
done
must in_root sh -c 'scenec docs "drop shadow" | grep -q shadow && scenec explain W0305 > /dev/null && scenec codecs | grep -q libx264'
# Clips, sound, images of every kind, and a text in a font of the package.
must in_root sh -c "cp -R $share/doc/scenec/Examples/phone $share/doc/scenec/Examples/beat \$HOME && cd \$HOME && scenec build --quiet phone/scene.scene -o phone.mp4 && scenec build --quiet --to 2s beat/scene.scene -o beat.webm && ls -l phone.mp4 beat.webm hello/film.mp4"
# The server's input stays open until its response has arrived.
must in_root bash -c 'm="{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{},\"processId\":null}}"
  coproc scenec lsp
  printf "Content-Length: %d\r\n\r\n%s" ${#m} "$m" >&${COPROC[1]}
  export LC_ALL=C
  while read -r length && read -r && IFS= read -r -N "${length//[^0-9]/}" message; do
    [[ $message == *hoverProvider* ]] && exit
  done <&${COPROC[0]}
  exit 1'
mkdir -p build/packages
cp "$root/srv/hello/still.png" "build/packages/$kind.png"
for recipe in colored-code logo-by-parts drawing-by-parts equation; do
  cp "$root/srv/cookbook/$recipe.png" "build/packages/$kind-$recipe.png"
done
if [ "$kind" = deb ]; then
  env=$(Tests/environment.sh action-env Tests/Packages/action-requirements.txt)
  must "$env/bin/python" -B Tests/Packages/action.py "$root/usr/bin" "$root"
  in_root apt-get remove -y -qq scenec > /dev/null
  left=$(find "$root/usr" "$root/etc" -name '*scenec*' | head)
  [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
fi
echo "$package: good on a bare Debian"
