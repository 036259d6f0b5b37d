#!/bin/sh
# Makes a backup of the relay's store while relays run.
#
#   backup.sh STORE_FILE FOLDER [DAYS [METRICS]]
#
# STORE_FILE contains the address of the store, and is the file that the relay reads (/etc/turnpike/secrets/store). FOLDER gets the
# backup, its checksum, and a list of its contents for verify-backup.sh. Once the new backup is complete, backups older than DAYS (14)
# are deleted. Prints the backup's path. METRICS is a file for the textfile collector of Prometheus's node exporter: it has the time of
# the last backup, for the alert BackupIsOld. It is not written if its folder does not exist.
#
# An SQLite file is copied with SQLite's own backup command, which includes the write-ahead log. PostgreSQL is dumped with pg_dump: a
# dump is one snapshot of the relay's schema, and an ordinary role can restore it on another machine into a newer version. It has
# nothing that was written later. To lose nothing when the server fails, use a synchronous standby; to restore any point in time, use
# pg_basebackup with an archive of the WAL. Both cover the whole server.
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
# Deletes the files of a backup that was killed, because they too are copies of the store.
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
  # Runs in a read transaction: without one, each write of a relay would restart the backup, which would never end on a busy store.
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
  # The list of contents is read in the dump's snapshot, so both are made in one transaction. psql ignores the exit status of pg_dump,
  # so a file tells that it succeeded.
  DUMP=$part/$name
  ADDRESS=$address
  export DUMP ADDRESS
  {
    printf '%s\n' 'BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY;'
    printf '%s\n' 'SELECT pg_export_snapshot() AS snapshot \gset' '\setenv SNAPSHOT :snapshot'
    # shellcheck disable=SC2016 # The shell that psql starts expands these variables.
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
  # A unique name, because others may write to the folder.
  new=$(mktemp "$metrics.XXXXXX")
  printf '# TYPE turnpike_backup_timestamp_seconds gauge\nturnpike_backup_timestamp_seconds %s\n' "$(date +%s)" >"$new"
  chmod 0644 "$new"
  mv "$new" "$metrics"
fi
echo "$folder/$name"
