#!/usr/bin/env bash
# .ci/python.sh: the Python package is built, packed into a wheel, installed into a fresh virtual environment, tested by pytest, and its types are checked. What cannot
# be had is said in capitals.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=.ci/setup.sh
. .ci/setup.sh
cargo build --locked --manifest-path python/Cargo.toml
module=$(realpath "${CARGO_TARGET_DIR:-python/target}")/debug/lib_anticlock.so
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/python
tools=$folder/tools

skip() {
    say "SKIPPED: $1"
    exit 0
}

python=
for one in python3 python3.13 python3.12 python3.11; do
    if "$one" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$one
        break
    fi
done
[ -n "$python" ] || skip "THE PYTHON PACKAGE WAS NOT TESTED: it needs Python 3.11 or newer"
if ! "$python" -c 'import venv, ensurepip' 2>/dev/null && [ -z "${ANTICLOCK_NO_SETUP:-}" ]; then
    need_packages "the tests of the Python package" python3-venv || true
fi
"$python" -c 'import venv, ensurepip' 2>/dev/null || skip "THE PYTHON PACKAGE WAS NOT TESTED: it needs Python's venv (python3-venv)"

# What the tests need is fetched once, into an environment of its own; each run has a fresh one that sees it.
pip() { "$1" -m pip --quiet --disable-pip-version-check "${@:2}"; }
wanted=$(sha256sum python/requirements.txt | cut -c1-16)-$("$python" -c 'import sys; print(sys.version_info[:2])')
if [ "$(cat "$tools/complete" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$tools"
    "$python" -m venv "$tools"
    say "fetching the packages of python/requirements.txt"
    pip "$tools/bin/python" install --only-binary :all: -r python/requirements.txt ||
        skip "THE PYTHON PACKAGE WAS NOT TESTED: pip could not fetch the packages of python/requirements.txt"
    echo "$wanted" >"$tools/complete"
fi
# optional NAME [OPTION]... adds what a test needs that is too large to be asked of everyone: python/requirements-NAME.txt, by pip with these options, in a folder of its own.
optional() {
    local list=python/requirements-$1.txt place=$folder/$1
    local wanted
    wanted=$(sha256sum "$list" | cut -c1-16)-$("$python" -c 'import sys; print(sys.version_info[:2])')
    if [ "$(cat "$place/complete" 2>/dev/null)" != "$wanted" ]; then
        rm -rf "$place"
        say "fetching the packages of $list"
        if ! pip "$tools/bin/python" install --only-binary :all: --target "$place" "${@:2}" -r "$list"; then
            say "SKIPPED: ${1^^} WAS NOT TRIED: pip could not fetch the packages of $list"
            return
        fi
        echo "$wanted" >"$place/complete"
    fi
    echo "$place" >>"$packages/tools.pth"
}

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
"$python" -m venv --without-pip "$fresh/venv"
packages=$("$fresh/venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')
"$tools/bin/python" -c 'import site; print(site.getsitepackages()[0])' >"$packages/tools.pth"
optional ray
# A cluster wants processes, ports and shared memory, which a container may refuse.
start='import ray; ray.init(num_cpus=1, include_dashboard=False, object_store_memory=80 << 20, _node_ip_address="127.0.0.1"); ray.shutdown()'
bound=(env)
long=(env)
! command -v timeout >/dev/null || bound=(timeout -k 10 180) long=(timeout -k 10 900)
if [ -e "$folder/ray/complete" ] && ! RAY_USAGE_STATS_ENABLED=0 "${bound[@]}" "$fresh/venv/bin/python" -c "$start" >"$fresh/ray.log" 2>&1; then
    tail -3 "$fresh/ray.log"
    say "SKIPPED: RAY WAS NOT TRIED: it does not start here"
    sed -i '\|/ray$|d' "$packages/tools.pth"
fi
optional agents --no-deps

# learn ROOT NAME MODULE TEST [OPTION]... runs a test of an example that learns by a module, where a Python of the system has PyTorch (Debian's python3-torch), which is too large to be fetched for
# everyone. It has the packages of python/requirements-NAME.txt, by pip with these options.
learn() {
    local one with= root=$1 place=$folder/$2 list=$1/python/requirements-$2.txt packages=$fresh/learn
    for one in "$python" /usr/bin/python3; do
        if "$one" -c 'import sys, torch; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            with=$one
            break
        fi
    done
    if [ -z "$with" ]; then
        say "SKIPPED: ${2^^} WAS NOT TRIED: no Python here has PyTorch (python3-torch)"
        return
    fi
    if ! { "$with" -m venv --without-pip --system-site-packages "$place" &&
        pip "$tools/bin/python" --python "$place/bin/python" install --only-binary :all: "${@:5}" -r "$list" &&
        pip "$tools/bin/python" install --no-deps --no-index --upgrade --target "$packages" "$wheel" &&
        PYTHONPATH=$packages "$place/bin/python" -c "import anticlock, pytest, $3"; }; then
        say "SKIPPED: ${2^^} WAS NOT TRIED: the packages of $list cannot be had, or do not fit to the PyTorch that is here"
        return
    fi
    RAY_USAGE_STATS_ENABLED=0 PYTHONPATH=$packages "${long[@]}" "$place/bin/python" -m pytest -p no:cacheprovider --rootdir "$root/python" -c "$root/python/pyproject.toml" "$root/python/tests/$4"
}

strip -o "$fresh/module.so" "$module" 2>/dev/null || cp "$module" "$fresh/module.so"
wheel=$("$python" python/pack.py "$fresh/module.so" "$folder/wheels")
pip "$tools/bin/python" --python "$fresh/venv/bin/python" install --no-deps --no-index "$wheel"
cd "$fresh"
"$fresh/venv/bin/python" -m pytest -p no:cacheprovider --rootdir "$OLDPWD/python" -c "$OLDPWD/python/pyproject.toml" "$OLDPWD/python/tests"
learn "$OLDPWD" learn sb3_contrib test_learn.py --no-deps
learn "$OLDPWD" rllib ray.rllib.algorithms.ppo test_rllib.py
"$fresh/venv/bin/python" -m mypy --cache-dir "$folder/mypy" --config-file "$OLDPWD/python/pyproject.toml" -p anticlock -p anticlock_tasks
"$fresh/venv/bin/python" -m mypy --cache-dir "$folder/mypy" --config-file "$OLDPWD/python/pyproject.toml" "$OLDPWD"/python/examples/*.py
"$fresh/venv/bin/python" -m mypy.stubtest --mypy-config-file "$OLDPWD/python/pyproject.toml" anticlock._anticlock
# The reference: a page for each module, from the docstrings. A warning is a mistake in one.
"$fresh/venv/bin/python" -W error::UserWarning -m pdoc -o "$folder/reference" anticlock anticlock.{batch,gym,why,zoo}
test -s "$folder/reference/anticlock/zoo.html"
if command -v pyright >/dev/null; then
    pyright -p "$OLDPWD/python/pyproject.toml" --pythonpath "$fresh/venv/bin/python" "$OLDPWD/python/anticlock" "$OLDPWD/python/anticlock_tasks"
else
    say "SKIPPED: THE TYPES WERE NOT CHECKED BY PYRIGHT, which is not installed (mypy and stubtest have checked them)"
fi
