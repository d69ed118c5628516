#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs missing packages, builds Release (warnings are errors for g++ 12), and runs the tests.
#     ./test.sh                    all tests of the build
#     ./test.sh --long [PART...]   the long checks instead, all of tests/long or the given parts, and a table at the end
#     ./test.sh --long --list      their names
# Environment: SCREE_TEST_DATA, folder of public data sets (default ../shared/data). If it exists, a test
# that is skipped fails; otherwise CTest lists the skipped tests. JOBS: parallel jobs (default: all cores).
set -euo pipefail
cd "$(dirname "$0")"
jobs=${JOBS:-$(nproc)}
data=${SCREE_TEST_DATA:-$PWD/../shared/data}

parts=() long=
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '3,9s/^# \?//p' "$0"; exit 0 ;;
    --long) long=1 ;;
    --list)
      for part in tests/long/*.sh; do printf '%-16s %s\n' "$(basename "$part" .sh)" "$(sed -n '3s/^# \?//p' "$part")"; done
      exit 0 ;;
    *)
      [ -n "$long" ] && [ -f "tests/long/$1.sh" ] ||
        { echo "test.sh: unknown argument '$1' (./test.sh --long --list prints the parts)" >&2; exit 2; }
      parts+=("$1") ;;
  esac
  shift
done

scripts/packages.sh
scripts/packages.sh gnuplot-nox parallel python3-numpy zstd  # programs that run or read what ours write
begin=$SECONDS
options=(-DCMAKE_BUILD_TYPE=Release "-DSCREE_TEST_DATA=$data")
if [ -d "$data" ]; then options+=(-DSCREE_REQUIRE_DATA=ON); else options+=(-DSCREE_REQUIRE_DATA=OFF); fi
cmake -S . -B build/release -G Ninja "${options[@]}" >build-configure.log 2>&1 || { cat build-configure.log; exit 1; }
rm -f build-configure.log

if [ -n "$long" ]; then
  if [ ${#parts[@]} -eq 0 ]; then
    for part in tests/long/*.sh; do parts+=("$(basename "$part" .sh)"); done
  fi
  table=$(mktemp)
  trap 'rm -f "$table"' EXIT
  worst=0
  for part in "${parts[@]}"; do
    echo "== $part"
    before=$(wc -l <"$table") code=0 begin=$SECONDS
    SCREE_BUILD=$PWD/build/release SCREE_TEST_DATA=$data SCREE_LONG_TABLE=$table JOBS=$jobs "tests/long/$part.sh" || code=$?
    # A part that ends early may have printed rows that are ok: its code decides.
    case $code in
      0) ;;
      77) [ "$(wc -l <"$table")" -gt "$before" ] || echo "$part | all | skipped | ended with 77" >>"$table" ;;
      *) tail -n +$((before + 1)) "$table" | grep -q '| FAILED |' || echo "$part | all | FAILED | ended with $code" >>"$table" ;;
    esac
    [ $code -eq 0 ] || [ $code -eq 77 ] || worst=1
    echo "$part | time | | $((SECONDS - begin)) s" >>"$table"
  done
  echo
  { echo "part | what | result | figure"; cat "$table"; } | awk -F ' *[|] *' '
    { for (k = 1; k <= 4; ++k) { cell[NR, k] = $k; if (length($k) > width[k]) width[k] = length($k) } }
    END { for (n = 1; n <= NR; ++n) printf "%-*s | %-*s | %-*s | %s\n", width[1], cell[n, 1], width[2], cell[n, 2], width[3], cell[n, 3], cell[n, 4] }'
  exit $worst
fi

cmake --build build/release -j "$jobs"
echo "built in $((SECONDS - begin)) s"
scripts/slowest-units.sh build/release

begin=$SECONDS
ctest --test-dir build/release -j "$jobs" --output-on-failure | { grep -Ev '^ +Start |^ *[0-9]+/[0-9]+ .* Passed ' || true; } || exit 1
echo "tested in $((SECONDS - begin)) s"
