#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Instructions per step of three small cases, counted by callgrind: the same on a busy machine as on a quiet one.
#     scripts/count-instructions.sh [BUILD]            compares with tests/bench/instructions.txt; exit code 1 if a case has grown by 2 %
#     scripts/count-instructions.sh [BUILD] --update   writes that file
# BUILD (default: build) is a Release build; needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
build=build update=
for argument in "$@"; do
  if [[ $argument == --update ]]; then update=1; else build=$argument; fi
done
kept=tests/bench/instructions.txt
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 4; }
cmake --build "$build" --target bench_engine >&2
bench=$build/tests/bin/bench_engine
states=$(mktemp -d)
trap 'rm -rf "$states"' EXIT

# instructions NAME SIZE SETTLE STEPS: of a whole run of so many steps, from the settled state. valgrind has no AVX-512: a run
# without it must end in the same bits.
instructions() {
  local run=("$bench" "$1" "$2" --settle "$3" --states "$states" --repeats 1 --steps "$4") log
  log=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "${run[@]}" 2>&1)
  if [[ $(grep '^ *state ' <<<"$log") != $("${run[@]}" | grep '^ *state ') ]]; then
    echo "$1: other bits than without valgrind" >&2
    exit 1
  fi
  sed -n 's/.*Collected : //p' <<<"$log"
}
table() {
  while read -r name size settle; do
    "$bench" "$name" "$size" --settle "$settle" --states "$states" --repeats 1 --steps 1 >/dev/null 2>&1
    local few many
    few=$(instructions "$name" "$size" "$settle" 20)
    many=$(instructions "$name" "$size" "$settle" 120)
    echo "$name $size $settle $(((many - few) / 100))"
  done <<CASES
dodecahedra 100 1.5
balls 200 1.5
glued 64 0
CASES
}

compiler=$("$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")" -dumpfullversion -dumpversion | head -1)
if [[ $update ]]; then
  { echo "# case size settled[s] instructions a step; compiler $compiler; made by scripts/count-instructions.sh --update"; table; } | tee "$kept.new"
  mv "$kept.new" "$kept"
  exit
fi
grep -q "compiler $compiler;" "$kept" || echo "note: $kept is from another compiler than $compiler" >&2
table | awk -v kept="$kept" '
  BEGIN { while ((getline line < kept) > 0) { split(line, f, " "); was[f[1] " " f[2] " " f[3]] = f[4] } }
  { key = $1 " " $2 " " $3; change = was[key] ? 100 * ($4 / was[key] - 1) : 0
    printf "%-12s %5d  %10d instructions a step, kept %10d, %+.2f %%\n", $1, $2, $4, was[key], change
    if (!was[key] || change > 2) worse = 1 }
  END { exit worse }'
