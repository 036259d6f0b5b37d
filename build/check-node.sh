#!/bin/sh
# Exits with one line where there is no Node.js that can run Turnpike. Package scripts run it, and the release's launchers source it.
found=$(node --version 2>/dev/null) || found=none
if [ "$found" = none ] && command -v node >/dev/null; then
  why=$(node --version 2>&1)
  found="one that does not run (${why%%
*})"
fi
major=${found#v}
major=${major%%.*}
case $major in '' | *[!0-9]*) major=0 ;; esac
if [ "$major" -lt 24 ]; then
  echo "Turnpike needs Node.js 24 or newer, found: $found. Install it from https://nodejs.org, or put it first in PATH." >&2
  exit 1
fi
