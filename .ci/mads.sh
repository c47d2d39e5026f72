#!/usr/bin/env bash
# .ci/mads.sh: prints the folder of the assembler MADS: the one on the path, or one built here by Free Pascal from MADS_SOURCE, a folder
# with mads.pas. Fails where it cannot be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if found=$(command -v mads); then
    dirname "$(realpath "$found")"
    exit 0
fi
[ -f "${MADS_SOURCE:-}/mads.pas" ] && command -v fpc >/dev/null || exit 1
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/tools/mads
if [ ! -x "$folder/mads" ] || [ "$MADS_SOURCE/mads.pas" -nt "$folder/mads" ]; then
    mkdir -p "$folder"
    (cd "$MADS_SOURCE" && fpc -Mdelphi -O3 -v0 -FE"$folder" mads.pas) >&2
fi
echo "$folder"
