#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a build into a temporary prefix and builds a project on it. Usage: test.sh BUILD
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$1" --prefix "$prefix/install" >/dev/null
cmake -S "$here" -B "$prefix/build" -DCMAKE_PREFIX_PATH="$prefix/install" -DCMAKE_BUILD_TYPE=Release >/dev/null
cmake --build "$prefix/build" >/dev/null
"$prefix/build/consumer" | grep -q 'a ball of volume 4.188790'
for tool in shapeSurvey packgen clumpify rockable conf2vtk extract; do "$prefix/install/bin/$tool" --version; done
