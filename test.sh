#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds Release with warnings as errors, and runs all tests.
# Environment: SCREE_TEST_DATA, folder of public data sets (default ../shared/data), without which the
# tests that need them say so and are skipped; JOBS, parallel jobs (default: all cores).
set -euo pipefail
cd "$(dirname "$0")"
jobs=${JOBS:-$(nproc)}

scripts/packages.sh
begin=$SECONDS
options=(-DCMAKE_BUILD_TYPE=Release -DSCREE_WERROR=ON)
[ -n "${SCREE_TEST_DATA:-}" ] && options+=("-DSCREE_TEST_DATA=$SCREE_TEST_DATA")
cmake -S . -B build/release -G Ninja "${options[@]}" >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
rm -f build-configure.log
cmake --build build/release -j "$jobs"
echo "built in $((SECONDS - begin)) s"
scripts/slowest-units.sh build/release

begin=$SECONDS
ctest --test-dir build/release -j "$jobs" --output-on-failure --verbose |
  grep -Ev '^[0-9]+: (Test command|Working Directory|Test timeout|=+|$)|^test [0-9]+$|^UpdateCTest|^Constructing|^Done constr|^Checking test' || exit 1
echo "tested in $((SECONDS - begin)) s"
