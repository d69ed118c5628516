# SPDX-License-Identifier: GPL-3.0-or-later
# For parts of `./test.sh --long` that run hidden cases of a test program, after long.sh. Needs a folder $work.

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

# side_by_side PROGRAM NAME...: cases that use one core each, at the same time
side_by_side() {
  local program=$1 name process processes=()
  shift
  for name; do
    (
      case_of "$program" "$name"
      finish
    ) &
    processes+=($!)
  done
  for process in "${processes[@]}"; do wait "$process" || long_failed=1; done
}
