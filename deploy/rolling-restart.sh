#!/bin/sh
# Restarts the relays of this machine one after the other: each once the one before is ready. Stops if one does not start, so that the
# others keep taking payments. Run it as root: turnpike-relay rolling-restart
set -u

fail() {
  echo "rolling-restart: $1" >&2
  exit 1
}

listed=$(systemctl list-units --plain --no-legend --no-pager --type=service 'turnpike-relay@*.service') || exit 1
# Relays that do not run come first: if one of them does not start, the running ones must not be stopped.
units=$(echo "$listed" | awk '$3 != "" && $3 != "active" { print $1 }')
units="$units $(echo "$listed" | awk '$3 == "active" { print $1 }')"
# Names of units contain no spaces.
# shellcheck disable=SC2086
set -- $units
[ $# -gt 0 ] || fail 'no relay runs here: systemctl start turnpike-relay@8101'

for unit; do
  # systemd waits until a unit is ready only if it has this type.
  type=$(systemctl show --property=Type --value "$unit") || exit 1
  [ "$type" = notify ] || fail "$unit has Type=$type: install turnpike-relay@.service of this release, then systemctl daemon-reload"
done

while [ $# -gt 0 ]; do
  unit=$1
  shift
  if ! systemctl restart "$unit"; then
    status=$(systemctl show --property=StatusText --value "$unit")
    [ $# -eq 0 ] || echo "rolling-restart: not restarted: $*" >&2
    fail "$unit did not start. ${status:-See: systemctl status $unit}"
  fi
  echo "$unit is ready"
done
