#!/bin/sh
# Backs up the database of compose.yml while relays run. Run it as root.
#
#   docker-backup.sh FOLDER [DAYS]
#
# The dump goes to FOLDER; those older than DAYS (14) are deleted once the new one is whole. Prints the dump's path.
set -eu
umask 077
[ $# -ge 1 ] || {
  echo 'usage: docker-backup.sh FOLDER [DAYS]' >&2
  exit 1
}
folder=$(realpath -m "$1")
days=${2:-14}
# The database of the relays. A restore creates another one.
cd "$(dirname "$0")"
database=$(sed 's|.*/||' secrets/store)

mkdir -p "$folder"
part=$(mktemp "$folder/.part-XXXXXX")
trap 'rm -f "$part"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
docker compose exec -T postgres pg_dump --username=turnpike --format=custom --schema=turnpike --no-owner --no-privileges "$database" >"$part"
docker compose exec -T postgres pg_restore --list <"$part" >/dev/null
sync "$part"
dump=$folder/turnpike-$(date -u +%Y%m%dT%H%M%SZ).dump
mv "$part" "$dump"
find "$folder" -maxdepth 1 -type f -name 'turnpike-*Z.dump' -mtime "+$days" -delete
echo "$dump"
