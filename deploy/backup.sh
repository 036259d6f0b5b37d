#!/bin/sh
# Backs the relay's store up while relays run.
#
#   backup.sh STORE_FILE FOLDER [DAYS [METRICS]]
#
# STORE_FILE holds the address of the store, as the relay reads it (/etc/turnpike/secrets/store). The backup, its checksum and the list
# of its contents, by which verify-backup.sh checks it, go to FOLDER; those older than DAYS (14) are deleted once the new one is whole.
# Prints the backup's path. METRICS is a file for the textfile collector of Prometheus's node exporter, which tells the alert BackupIsOld
# when the last backup was made; without its folder it is not written.
#
# SQLite is copied by its own backup, which is a consistent copy with the log. PostgreSQL is dumped with pg_dump: a dump is one
# snapshot, has the relay's schema alone, and can be restored on another machine, by an ordinary role, into a newer version. What came
# after the dump is not in it. To lose nothing at a failure of the server have a synchronous standby, and for any point in time
# pg_basebackup with an archive of the WAL: both are of the whole server, not of the relay.
set -eu
umask 077
# shellcheck source=deploy/store.sh
. "$(dirname "$0")/store.sh"

[ $# -ge 2 ] || fail 'usage: backup.sh STORE_FILE FOLDER [DAYS [METRICS]]'
read_store "$1"
folder=$2
days=${3:-14}
metrics=${4:-}
case $days in '' | *[!0-9]*) fail "DAYS must be a number, not $days" ;; esac

mkdir -p "$folder"
name=turnpike-$(date -u +%Y%m%dT%H%M%SZ)
# The files of a backup that was killed are also copies of the store.
find "$folder" -maxdepth 1 -type d -name '.part-??????' -mtime +0 -exec rm -rf {} +
part=$(mktemp -d "$folder/.part-XXXXXX")
trap 'rm -rf "$part"' EXIT
# A shell that a signal ends does not run the trap of EXIT.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

case $kind in
sqlite)
  need sqlite3 sqlite3
  [ -f "$path" ] || fail "there is no $path"
  # In a read transaction: without one each write of a relay makes the backup begin anew, and on a busy store it never ends.
  sqlite_contents "$path" "$part/contents" "$part/copy"
  found=$(sqlite3 "$part/copy" 'PRAGMA journal_mode = DELETE; PRAGMA integrity_check')
  [ "$found" = "delete
ok" ] || fail "the copy is damaged: $found"
  name=$name.db.gz
  gzip -c "$part/copy" >"$part/$name"
  ;;
postgres)
  check_postgres_version pg_dump
  need pg_restore postgresql-client
  name=$name.dump
  # The contents are those of the dump's own snapshot, which lasts as long as the transaction. A marker says that the dump is complete.
  DUMP=$part/$name
  ADDRESS=$address
  export DUMP ADDRESS
  {
    printf '%s\n' 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;'
    printf '%s\n' 'SELECT pg_export_snapshot() AS snapshot \gset' '\setenv SNAPSHOT :snapshot'
    # shellcheck disable=SC2016 # psql starts a shell that knows them.
    printf '%s\n' '\! pg_dump --snapshot="$SNAPSHOT" --format=custom --schema=turnpike --no-owner --no-privileges --file="$DUMP" --dbname="$ADDRESS" && : >"$DUMP.made"'
    postgres_contents
    echo 'COMMIT;'
  } | psql_to "$part/contents"
  [ -e "$DUMP.made" ] || fail 'the dump failed'
  pg_restore --list "$part/$name" | grep -q 'TABLE DATA turnpike' || fail 'the dump has no table of the relay'
  ;;
esac

(cd "$part" && sha256sum "$name" >"$name.sha256")
mv "$part/contents" "$part/$name.contents"
sync "$part/$name" "$part/$name.sha256" "$part/$name.contents"
mv "$part/$name" "$part/$name.sha256" "$part/$name.contents" "$folder/"
find "$folder" -maxdepth 1 -type f -name 'turnpike-*Z.*' ! -name "$name*" -mtime "+$days" -delete
if [ -n "$metrics" ] && [ -d "$(dirname "$metrics")" ]; then
  # Its own name: others may write to the folder.
  new=$(mktemp "$metrics.XXXXXX")
  printf '# TYPE turnpike_backup_timestamp_seconds gauge\nturnpike_backup_timestamp_seconds %s\n' "$(date +%s)" >"$new"
  chmod 0644 "$new"
  mv "$new" "$metrics"
fi
echo "$folder/$name"
