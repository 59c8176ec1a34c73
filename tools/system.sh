#!/usr/bin/env bash
# Brings a system package that veedor needs: installs it where that is allowed, else names the command.
#   tools/system.sh libgl      the OpenGL library that OpenCV's wheel links to
#   tools/system.sh chromium   the browser that the page tests drive
set -euo pipefail

need() { # need PACKAGE WHY
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "Installing $1 ($2) ..."
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y "$1" >/dev/null
  else
    echo "veedor needs $1 ($2). Install it and run this again:" >&2
    echo "    sudo apt-get install $1        (Debian, Ubuntu; elsewhere the package that has it)" >&2
    exit 1
  fi
}

case "${1:-}" in
  libgl)
    [ "$(uname -s)" = Linux ] || exit 0
    { ldconfig -p 2>/dev/null || /sbin/ldconfig -p; } | grep -q 'libGL\.so\.1' || need libgl1 "OpenCV links to it"
    ;;
  chromium)
    for name in chromium chromium-browser google-chrome; do command -v "$name" >/dev/null && exit 0; done
    need chromium "the page tests drive it"
    ;;
  *)
    echo "usage: tools/system.sh libgl|chromium" >&2
    exit 2
    ;;
esac
