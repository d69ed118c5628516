#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# All problems with known answers, the long ones included, compared with docs/verification-table.txt.
source "$(dirname "$0")/../support/long.sh"
built verification
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$SCREE_BUILD/tests/bin/verification" --long --check docs/verification-table.txt >"$log" 2>&1; then result=ok; else result=FAILED; fi
grep -E 'FAIL|verification-table.txt:' "$log" || true
row "problems with known answers" $result "$(tail -1 "$log")"
finish
