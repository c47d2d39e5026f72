#!/usr/bin/env bash
# .ci/desktop.sh ANTICLOCK: what `anticlock generate` prints, checked by the tools that read it: desktop entry, AppStream metainfo, types of files,
# manual page, completions; and the list of properties for Macs. What cannot be checked for want of a tool is said in capitals; what is found wrong ends with status 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.ci/setup.sh
. .ci/setup.sh
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/mime/packages"
"$program" generate desktop >"$folder/anticlock.desktop"
"$program" generate metainfo >"$folder/org.anticlock.Anticlock.metainfo.xml"
"$program" generate mime >"$folder/mime/packages/anticlock.xml"
"$program" generate man >"$folder/anticlock.1"
for shell in bash zsh fish; do "$program" generate "$shell" >"$folder/anticlock.$shell"; done

# check TOOL WHAT COMMAND...: runs the command where the tool is there.
check() {
    local tool=$1 what=$2
    shift 2
    if command -v "$tool" >/dev/null; then
        local said
        if ! said=$("$@" 2>&1); then
            say "$what: $said"
            exit 1
        fi
    else
        say "NOT CHECKED: ${what^^}: $tool is not there"
    fi
}
# A warning of these tools is a fault, too.
quiet() { local said; said=$("$@" 2>&1) && [ -z "$said" ] || { printf '%s\n' "$said"; return 1; }; }

check desktop-file-validate "the desktop entry" quiet desktop-file-validate "$folder/anticlock.desktop"
check appstreamcli "the AppStream metainfo" appstreamcli validate --no-net "$folder/org.anticlock.Anticlock.metainfo.xml"
check update-mime-database "the types of files" env XDG_DATA_DIRS="$folder" update-mime-database "$folder/mime"
check python3 "the list for Macs" python3 -c 'import plistlib, sys; plistlib.load(open(sys.argv[1], "rb"))' frontend/desktop/Info.plist
check groff "the manual page" quiet groff -man -ww -z "$folder/anticlock.1"
check bash "completions for bash" bash -n "$folder/anticlock.bash"
check zsh "completions for zsh" zsh -n "$folder/anticlock.zsh"
check fish "completions for fish" fish -n "$folder/anticlock.fish"

# Every type that the entry opens has a definition, and the metainfo names the same.
types() { grep -o 'application/x-atari-[a-z]*' "$1" | sort -u; }
for file in "$folder/org.anticlock.Anticlock.metainfo.xml" "$folder/mime/packages/anticlock.xml"; do
    if [ "$(types "$folder/anticlock.desktop")" != "$(types "$file")" ]; then
        say "${file##*/} and the desktop entry name other types of files"
        exit 1
    fi
done
