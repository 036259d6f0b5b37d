#!/bin/sh
# Starts the relay of this release.
self=$0
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
case $self in */*) ;; *) self=./$self ;; esac
here=$(CDPATH='' cd -P -- "${self%/*}" && pwd) || exit 1
. "$here/check-node.sh"

case ${1-} in
'') exec node --disable-warning=ExperimentalWarning "$here/relay/main.ts" ;;
migrate)
  shift
  exec node --disable-warning=ExperimentalWarning "$here/relay/migrate.ts" "$@"
  ;;
--version) exec node -p 'require(process.argv[1]).version' "$here/package.json" ;;
--help) ;;
*)
  echo "turnpike-relay: unknown argument $1 (add --help for the usage)" >&2
  exit 2
  ;;
esac

cat <<'HELP'
Usage: TURNPIKE_CONFIG=relay.json turnpike-relay

Starts the relay, which runs until SIGTERM or SIGINT, and reads its configuration again at SIGHUP. Needs Node.js 24 or newer in PATH.

  migrate --check   say what the next start changes in the store, and change nothing
  --version         print the version
  --help            print this text

Environment:
  TURNPIKE_CONFIG    the config file (required); check it with: turnpike config check FILE
  TURNPIKE_PREVIOUS  folders of earlier releases, separated by colons: pages that were loaded from them still get their scripts
  PORT_RELAY         the port, in place of listen.port
  LOG_LEVEL          trace, debug, info (default), warn, error, fatal or silent
HELP
