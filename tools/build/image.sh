#!/bin/sh
# image.sh PACKED ROOT: makes the root file system of the image. It has Node with the libraries that it loads, the packages
# of node_modules, and in place of the two of this repository those that were packed; no shell, and nothing else of Debian.
set -eu
packed=$1 root=$2
node=$(command -v node)
app=$root/app/node_modules

mkdir -p "$root/usr/bin" "$root/etc" "$root/data" "$root/app"
strip -o "$root/usr/bin/node" "$node"
ldd "$node" node_modules/@libsql/*-gnu/index.node | grep -o '/lib[^ ]*' | sort -u | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done
echo 'etiquette:x:1000:1000::/data:/nologin' >"$root/etc/passwd"

cp -a node_modules "$root/app/"
for name in etiquette etiquette-server; do
  rm -r "${app:?}/$name"
  mkdir "$app/$name"
  tar -xzf "$packed/$name"-[0-9]*.tgz --strip-components 1 -C "$app/$name"
done
# npm takes the database's engine for both kinds of Linux; this one has glibc
rm -rf "$app"/@libsql/*-musl "$app/.cache" "$app/.bin"
ln -s node_modules/etiquette-server/dist/main.js "$root/app/etiquette-server"
find "$app" -type f ! -iname 'licen[cs]e*' \( -name '*.map' -o -name '*.md' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
find "$app" -type d -empty -delete
chown 1000:1000 "$root/data"
chmod 700 "$root/data"
