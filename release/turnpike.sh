#!/bin/sh
# Runs the command line of this release: turnpike --help.
self=$0
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
here=$(cd -P -- "${self%/*}" && pwd)
. "$here/check-node.sh"
exec node --disable-warning=ExperimentalWarning "$here/cli/main.ts" "$@"
