# Makes .venv ready. Sourced by start.sh and test.sh, which set `root` (the repository) and `extras` ("" or "[dev]").
# POSIX sh. Environment: CATDOG_TORCH=cpu takes PyTorch without NVIDIA's libraries (or cu126, cu130, ...).

debian_packages="python3-venv libegl1 libgl1 libglib2.0-0 libdbus-1-3 libfontconfig1 libfreetype6 libx11-xcb1
libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0
libxcb-shape0 libxcb-shm0 libxcb-sync1 libxcb-xfixes0 libxcb-xkb1 fonts-dejavu-core"

venv=$root/.venv
venv_python=$venv/bin/python

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$*"
    exit 1
}

# Changes whenever the project is moved or its needs change.
setup_key() { printf '%s %s' "$root" "$(cksum <"$root/pyproject.toml")"; }

stamp() { if [ -n "$extras" ]; then printf '%s' "$venv/ready-dev"; else printf '%s' "$venv/ready"; fi; }

is_ready() {
    [ -x "$venv_python" ] || return 1
    for file in "$(stamp)" "$venv/ready-dev"; do # what is ready for the tests is ready for the window
        if [ -f "$file" ] && [ "$(cat "$file")" = "$(setup_key)" ]; then
            "$venv_python" -I -c 'from catdog_gui import __version__' 2>/dev/null # fails after the system's Python was replaced
            return
        fi
    done
    return 1
}

find_python() {
    for name in python3 python3.13 python3.12 python3.11 python3.14 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            python=$name
            return
        fi
    done
    return 1
}

# The packages of the list that are neither installed nor provided by one that is (Ubuntu renames some: libglib2.0-0t64).
missing_packages() {
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' | sed -n 's/^installed / /p' |
        tr ',\n' '  ')
    for package in $debian_packages; do
        case "$installed " in
        *" $package "*) ;;
        *) [ "$package" = python3-venv ] && can_make_venv || printf '%s ' "$package" ;;
        esac
    done
}

can_make_venv() { find_python && "$python" -c 'import ensurepip, venv' 2>/dev/null; }

install_packages() {
    command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || return 0
    missing=$(missing_packages)
    missing=${missing% }
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" = 0 ]; then
        as_root=env
    elif command -v sudo >/dev/null; then
        as_root=sudo
    else
        fail "Some system packages are missing; please have an administrator run: apt-get install $missing"
    fi
    say "Installing system packages: $missing"
    # shellcheck disable=SC2086 # a list of words
    $as_root apt-get -qq update &&
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $missing >/dev/null ||
        fail "The system packages could not be installed; please have an administrator run: apt-get install $missing"
}

make_venv() {
    if [ -x "$venv_python" ] && "$venv_python" -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
    then
        return
    fi
    find_python || fail "Python 3.11 or newer is needed and was not found; install it (https://www.python.org/downloads/) and try again."
    rm -rf "$venv" # none, or a broken one
    "$python" -m venv "$venv" || fail "The Python environment $venv could not be made; the reason is above."
}

install_torch_first() {
    "$venv_python" -c 'import torch' 2>/dev/null && return
    if [ -n "${CATDOG_TORCH:-}" ]; then
        say "Installing PyTorch ($CATDOG_TORCH)."
        what="PyTorch for CATDOG_TORCH=$CATDOG_TORCH (cpu, cu126 or cu130)"
        pip_install torch torchvision --index-url "https://download.pytorch.org/whl/$CATDOG_TORCH"
    elif [ "$(uname -s)" = Linux ]; then
        say "PyTorch for your computer is about 3 GB, since it can use NVIDIA cards; it is downloaded now, once." \
            "Without such a card, stop this with Ctrl-C and set CATDOG_TORCH=cpu, which takes 200 MB."
    fi
}

# $what names the packages.
pip_install() {
    if [ -t 1 ]; then quiet=; else quiet=--quiet; fi
    "$venv_python" -m pip --disable-pip-version-check install $quiet "$@" ||
        fail "$what could not be installed; pip's reason is above. Check that this computer is online (behind a proxy," \
            "set HTTPS_PROXY) and that its disk has room, then run the same command again: it goes on from there."
}

set_up() {
    is_ready && return
    install_packages
    make_venv
    say "Setting everything up in $venv; the first time this takes some minutes."
    install_torch_first
    what="What the program needs"
    pip_install -e "$root$extras"
    setup_key >"$(stamp)"
}
