#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whether runs of all kinds end in the same bits from several builds, on 1, 2, 3 and 8 threads, stopped and resumed, under a
# German locale, in another folder, and with addresses that are not drawn by chance.
#     scripts/compare-compilers.sh                  builds into build/compare-*: g++ and clang++, each with -O2 for x86-64-v2 and
#                                                   with -O3 for this processor, and compares
#     scripts/compare-compilers.sh BUILD BUILD...   compares builds that are there, of whatever options
#     scripts/compare-compilers.sh --update         writes tests/golden/states.txt where all agree
# The cases are those of tests/support/state_cases.hpp, which the first build writes as files, and the first 2,000 steps of
# those in data/. Also compared: the files of cases and of shapeSurvey and packgen, byte by byte, and the hashes with
# tests/golden/states.txt. Prints a table and ends with 1 where anything differs. Environment: CASES, a pattern of names, here
# for a part (heap-*); THREADS (1 2 3 8); JOBS, compilers at a time (all cores).
set -euo pipefail
cd "$(dirname "$0")/.."
kept=tests/golden/states.txt update=
builds=()
for argument in "$@"; do
  case $argument in
    -h | --help) sed -n '3,13s/^# \?//p' "$0"; exit 0 ;;
    --update) update=1 ;;
    -*) echo "compare-compilers.sh: unknown option $argument" >&2; exit 2 ;;
    *) builds+=("$argument") ;;
  esac
done
if [ ${#builds[@]} -eq 0 ]; then
  launcher=()
  if command -v ccache >/dev/null; then launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi  # units that did not change
  for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || { echo "compare-compilers.sh: no $compiler" >&2; exit 4; }
    for kind in O2-x86-64-v2 O3-native; do
      build=build/compare-$compiler-$kind
      cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" "${launcher[@]}" \
        -DCMAKE_CXX_FLAGS_RELEASE="-${kind%%-*} -DNDEBUG" -DSCREE_ARCH="${kind#*-}" -DSCREE_WERROR=OFF >/dev/null
      builds+=("$build")
    done
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
# data_case NAME: a case of data/, cut after 2,000 steps
data_case() {
  local case=$work/0/cases/data-$1
  mkdir -p "$case"
  cp data/"$1"/*.shp data/"$1"/*.txt "$case" 2>/dev/null || true
  awk '$1 == "t" { t = $2 } $1 == "dt" { dt = $2 } { line[NR] = $0 }
    END { for (k = 1; k <= NR; ++k) if (line[k] ~ /^tmax /) printf "tmax %.17g\n", t + 1999.5 * dt; else print line[k] }' \
    data/"$1"/conf0 >"$case/case.conf"
  echo >"$case/options"
  echo 700 >"$case/stop"
}
# elsewhere BIN CASE: the hash of one run on two threads, with all that must not matter at once: a German locale, another folder,
# and addresses that are not drawn by chance
elsewhere() {
  local bin=$1 case=$2 out="a folder/with ä/and more" options words=(setarch -R)
  [ -z "$german" ] || words+=(env LOCPATH="$german" LC_ALL=de_DE.UTF-8)
  options=$(cat "$case/options")
  # shellcheck disable=SC2086  # options are words
  "${words[@]}" "$bin/rockable" "$case/case.conf" -o "$out" -q -j 2 $options 2>>talk.log || { tail -3 talk.log >&2; echo "failed-$out"; }
  hash "$out"
  rm -rf "$out"
}
# ends BIN CASE: the hash for each number of threads, after a stop, and elsewhere
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
  elsewhere "$1" "$case"
}

# A locale with a comma in its numbers, made here where the sources of locales are installed.
german=$work/locale
mkdir "$german"
localedef -i de_DE -f UTF-8 "$german/de_DE.UTF-8" 2>/dev/null || german=
[ -n "$german" ] || echo "no German locale here (package locales): runs under it are left out" >&2

worse=0 n=0 cases_of_data=0
for build in "${builds[@]}"; do
  bin=$(cd "$build/bin" && pwd) here=$work/$n
  mkdir -p "$here/cases" "$here/files" "$here/run"
  "$build/tests/bin/write_states" "$here/cases"
  if [ $n -eq 0 ]; then
    for made in data/*/conf0; do data_case "$(basename "$(dirname "$made")")"; done
  fi
  (cd "$here/files" && files "$bin")
  for made in cases files; do
    if diff -rq -x 'data-*' "$work/0/$made" "$here/$made" >"$work/differ"; then continue; fi
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

# One hash a build where all runs agree, else all that came out.
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
  if [ -z "$update" ] && [[ $name != data-* ]] && [ "$(sed -n "s/^$name //p" $kept)" != "$first" ]; then
    verdict="$verdict, not what $kept has"
    worse=1
  fi
  echo " $verdict"
  [[ $name == data-* ]] && cases_of_data=$((cases_of_data + 1)) || echo "$name $first" >>"$work/states"
done
if [ $worse -ne 0 ]; then
  echo "not the same"
  exit 1
fi
[ -z "$update" ] || cp "$work/states" "$kept"
elsewhere="${german:+under de_DE, }in another folder and without ASLR"
echo "the same bits in $(($(cat "$work/states" 2>/dev/null | wc -l) + cases_of_data)) cases from ${#builds[@]} builds, each on ${THREADS:-1 2 3 8} threads, stopped and resumed, $elsewhere"
