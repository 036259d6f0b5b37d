#!/bin/sh
# Starts the relay of this release.
self=$0
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
case $self in */*) ;; *) self=./$self ;; esac
here=$(CDPATH='' cd -P -- "${self%/*}" && pwd) || exit 1
if [ "${1-}" = rolling-restart ]; then exec sh "$here/deploy/rolling-restart.sh"; fi
. "$here/check-node.sh"

case ${1-} in
'') exec node --disable-warning=ExperimentalWarning --expose-gc "$here/relay/main.js" ;;
check)
  shift
  exec node --disable-warning=ExperimentalWarning "$here/relay/check.js" "$@"
  ;;
migrate)
  shift
  exec node --disable-warning=ExperimentalWarning "$here/relay/migrate.js" "$@"
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

  check             check the configuration and the files that it names, and start nothing; with --reload for a relay that runs: what is
                    wrong is an error in the log, not fatal
  migrate --check   say what the next start changes in the store, and change nothing
  rolling-restart   restart the relays of this machine one after the other, and stop at the first that does not start
  --version         print the version
  --help            print this text

Environment:
  TURNPIKE_CONFIG    the config file (required); check it with: turnpike config check FILE
  TURNPIKE_PREVIOUS  folders of earlier releases, separated by colons: pages that were loaded from them still get their scripts
  PORT_RELAY         the port, in place of listen.port
  LOG_LEVEL          trace, debug, info (default), warn, error, fatal or silent
HELP
