#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the Debian packages that Scree is built from, or those that are named, where any of them is missing:
# with apt, through sudo where the user is not root. Prints nothing and needs no network where nothing is missing.
# Usage: scripts/packages.sh [PACKAGE...]
set -euo pipefail

packages=(g++ cmake ninja-build git libcgal-dev libeigen3-dev libvtk9-dev libcli11-dev catch2 libfmt-dev
  nlohmann-json3-dev libxxhash-dev libboost-dev libpng-dev libzstd-dev liblz4-dev zlib1g-dev libjs-three)
[ $# -eq 0 ] || packages=("$@")

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
else
  echo "packages.sh: missing: ${missing[*]}; neither root nor sudo is there to install them" >&2
  exit 1
fi
echo "installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get -qq update >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >/dev/null
