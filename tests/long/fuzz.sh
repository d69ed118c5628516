#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Each reader under libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer, ten minutes in all.
# FUZZ_SECONDS: seconds a reader (default: 600 divided by the number of readers). What is found stays in build/fuzz/found.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh clang libclang-rt-dev
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "$jobs" >build/fuzz/build.log 2>&1 || { tail -30 build/fuzz/build.log; row "build" FAILED "see build/fuzz/build.log"; finish; }
targets=(build/fuzz/tests/bin/fuzz_*)
seconds=${FUZZ_SECONDS:-$((600 / ${#targets[@]}))}
found=build/fuzz/found
mkdir -p $found
for target in "${targets[@]}"; do
  reader=$(basename "$target")
  reader=${reader#fuzz_}
  mkdir -p "build/fuzz/corpus/$reader"
  if "$target" "build/fuzz/corpus/$reader" "tests/fuzz/corpus/$reader" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 \
    -artifact_prefix="$found/$reader-" -print_final_stats=1 >"$found/$reader.log" 2>&1; then result=ok; else result=FAILED; fi
  [ $result = ok ] || tail -20 "$found/$reader.log"
  row "$reader" $result "$(sed -n 's/stat::number_of_executed_units: *//p' "$found/$reader.log") inputs in $seconds s"
done
finish
