# SPDX-License-Identifier: GPL-3.0-or-later
# For the parts of `./test.sh --long`, tests/long/*.sh, which begin with
#     `source "$(dirname "$0")/../support/long.sh"`.
# Sets part (its name), root (the checkout), jobs, and SCREE_BUILD, the folder of a Release build (default build/release).
set -euo pipefail
part=$(basename "$0" .sh)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jobs=${JOBS:-$(nproc)}
: "${SCREE_BUILD:=$root/build/release}"
: "${SCREE_LONG_TABLE:=}"
: "${SCREE_TEST_DATA:=$root/../shared/data}"
export SCREE_BUILD SCREE_TEST_DATA
cd "$root"
long_failed=0

# row WHAT RESULT FIGURE: one row of the table; RESULT is ok, FAILED or skipped
row() {
  printf '%s | %s | %s | %s\n' "$part" "$1" "$2" "$3" | tee -a "${SCREE_LONG_TABLE:-/dev/null}"
  [ "$2" != FAILED ] || long_failed=1
}

# processor: sets `processor` to the processor time of all programs that have ended by now, in s. Half of it is what they take
# on two cores without other work.
processor() {
  local log
  log=$(mktemp)
  times >"$log"  # in a shell of its own it would be the time of that one
  processor=$(awk 'NR == 2 { for (k = 1; k <= 2; ++k) { split($k, part, /[ms]/); sum += 60 * part[1] + part[2] }; printf "%d", sum }' "$log")
  rm -f "$log"
}

# judge CONDITION WHAT FIGURE: a row that is ok where awk finds the condition true
judge() { if awk "BEGIN { exit !($1) }"; then row "$2" ok "$3"; else row "$2" FAILED "$3"; fi; }

# finish: ends the part, with 1 where a row failed
finish() { exit $long_failed; }

# configured BUILD [OPTION...]: configures BUILD as a Release build where that has not been done
configured() {
  local build=$1
  shift
  [ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DSCREE_TEST_DATA="$SCREE_TEST_DATA" "$@" >/dev/null
}

# built TARGET...: builds these in SCREE_BUILD, whose programs are found first from then on
built() {
  configured "$SCREE_BUILD"
  cmake --build "$SCREE_BUILD" -j "$jobs" --target "$@" >/dev/null
  export PATH=$SCREE_BUILD/bin:$PATH
}

# workshop: sets `work` to a new folder, which is gone at the end
workshop() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
}
