#!/bin/sh
# Completes what npm installs on a bare Debian, without root. npm runs it after an install.
#
# The Node.js of node_modules needs libatomic.so.1, which such a system does not have: this takes it from Debian's package into
# node_modules. npm leaves optional packages out if its own Node.js is too old for them, or if their scripts met a Node.js without that
# library: this installs them.
set -eu
node=node_modules/node/bin/node
home=node_modules/node/node-with-library
library=libatomic.so.1
npm=npm@11.19.1

# Prints the library's path in the folder $1, where it unpacks Debian's package of it.
take_library() (
  cd "$1"
  chmod 755 .
  mkdir -p lists/partial cache/archives/partial
  own="-o APT::Sandbox::User=root -o Dir::State::lists=$1/lists -o Dir::Cache=$1/cache"
  # An image of Debian has no lists of packages, and only root may update those of the system.
  # shellcheck disable=SC2086
  apt-get -qq download libatomic1 2>/dev/null || { apt-get $own -qq update && apt-get $own -qq download libatomic1; } || return 1
  dpkg-deb --extract libatomic1_*.deb tree
  find "$1/tree" -name "$library"
)

# Puts a launcher in place of the program, and the program beside the library.
launch_with_library() {
  mkdir -p "$home"
  cp -L "$1" "$home/$library"
  mv "$node" "$home/node"
  cat >"$node" <<'LAUNCHER'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")/../node-with-library
LD_LIBRARY_PATH=$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/node" "$@"
LAUNCHER
  chmod 755 "$node"
}

# `npm ci --omit=dev` installs no Node.js, and the second npm below runs this, too.
[ -f "$node" ] && [ -z "${TURNPIKE_COMPLETING-}" ] || exit 0
incomplete=
case $("$node" --version 2>&1 || true) in
*$library*)
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || exit 0
  echo "This system has no $library, which Node.js needs. Taking it from Debian's package libatomic1 into node_modules …"
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  # Without it check-node.sh names what to install.
  path=$(take_library "$scratch") && [ -n "$path" ] || exit 0
  launch_with_library "$path"
  incomplete=1
  ;;
esac
case $("${npm_node_execpath:-node}" --version) in v1[0-9].* | v20.[0-9].* | v20.1[0-8].*) incomplete=1 ;; esac
[ -n "$incomplete" ] || exit 0
echo 'Installing what npm left out …'
export TURNPIKE_COMPLETING=1
NODE_OPTIONS=--no-deprecation npm exec --yes --package=$npm -- npm install --no-save --no-audit --no-fund
