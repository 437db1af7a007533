#!/bin/sh
# Sets everything up (the first time), then runs the tests: sh scripts/test.sh [pytest's arguments]
# Paths are relative to the repository. --setup-only: without the tests.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
extras='[dev]'
. "$root/scripts/setup.sh"

set_up
[ "${1:-}" != --setup-only ] || exit 0
cd "$root"
exec "$venv_python" -m pytest "$@"
