#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages that the build of Scree needs, or the given ones, if any of them is missing.
# Uses apt, through sudo if the user is not root. If nothing is missing, it needs no network and prints nothing.
# If ParaView is installed, paraview-dev takes the place of libvtk9-dev, and a line reports this.
# Usage: scripts/packages.sh [PACKAGE...]
set -euo pipefail

packages=(g++ cmake ninja-build git libcgal-dev libeigen3-dev libvtk9-dev libcli11-dev libtomlplusplus-dev catch2 libfmt-dev
  nlohmann-json3-dev libjemalloc-dev libxxhash-dev libboost-dev libpng-dev voro++-dev libzstd-dev liblz4-dev zlib1g-dev libtiff-dev libjs-three
  python3)
[ $# -eq 0 ] || packages=("$@")

is_installed() {
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}

# libvtk9-dev needs python3-vtk9, which cannot stand beside python3-paraview: ParaView brings a VTK of its own.
if ! is_installed libvtk9-dev && { is_installed paraview || is_installed python3-paraview; }; then
  for k in "${!packages[@]}"; do
    [ "${packages[k]}" = libvtk9-dev ] || continue
    packages[k]=paraview-dev
    echo "ParaView is installed: Scree is built with its VTK, of paraview-dev, in place of libvtk9-dev" >&2
  done
fi

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "packages.sh: missing: ${missing[*]}; installing them needs root or sudo" >&2
  exit 1
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -qq update >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
