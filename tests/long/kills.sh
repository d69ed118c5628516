#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs killed at 1,000 moments and resumed (KILLS=N: at N).
source "$(dirname "$0")/../support/long.sh"
built golden_trust
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if SCREE_KILLS=${KILLS:-1000} "$SCREE_BUILD/tests/bin/golden_trust" "[kills]" >"$log" 2>&1; then
  row "SIGKILL, resumed" ok "$(grep ' kills in ' "$log")"
else
  tail -40 "$log"
  row "SIGKILL, resumed" FAILED "see above"
fi
finish
