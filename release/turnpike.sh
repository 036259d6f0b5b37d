#!/bin/sh
# Runs the command line of this release: turnpike --help.
self=$0
if [ -L "$self" ]; then self=$(readlink -f -- "$self"); fi
case $self in */*) ;; *) self=./$self ;; esac
here=$(CDPATH='' cd -P -- "${self%/*}" && pwd) || exit 1
. "$here/check-node.sh"
exec node --disable-warning=ExperimentalWarning "$here/cli/main.js" "$@"
