#!/bin/sh
# Assembles the ROM of the host-folder device. The image is committed; needs ca65 and ld65 (cc65).
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ca65 handler.s -o "$tmp/handler.o"
ld65 -t none "$tmp/handler.o" -o handler.rom
