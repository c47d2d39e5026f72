#!/bin/sh
# Assembles the loader of binary files. The image is committed; needs ca65 and ld65 (cc65).
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
ca65 loader.s -o "$tmp/loader.o" -l "$tmp/loader.lst"
ld65 -t none "$tmp/loader.o" -o loader.bin
