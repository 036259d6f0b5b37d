#!/bin/sh
# mmdebstrap runs it with the folder of the image's root once its packages are unpacked. NODE is the folder of the npm package with
# Node's program.
set -eu
root=$1

# Scanners look up known vulnerabilities by this list. Only unpacked packages are not in it.
for package in "$root"/var/cache/apt/archives/*.deb; do
  dpkg-deb --field "$package"
  printf 'Status: install ok installed\n\n'
done >"$root/var/lib/dpkg/status"

find "$root/usr/share/doc" ! -type d ! -name copyright -delete
rm -rf "$root/usr/share/man" "$root/usr/share/lintian" "$root/usr/share/locale"
# Tools of the launchers and of operators.
for program in cat cp env grep kill ls mkdir ps readlink rm sh sleep tar wget; do
  ln -s busybox "$root/usr/bin/$program"
done
install -D -m 0755 "$NODE/bin/node" "$root/usr/local/bin/node"
install -D -m 0644 "$NODE/LICENSE" "$root/usr/local/share/doc/node/LICENSE"

printf 'root:x:0:0:root:/root:/usr/bin/sh\nturnpike:x:1000:1000::/var/lib/turnpike:/usr/sbin/nologin\n' >"$root/etc/passwd"
printf 'root:x:0:\nturnpike:x:1000:\n' >"$root/etc/group"
# The only folder that the relay writes to, and only with SQLite.
install -d -m 0700 -o 1000 -g 1000 "$root/var/lib/turnpike"
