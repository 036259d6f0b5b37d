#!/bin/sh
# Restores a backup into a new, empty store.
#
#   restore.sh STORE_FILE BACKUP CONFIG
#
# STORE_FILE contains the address of the new store, and is the file that the relay reads. BACKUP is a file of backup.sh, with its
# checksum in the same folder. CONFIG is the relay's config file. It must have "paused": true, because the backup lacks later payments.
set -eu
umask 077
# shellcheck source=deploy/store.sh
. "$(dirname "$0")/store.sh"

[ $# -eq 3 ] || fail 'usage: restore.sh STORE_FILE BACKUP CONFIG'
read_store "$1"
backup=$2
config=$3

[ -r "$backup" ] || fail "cannot read $backup"
[ -r "$config" ] || fail "cannot read $config"
tr -d ' \t\r\n' <"$config" | grep -q '"paused":true' ||
  fail "set \"paused\": true in $config first: an order that was paid after the backup could be paid twice"
check_sum "$backup"

case $kind in
sqlite)
  need sqlite3 sqlite3
  case $backup in *.db.gz) ;; *) fail "$backup is no backup of SQLite" ;; esac
  for file in "$path" "$path-wal" "$path-shm"; do
    [ ! -e "$file" ] || fail "$file exists: stop the relay, and move the files of the old store away"
  done
  target=$(dirname "$path")
  mkdir -p "$target"
  part=$(mktemp "$target/.restore-XXXXXX")
  trap 'rm -f "$part"' EXIT
  gunzip -c "$backup" >"$part"
  found=$(sqlite3 "$part" 'PRAGMA integrity_check')
  [ "$found" = ok ] || fail "the backup is damaged: $found"
  # The relay runs as the owner of the folder.
  chown --reference="$target" "$part"
  sync "$part"
  # A hard link fails if the file exists, so it never replaces the store of a relay that was started meanwhile.
  ln -T "$part" "$path" || fail "$path was created meanwhile: stop the relay, and move the files of its store away"
  ;;
postgres)
  case $backup in *.dump) ;; *) fail "$backup is no backup of PostgreSQL" ;; esac
  check_postgres_version pg_restore
  found=$(ask_postgres "SELECT count(*) FROM pg_namespace WHERE nspname = 'turnpike'")
  [ "$found" = 0 ] || fail 'the database has a schema turnpike: make a new database, and put its address into the file of the store'
  pg_restore --single-transaction --exit-on-error --no-owner --no-privileges --dbname="$address" "$backup"
  # Analyzes only the relay's tables, because the role would get a warning for each table that it does not own.
  ask_postgres "DO \$\$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'turnpike' LOOP
      EXECUTE format('ANALYZE turnpike.%I', name);
    END LOOP;
  END \$\$"
  ;;
esac

echo 'Restored. Start the relays, compare with the gateway, then take "paused" out: docs/monitoring.md, After a restore.'
