#!/bin/sh
# Exits with one line where there is no Node.js that can run Turnpike. Package scripts run it, and the release's launchers source it.
advice='Install it from https://nodejs.org, or put it first in PATH.'
found=$(node --version 2>/dev/null) || found=none
if [ "$found" = none ] && command -v node >/dev/null; then
  why=$(node --version 2>&1)
  found="one that does not run (${why%%
*})"
  # Node.js 26 needs a library that a bare Debian does not have.
  case $why in *libatomic*) advice='Install its library (Debian, as root: apt-get install libatomic1).' ;; esac
fi
major=${found#v}
major=${major%%.*}
case $major in '' | *[!0-9]*) major=0 ;; esac
if [ "$major" -lt 24 ]; then
  echo "Turnpike needs Node.js 24 or newer, found: $found. $advice" >&2
  exit 1
fi
