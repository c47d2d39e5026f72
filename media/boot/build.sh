#!/bin/sh
# Assembles the boot loader for each origin it is offered at. The images are committed; needs ca65 and ld65 (cc65).
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for origin in 0480 0400 0700 0600 BF00; do
    ca65 -D ORIGIN=\$$origin loader.s -o "$tmp/loader.o"
    ld65 -t none "$tmp/loader.o" -o "loader-$origin.bin"
done
