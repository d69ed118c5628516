#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each reader under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer, ten minutes in all.
# FUZZ_SECONDS: seconds per reader (default: 600 divided by the number of readers). What is found stays in build/fuzz/found.
# FUZZ_CORPUS: folder that keeps the inputs that reach new code, for the next call to begin with (default build/fuzz/corpus).
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh clang libclang-rt-dev zstd
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$jobs" >build/fuzz/build.log 2>&1 || { tail -30 build/fuzz/build.log; row "build" FAILED "see build/fuzz/build.log"; finish; }
targets=(build/fuzz/tests/bin/fuzz_*)
seconds=${FUZZ_SECONDS:-$((600 / ${#targets[@]}))}
found=build/fuzz/found
corpus=${FUZZ_CORPUS:-build/fuzz/corpus}
mkdir -p $found
for target in "${targets[@]}"; do
  reader=$(basename "$target")
  reader=${reader#fuzz_}
  mkdir -p "$corpus/$reader"
  start=$(mktemp -d)  # the corpus as its reader gets it
  cp "tests/fuzz/corpus/$reader"/* "$start"
  [ "$reader" = compressed ] || find "$start" -name '*.zst' -exec zstd -dq --rm {} +
  if "$target" "$corpus/$reader" "$start" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 \
    -artifact_prefix="$found/$reader-" -print_final_stats=1 >"$found/$reader.log" 2>&1; then result=ok; else result=FAILED; fi
  rm -r "$start"
  count=$(sed -n 's/stat::number_of_executed_units: *//p' "$found/$reader.log")
  [ -n "$count" ] || result=FAILED
  [ $result = ok ] || tail -20 "$found/$reader.log"
  row "$reader" $result "${count:-no count of} inputs in $seconds s"
done
row "corpora" ok "$(find "$corpus" -type f | wc -l) inputs kept in $corpus (FUZZ_CORPUS)"
finish
