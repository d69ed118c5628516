#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions per step, counted by callgrind, compared with the kept counts.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh valgrind
configured "$SCREE_BUILD"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if scripts/count-instructions.sh "$SCREE_BUILD" >"$log" 2>&1; then result=ok; else result=FAILED; fi
cat "$log"
row "instructions a step" $result "$(tail -1 "$log")"
finish
