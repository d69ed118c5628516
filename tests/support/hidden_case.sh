# SPDX-License-Identifier: GPL-3.0-or-later
# For parts of `./test.sh --long` that run a hidden case of a test program, after long.sh. Needs a folder $work.

# case_of PROGRAM NAME: its printed lines are the figures
case_of() {
  local program=$1 result=ok
  shift
  \time -f '%U %S %e %M' -o "$work/time" "$SCREE_BUILD/tests/bin/$program" "$1" >"$work/log" 2>&1 || result=FAILED
  while read -r line; do row "$1" $result "$line"; done < <(grep -E '^[0-9]+ (balls|bodies)' "$work/log")
  row "$1, all" $result "$(tail -1 "$work/time" | awk '{ printf "%.0f s of CPU, %.0f s, %.0f MB", $1 + $2, $3, $4 / 1000 }')"
  [ $result = ok ] || grep -A8 FAILED "$work/log" | head -40
}
