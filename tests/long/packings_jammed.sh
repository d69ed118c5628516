#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Jammed packings: a hundred bodies of other shapes than balls.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh time
built unit_pack
workshop
# case_of PROGRAM NAME: its printed lines are the figures
case_of() {
  local program=$1 result=ok log
  log=$(mktemp -p "$work")
  shift
  \time -f '%U %S %e %M' -o "$log.time" "$SCREE_BUILD/tests/bin/$program" "$1" >"$log" 2>&1 || result=FAILED
  while read -r line; do row "$1" $result "$line"; done < <(grep -E '^[0-9]+ (balls|bodies)' "$log")
  row "$1, all" $result "$(tail -1 "$log.time" | awk '{ printf "%.0f s of CPU, %.0f s, %.0f MB", $1 + $2, $3, $4 / 1000 }')"
  [ $result = ok ] || grep -A8 FAILED "$log" | head -40
}

case_of unit_pack "a hundred bodies of other shapes than balls jam"
case_of unit_pack "mixed polyhedra are pushed on between walls"
finish
