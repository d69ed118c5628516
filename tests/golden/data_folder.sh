#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# data/ is what data/make.sh makes of it, to the byte. Its cases, and the tutorials with fewer bodies or runs, stay within
# the bounds of rockable: --strict asks for it.
# Usage: data_folder.sh BUILD DATA
set -euo pipefail
bin=$(cd "$1/bin" && pwd)
data=$(cd "$2" && pwd)
pages=$data/../docs/tutorials
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$bin:$PATH

mkdir "$work/data"
"$data/make.sh" "$bin" "$work/data"
diff -r -x README.md -x make.sh "$data" "$work/data"
declare -A steps=([drum]=5000 [triaxial]=3000)  # the others come to their end
for case in "$data"/*/conf0; do
  name=$(basename "$(dirname "$case")")
  rockable "$case" --check --strict -q >/dev/null
  rockable "$case" -o "$work/run-$name" ${steps[$name]:+--steps ${steps[$name]}} --strict -q >/dev/null
done

# The page of rockfall, with 4 of its 64 runs.
releases=()
if command -v parallel >/dev/null; then
  mkdir "$work/rockfall"
  cd "$work/rockfall"
  awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "$pages/rockfall.md" | sed 's/--orientations 32/--orientations 2/' >page.sh
  bash -e page.sh >/dev/null 2>page.err || { cat page.err; exit 1; }
  releases=("$work"/rockfall/study/0*)
  [ ${#releases[@]} = 4 ]
fi
"$pages/drum.sh" "$work/drum" 60 0.05 >/dev/null 2>&1
"$pages/triaxial.sh" "$work/triaxial" 60 0.01 >/dev/null 2>&1
"$pages/rock.sh" "$work/rock" 40 >/dev/null 2>&1
"$pages/scan.sh" "$work/scan" 0.002 >/dev/null 2>&1
"$data/../scripts/clumps_on_a_slope.py" "$bin" -o "$work/clumps" --releases 2 >/dev/null
[ "$(grep -c '^[01],' "$work/clumps/clumps-on-a-slope.csv")" = 6 ] && [ -s "$work/clumps/clumps-on-a-slope.svg" ]
[ "$(grep -c imported "$work/scan/form.csv")" = 60 ] && [ -s "$work/scan/grains.png" ]
# Four runs of a plan, then four more.
if command -v parallel >/dev/null; then
  "$pages/study.sh" "$work/study" 4 8 >/dev/null 2>"$work/err" || { cat "$work/err"; exit 1; }
  [ "$(grep -c '^0' "$work/study/study/result.csv")" = 8 ]
  [ "$(grep -l '"withinBounds": true' "$work"/study/study/*/run.json | wc -l)" = 8 ]
else
  echo "study.sh: skipped, GNU parallel is missing"
fi
# A study of one release for each pair of parameters, where the public data are at hand.
authume=${SCREE_TEST_DATA:-$data/../../shared/data}/authume
if [ -d "$authume" ] && command -v parallel >/dev/null; then
  mkdir "$work/authume"
  cp -r "$authume/STL" "$authume/Endpoints_P1.txt" "$work/authume"
  head -n 1 "$authume/positions_P1.xyz" >"$work/authume/positions_P1.xyz"
  "$pages/calibration.sh" "$work/authume" "$work/calibration" 1 >/dev/null 2>"$work/err" || { cat "$work/err"; exit 1; }
  [ "$(grep -c '^0' "$work/calibration/near-mu.csv")" = 4 ]
fi
for run in "${releases[@]}" "$work"/{drum,triaxial,rock,scan}/run; do grep -q '"withinBounds": true' "$run/run.json" || { echo "$run"; exit 1; }; done
