#!/bin/sh
# Sets everything up (the first time), then opens the window: sh scripts/start.sh [FOLDER | RUN | MODEL | PHOTO ...]
# --setup-only: without the window.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd -P)
extras=
. "$root/scripts/setup.sh"

set_up
[ "${1:-}" != --setup-only ] || exit 0
exec "$venv_python" -P -m catdog_gui "$@"
