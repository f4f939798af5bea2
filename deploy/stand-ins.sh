#!/bin/sh
# stand-ins.sh <folder>: builds stand-ins for the Dockerfile's base images, from Debian's essential packages and this
# machine's Node.js.
set -eu
folder=$1
node=$(readlink -f "$(command -v node)")
libraries=$(ldd "$node" | grep -o '/[^ ]*')
certificates=/etc/ssl/certs/ca-certificates.crt

install_node() {
  mkdir -p "$1/$2" "$1/etc/ssl/certs" "$1/tmp"
  cp "$node" "$1/$2/node"
  cp "$certificates" "$1/etc/ssl/certs/"
  for library in $libraries; do
    [ -e "$1$library" ] && continue
    mkdir -p "$1$(dirname "$library")"
    cp -L "$library" "$1$library"
  done
}

commit() {
  container=$(buildah from scratch)
  buildah add -q "$container" "$1" /
  image=$2
  shift 2
  buildah config --env NODE_EXTRA_CA_CERTS=$certificates "$@" "$container"
  buildah commit -q "$container" "$image"
  buildah rm "$container"
}

mmdebstrap --quiet --variant=essential "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$folder/build"
install_node "$folder/build" usr/local/bin
mkdir -p "$folder/build/usr/local/lib/node_modules"
cp -R "$(npm root --global)/npm" "$folder/build/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$folder/build/usr/local/bin/npm"
commit "$folder/build" docker.io/library/node:24-trixie-slim --env PATH=/usr/local/bin:/usr/bin:/bin

mkdir -p "$folder/runtime"
install_node "$folder/runtime" nodejs/bin
commit "$folder/runtime" gcr.io/distroless/nodejs24-debian13:nonroot --entrypoint '["/nodejs/bin/node"]'
