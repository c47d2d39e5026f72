#!/usr/bin/env bash
# .ci/editor.sh PROGRAM: the extension of editors/vscode with its tests, and the real editor with it: VS Code's server, which code-server
# packs for npm, with Chromium as its window. PROGRAM is the anticlock to test with. What cannot be had is said in capitals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.ci/setup.sh
. .ci/setup.sh
ANTICLOCK=$(realpath "$1")
export ANTICLOCK
extension=editors/vscode
# The last version that the node of this project's page runs; the packages under it are pinned by its own list.
version=4.99.4
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/tools/code-server-$version
server=$folder/node_modules/code-server/lib/vscode

skip() {
    say "SKIPPED: $1"
    exit 0
}

# install_server: without the scripts of its packages, which fetch programs from other places; the modules that the editor cannot do
# without are built here, and the search is Debian's ripgrep.
install_server() {
    local gyp node module
    gyp=$(dirname "$(realpath "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js
    node=$(dirname "$(dirname "$(realpath "$(command -v node)")")")
    [ -f "$gyp" ] && [ -d "$node/include/node" ] || return 1
    mkdir -p "$folder"
    echo '{ "private": true }' >"$folder/package.json"
    npm install --prefix "$folder" --ignore-scripts --no-fund --no-audit --loglevel=error "code-server@$version" >&2 || return 1
    npm install --prefix "$server" --ignore-scripts --no-fund --no-audit --loglevel=error --omit=dev >&2 || return 1
    for module in node-pty @vscode/spdlog native-watchdog; do
        (cd "$server/node_modules/$module" && node "$gyp" rebuild --nodedir="$node" >build.log 2>&1) || return 1
    done
    mkdir -p "$server/node_modules/@vscode/ripgrep/bin"
    ln -sf "$(command -v rg)" "$server/node_modules/@vscode/ripgrep/bin/rg"
    touch "$folder/complete"
}

command -v npm >/dev/null && { [ -d $extension/node_modules ] || npm ci --prefix $extension --no-fund --no-audit; } ||
    skip "THE EXTENSION FOR VS CODE WAS NOT BUILT AND NOT TESTED: it needs node 20 and npm, and npm must fetch its packages"
npm run --prefix $extension --silent check
npm test --prefix $extension --silent
npm run --prefix $extension --silent package >/dev/null

unseen="THE EXTENSION WAS NOT TRIED IN THE EDITOR"
chromium=$(command -v chromium || true)
[ -n "$chromium" ] || skip "$unseen: it needs Chromium"
command -v rg >/dev/null && command -v g++ >/dev/null && command -v make >/dev/null || skip "$unseen: it needs ripgrep, g++ and make"
if [ ! -f "$folder/complete" ]; then
    say "installing the server of VS Code into $folder"
    install_server || skip "$unseen: npm could not fetch code-server $version, or its modules could not be built (they need node's headers)"
fi
# An editor in a browser depends on the time that the host gives it: as with the window's tests, a file that fails is run once more.
export CHROMIUM="$chromium" EDITOR_SERVER="$server"
for tests in "$extension"/test/editor/*.test.mjs; do
    node --test --test-timeout=600000 "$tests" || {
        say "FLAKY OR FAILED: $tests IS RUN ONCE MORE"
        node --test --test-timeout=600000 "$tests"
    }
done
