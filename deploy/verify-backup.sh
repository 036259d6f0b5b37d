#!/bin/sh
# Restores a backup into a scratch store, compares it with the list of contents that backup.sh made, and deletes the scratch store.
#
#   verify-backup.sh BACKUP [SCRATCH_FILE]
#
# BACKUP is a file of backup.sh, with its checksum and its list of contents in the same folder. For SQLite the scratch store is a
# temporary file in TMPDIR. For PostgreSQL, SCRATCH_FILE contains the address of an empty database, on this or another server.
#
# Compares the number of rows of every table, and a checksum of the rows of payments and refunds. Exits with 1 if anything differs.
set -eu
umask 077
# shellcheck source=deploy/store.sh
. "$(dirname "$0")/store.sh"

case $# in 1 | 2) ;; *) fail 'usage: verify-backup.sh BACKUP [SCRATCH_FILE]' ;; esac
backup=$1
for file in "$backup" "$backup.contents"; do [ -r "$file" ] || fail "cannot read $file"; done
check_sum "$backup"
part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

case $backup in
*.db.gz)
  need sqlite3 sqlite3
  gunzip -c "$backup" >"$part/store.db"
  found=$(sqlite3 "$part/store.db" 'PRAGMA integrity_check')
  [ "$found" = ok ] || fail "the backup is damaged: $found"
  sqlite_contents "$part/store.db" "$part/contents"
  ;;
*.dump)
  [ $# -eq 2 ] || fail 'SCRATCH_FILE is missing: a file with the address of an empty database'
  read_store "$2"
  [ "$kind" = postgres ] || fail "$2 must hold postgres://…"
  check_postgres_version pg_restore
  found=$(ask_postgres "SELECT count(*) FROM pg_namespace WHERE nspname = 'turnpike'")
  [ "$found" = 0 ] || fail 'the scratch database has a schema turnpike: make a new, empty database'
  # The schema did not exist, so it may be dropped at the end. A failed restore leaves no schema.
  trap 'ask_postgres "SET client_min_messages = warning; DROP SCHEMA IF EXISTS turnpike CASCADE" || true; rm -rf "$part"' EXIT
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$address" "$backup"
  postgres_contents | psql_to "$part/contents"
  ;;
*) fail "$backup is no backup of backup.sh" ;;
esac

diff "$backup.contents" "$part/contents" >"$part/differences" ||
  fail "$backup does not contain what the store did. < is the store, > the backup:
$(cat "$part/differences")"
rows=$(awk -F'|' '$2 ~ /^[0-9]+$/ { tables += 1; rows += $2 } END { print tables " tables, " rows " rows" }' "$part/contents")
echo "$backup contains what the store did: $rows, with the same payments and refunds"
