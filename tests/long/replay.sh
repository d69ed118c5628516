#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each reader on random changes of kept files, without sanitizers and therefore faster (SECONDS_EACH: seconds per reader, 200).
# SEED: the first seed (default: from the date, so that repeated replays make other inputs and their counts add up).
source "$(dirname "$0")/../support/long.sh"
built fuzz
seconds=${SECONDS_EACH:-200}
first=${SEED:-$(($(date +%s) * 1000))}
echo "first seed $first (SEED=$first repeats these inputs)"
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
# replayed READER: as many inputs as the time allows, each time with another seed
replayed() {
  local reader=$1 seed=$((first - 1)) begin=$SECONDS inputs=0 now
  local raw=()
  [ "$reader" != compressed ] || raw=(-raw)
  mkdir "$found/$reader"
  cd "$found/$reader"
  while [ $((SECONDS - begin)) -lt "$seconds" ]; do
    seed=$((seed + 1))
    if ! "$SCREE_BUILD/tests/bin/fuzz_$reader" "${raw[@]}" -runs=100000 -big=20 -seed=$seed "$root/tests/fuzz/corpus/$reader" >log 2>&1; then
      tail -3 log
      mkdir -p "$root/build/fuzz/found"
      cp crash-input "$root/build/fuzz/found/$reader-replay-$seed" 2>/dev/null || true
      echo "FAILED|seed $seed, input in build/fuzz/found/$reader-replay-$seed" >result
      return
    fi
    now=$(sed -n 's/.*and \([0-9]*\) changes.*/\1/p' log)
    if [ -z "$now" ]; then
      echo "FAILED|seed $seed: the reader printed no count of inputs" >result
      return
    fi
    inputs=$((inputs + now))
  done
  echo "ok|$inputs inputs in $((SECONDS - begin)) s, $(((seed - first + 1) * 20)) of them of a megabyte, seeds $first to $seed; $(sed -n 's/.*; \(at most.*\)/\1/p' log)" >result
}
readers=()
for folder in tests/fuzz/corpus/*; do readers+=("$(basename "$folder")"); done
for reader in "${readers[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  (replayed "$reader") &
done
wait
for reader in "${readers[@]}"; do
  result= figure=
  IFS='|' read -r result figure <"$found/$reader/result" || true
  if [ "$result" != ok ] && [ "$result" != FAILED ]; then
    result=FAILED figure="no result could be written: is there room in $found?"
  fi
  row "$reader" "$result" "$figure"
done
finish
