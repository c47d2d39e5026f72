#!/bin/sh
# Assembles the ROMs of the host-folder device. The images are committed; needs ca65 and ld65 (cc65).
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for rom in handler handler800; do
    ca65 "$rom.s" -o "$tmp/$rom.o"
    ld65 -t none "$tmp/$rom.o" -o "$rom.rom"
done
