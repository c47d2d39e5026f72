#!/usr/bin/env bash
# .ci/systems.sh ANTICLOCK: the program without a window, built for Windows and for aarch64, and tried by wine and by qemu: it must compute and draw
# what ANTICLOCK does, byte for byte. What cannot be built or tried is said in capitals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.ci/setup.sh
. .ci/setup.sh
native=$(realpath "$1")
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
folder=$target/systems
windows=x86_64-pc-windows-gnu
arm=aarch64-unknown-linux-gnu
rm -rf "$folder/tried"
mkdir -p "$folder/tried" "$folder/windows"

# has_target TARGET: true if the standard library for another system is there, or rustup can fetch it.
has_target() { [ -d "$(rustc --print sysroot)/lib/rustlib/$1" ] || { command -v rustup >/dev/null && rustup target add "$1"; }; }

build() { cargo build --locked --quiet --target "$1" --package frontend --no-default-features; }

# bounded COMMAND...: no emulator runs without a bound where the system has one.
bounded() { if command -v timeout >/dev/null; then timeout 300 "$@"; else "$@"; fi }

# draw NAME COMMAND...: the text that the program prints and the picture that it draws, in files of this name.
draw() {
    local name=$folder/tried/$1
    shift
    bounded "$@" headless basic --type 'PRINT 6*7\n' --text </dev/null | tr -d '\r' >"$name.txt" || return 1
    # Relative, because a path of this system is none of the other's.
    (cd "$folder/tried" && bounded "$@" headless gammon --frames 900 --screenshot "${name##*/}.png" </dev/null)
}

# compare NAME WHAT: ends with status 1 if the files of this name are not those of the native program.
compare() {
    local ending
    for ending in txt png; do
        if ! cmp "$folder/tried/native.$ending" "$folder/tried/$1.$ending"; then
            say "the program for $2 does not print and draw what this system's does: see $folder/tried"
            exit 1
        fi
    done
    say "the program for $2 prints 42 and draws the same picture of $(wc -c <"$folder/tried/$1.png") bytes"
}

try_windows() {
    if ! has_target $windows || ! command -v x86_64-w64-mingw32-gcc >/dev/null; then
        say "SKIPPED: THE PROGRAM FOR WINDOWS WAS NOT BUILT AND NOT TRIED: it needs the target $windows and x86_64-w64-mingw32-gcc"
        return
    fi
    build $windows
    if ! command -v wine >/dev/null; then
        say "SKIPPED: THE PROGRAM FOR WINDOWS WAS BUILT AND NOT TRIED: it needs wine"
        return
    fi
    # Neither .NET nor a browser, which wine would ask for in a window; and no window.
    export WINEPREFIX=$folder/wine WINEDLLOVERRIDES=mscoree,mshtml= WINEDEBUG=-all
    unset DISPLAY WAYLAND_DISPLAY
    trap 'wineserver -k 2>/dev/null || true' EXIT
    if ! bounded wine cmd /c "echo ok" </dev/null 2>/dev/null | grep -q ok; then
        say "SKIPPED: THE PROGRAM FOR WINDOWS WAS BUILT AND NOT TRIED: wine runs nothing here"
        return
    fi
    cp "$target/$windows/debug/anticlock.exe" "$folder/windows"
    x86_64-w64-mingw32-gcc -shared -o "$folder/windows/bcryptprimitives.dll" xtask/release/src/prng.c -ladvapi32
    draw windows wine "$folder/windows/anticlock.exe"
    compare windows "Windows (wine)"
}

try_arm() {
    if ! has_target $arm || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
        say "SKIPPED: THE PROGRAM FOR AARCH64 WAS NOT BUILT AND NOT TRIED: it needs the target $arm and aarch64-linux-gnu-gcc"
        return
    fi
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc build $arm
    if ! command -v qemu-aarch64-static >/dev/null; then
        say "SKIPPED: THE PROGRAM FOR AARCH64 WAS BUILT AND NOT TRIED: it needs qemu-aarch64-static"
        return
    fi
    if ! qemu-aarch64-static --version >/dev/null 2>&1; then
        say "SKIPPED: THE PROGRAM FOR AARCH64 WAS BUILT AND NOT TRIED: qemu-aarch64-static does not start"
        return
    fi
    draw arm qemu-aarch64-static -L /usr/aarch64-linux-gnu "$target/$arm/debug/anticlock"
    compare arm "aarch64 (qemu)"
}

draw native "$native"
grep -q 42 "$folder/tried/native.txt"
try_windows
try_arm
