# Sourced by ./play and ./test: what a machine needs before Cargo can work.
# shellcheck shell=bash

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }

# need_packages WHY PACKAGE...: installs, through apt, the Debian packages that are missing; says which and why.
need_packages() {
    local why=$1 missing=() package
    shift
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "no apt on this system; $why needs the equivalents of these Debian packages: $*"
        return 0
    fi
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "$why needs these packages; as root run: apt-get install ${missing[*]}"
            return 1
        fi
        as_root=(sudo)
    fi
    say "$why needs packages that are missing; installing with ${as_root[*]}${as_root:+ }apt-get: ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >&2 && return 0
    say "that did not work; refreshing the package lists and trying once more"
    "${as_root[@]}" apt-get update >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}" >&2
}

# need_cargo: a Rust toolchain is the one thing that we expect to be there.
need_cargo() {
    if ! command -v cargo >/dev/null && [ -f "$HOME/.cargo/env" ]; then
        # shellcheck disable=SC1091
        . "$HOME/.cargo/env"
    fi
    if ! command -v cargo >/dev/null; then
        say "no Rust toolchain found: install Rust 1.88 or newer (rustup) and run this again"
        return 1
    fi
}
