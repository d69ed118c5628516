#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The same bits from four builds with g++ and clang++, on 1, 2, 3 and 8 threads, and after a stop.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh clang locales
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if scripts/compare-compilers.sh >"$log" 2>&1; then result=ok; else result=FAILED; cat "$log"; fi
row "g++ and clang++" $result "$(tail -1 "$log")"
finish
