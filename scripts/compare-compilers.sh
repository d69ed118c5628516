#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether runs of all kinds end in the same bits from several builds, on 1, 2, 3 and 8 threads, and when stopped and resumed.
#     scripts/compare-compilers.sh                  builds with g++ and clang++ into build/compare-*, and compares
#     scripts/compare-compilers.sh BUILD BUILD...   compares builds that are there, of whatever options
#     scripts/compare-compilers.sh --update         writes tests/golden/states.txt where all agree
# The cases are those of tests/support/state_cases.hpp; the first build writes them as files, all run them. Also compared:
# the files of cases and of shapeSurvey and packgen, byte by byte, and the hashes with tests/golden/states.txt.
# Prints a table and ends with 1 where anything differs. Environment: CASES, a pattern of names, here for a part (heap-*);
# THREADS (1 2 3 8); JOBS, compilers at a time (all cores).
set -euo pipefail
cd "$(dirname "$0")/.."
kept=tests/golden/states.txt update=
builds=()
for argument in "$@"; do
  case $argument in
    -h | --help) sed -n '3,10s/^# \?//p' "$0"; exit 0 ;;
    --update) update=1 ;;
    -*) echo "compare-compilers.sh: unknown option $argument" >&2; exit 2 ;;
    *) builds+=("$argument") ;;
  esac
done
if [ ${#builds[@]} -eq 0 ]; then
  for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "compare-compilers.sh: no $compiler" >&2; exit 4; }
    build=build/compare-$compiler
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
    builds+=("$build")
  done
fi
[ -z "$update" ] || [ -z "${CASES:-}" ] || { echo "compare-compilers.sh: --update takes all cases" >&2; exit 2; }
for build in "${builds[@]}"; do
  cmake --build "$build" -j "${JOBS:-$(nproc)}" --target rockable shapeSurvey packgen write_states >"$build/compare.log" 2>&1 ||
    { tail -30 "$build/compare.log" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# files BIN: what the tools that make files write, into the present folder
files() {
  "$1/shapeSurvey" make boulder --faces 40 --size 1.2 1.0 0.9 --radius 0.02 --seed 7 --name rock -q -o rock.shp
  "$1/shapeSurvey" compute rock.shp -q -o computed.shp
  "$1/shapeSurvey" export computed.shp --shape rock --rounded 2 -q -o rock.stl
  "$1/packgen" lattice --shape rock.shp --type fcc --cells 3 2 2 --walls 0.1 --duration 0.02 -q -o conf0
}
# hash FOLDER: of the run in it
hash() { sed -n 's/.*"stateHash": *"\([0-9a-f]*\)".*/\1/p' "$1/run.json"; }
# ends BIN CASE: the hash for each number of threads, and after a stop
ends() {
  local rockable=$1/rockable case=$2 options stop
  options=$(cat "$case/options") stop=$(cat "$case/stop")
  for threads in ${THREADS:-1 2 3 8}; do
    # shellcheck disable=SC2086  # options are words
    "$rockable" "$case/case.conf" -o out -q -j "$threads" $options 2>>talk.log || { tail -3 talk.log >&2; echo "failed-$threads"; continue; }
    hash out
  done
  rm -rf out
  # shellcheck disable=SC2086
  "$rockable" "$case/case.conf" -o out -q -j 2 --steps "$stop" $options 2>>talk.log || tail -3 talk.log >&2
  [ -f out/restart.conf ] || echo not-stopped
  "$rockable" "$case/case.conf" -o out -q -j 1 --resume 2>>talk.log || { tail -3 talk.log >&2; echo not-resumed; }
  hash out
  rm -rf out
}

worse=0 n=0
for build in "${builds[@]}"; do
  bin=$(cd "$build/bin" && pwd) here=$work/$n
  mkdir -p "$here/cases" "$here/files" "$here/run"
  "$build/tests/bin/write_states" "$here/cases"
  (cd "$here/files" && files "$bin")
  for made in cases files; do
    if diff -rq "$work/0/$made" "$here/$made" >"$work/differ"; then continue; fi
    echo "the $made of ${builds[0]} and $build differ:"
    sed "s|$work/||g" "$work/differ"
    worse=1
  done
  for case in "$work"/0/cases/${CASES:-*}; do
    (cd "$here/run" && ends "$bin" "$case") | sort | uniq -c | sort -rn | awk '{ printf "%s%s", (NR > 1 ? "," : ""), $2 } END { print "" }' \
      >"$here/$(basename "$case").hash"
  done
  n=$((n + 1))
done

# One hash a build where all five runs agree, else all that came out.
{
  printf '%-32s' case
  printf ' %-16s' "${builds[@]##*/}"
  echo
} | cut -c1-200
for case in "$work"/0/cases/${CASES:-*}; do
  name=$(basename "$case") first=$(cat "$work/0/$(basename "$case").hash") verdict=same
  printf '%-32s' "$name"
  for ((k = 0; k < n; ++k)); do
    now=$(cat "$work/$k/$name.hash")
    printf ' %-16s' "$now"
    [[ $now == "$first" && $now != *,* && $now =~ ^[0-9a-f]{16}$ ]] || verdict=DIFFERS
  done
  [ $verdict = same ] || worse=1
  if [ -z "$update" ] && [ "$(sed -n "s/^$name //p" $kept)" != "$first" ]; then
    verdict="$verdict, not what $kept has"
    worse=1
  fi
  echo " $verdict"
  echo "$name $first" >>"$work/states"
done
if [ $worse -ne 0 ]; then
  echo "not the same"
  exit 1
fi
[ -z "$update" ] || cp "$work/states" "$kept"
echo "the same bits in $(wc -l <"$work/states") cases, each on ${THREADS:-1 2 3 8} threads and once stopped and resumed"
