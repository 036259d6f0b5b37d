# shellcheck shell=sh
# Functions of backup.sh, restore.sh and verify-backup.sh: they read the address of the store, and query it.

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# Decodes %XX in a text to bytes, as in a URL.
decoded() {
  printf '%s\n' "$1" | LC_ALL=C awk '{
    while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
      high = index("0123456789abcdef", tolower(substr($0, RSTART + 1, 1))) - 1
      low = index("0123456789abcdef", tolower(substr($0, RSTART + 2, 1))) - 1
      printf "%s%c", substr($0, 1, RSTART - 1), high * 16 + low
      $0 = substr($0, RSTART + 3)
    }
    print
  }'
}

# Reads the file with the relay's "store". Sets kind, and path (SQLite) or address (PostgreSQL). A password in the address is moved
# to the environment, because other users can read the arguments of a process.
# shellcheck disable=SC2034 # kind and path are for the scripts that read this one.
read_store() {
  [ -r "$1" ] || fail "cannot read $1, the file that holds the address of the store"
  address=$(tr -d '\r\n' <"$1")
  case $address in
  sqlite:*)
    kind=sqlite
    path=${address#sqlite:}
    ;;
  postgres://* | postgresql://*)
    kind=postgres
    rest=${address#*://}
    case $address in
    *[?\&]password=*) fail "$1: put the password before the host, as in postgres://USER:PASSWORD@HOST/NAME" ;;
    esac
    authority=${rest%%[/?]*}
    user=${authority%@*}
    case $authority in
    *:*@*)
      PGPASSWORD=$(decoded "${user#*:}")
      export PGPASSWORD
      address="postgres://${user%%:*}@${authority##*@}${rest#"$authority"}"
      ;;
    esac
    ;;
  *) fail "$1 must hold sqlite:PATH or postgres://…" ;;
  esac
}

need() {
  command -v "$1" >/dev/null || fail "$1 is missing: apt-get install $2"
}

ask_postgres() {
  psql --no-psqlrc --quiet --tuples-only --no-align --dbname "$address" --command "$1"
}

# pg_dump and pg_restore work with servers of their own version and of earlier ones.
check_postgres_version() {
  need psql postgresql-client
  need "$1" postgresql-client
  server=$(ask_postgres 'SHOW server_version_num') || fail "cannot reach PostgreSQL"
  server=$((server / 10000))
  own=$("$1" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/')
  [ "$own" -ge "$server" ] ||
    fail "$1 has version $own and the server $server: install postgresql-client-$server (apt.postgresql.org) and put its bin before others in PATH"
}

# The tables of payments and refunds, of which not only the number of rows is compared, but also a checksum.
money='attempts operations orders payout_requests refunded_payments refunds sessions transactions'

# sqlite_contents FILE CONTENTS [COPY]: lists the contents of an SQLite file in CONTENTS, with a line TABLE|ROWS for each table and
# CHECKSUM|TABLE for each one in $money. COPY becomes a copy of the file, made in the same transaction.
sqlite_contents() {
  file=$1 contents=$2 copy=${3:-}
  set -- 'BEGIN' ".once '$contents.sql'" "SELECT 'SELECT ''' || name || ''', count(*) FROM \"' || name || '\";'
    FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name" ".output '$contents'" ".read '$contents.sql'"
  for table in $money; do set -- "$@" ".sha3sum $table"; done
  [ -z "$copy" ] || set -- "$@" '.output stdout' ".backup '$copy'"
  sqlite3 -readonly -bail -cmd '.timeout 30000' "$file" "$@" >/dev/null
  rm -f "$contents.sql"
}

# Prints psql statements for the same list of a PostgreSQL store. The checksum does not depend on the order of the rows.
postgres_contents() {
  cat <<'SQL'
SELECT format('SELECT %L, count(*) FROM turnpike.%I', tablename, tablename)
  FROM pg_tables WHERE schemaname = 'turnpike' ORDER BY tablename COLLATE "C" \gexec
SQL
  for table in $money; do
    echo "SELECT coalesce(sum(('x' || substr(md5(one::text), 1, 15))::bit(60)::bigint), 0), '$table' FROM turnpike.$table AS one;"
  done
}

# Runs the statements on standard input with psql, and writes their rows to a file.
psql_to() {
  psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname "$address" --output "$1"
}

check_sum() {
  (cd "$(dirname "$1")" && sha256sum --check --status "$(basename "$1").sha256") ||
    fail "$1 does not have the checksum of $1.sha256"
}
