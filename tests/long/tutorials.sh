#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands of docs/tutorials, page by page, as printed there; the last step checks their results.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh gnuplot-nox parallel
built shapeSurvey packgen rockable extract conf2vtk clumpify
export DATA=$root/data DOCS=$root/docs
workshop

# commands PAGE: the lines of its blocks of shell
commands() { awk '/^```sh$/ { on = 1; next } /^```$/ { on = 0 } on' "docs/tutorials/$1.md"; }
# follow PAGE: runs them in a folder of its own
follow() {
  mkdir "$work/$1"
  commands "$1" >"$work/$1.sh"
  if (cd "$work/$1" && bash -e "$work/$1.sh" >"$work/$1.log" 2>&1); then return 0; fi
  tail -n 5 "$work/$1.log"
  row "$1" FAILED "a command of the page ended early"
  return 1
}
# last TABLE COLUMN: its value in the last row
last() { awk -F, -v name="$2" '/^#/ { next } !at { for (k = 1; k <= NF; ++k) if ($k == name) at = k; next } { v = $at } END { print v }' "$1"; }

if follow rockfall; then
  cd "$work/rockfall"
  stops=$(grep -vc '^#' study/result.csv) pictures=$(head -qc 4 paths.png curves.png | grep -ao PNG | wc -l)
  # A curve ends on a plateau, above which are the boulders that left.
  ends=$(last curves.csv p)
  [ "$stops" = 65 ] && [ "$pictures" = 2 ] && awk -v p="$ends" 'BEGIN { exit !(p >= 0 && p < 0.8) }' && result=ok || result=FAILED
  row "rockfall: from a terrain to an exceedance curve" $result "$((stops - 1)) runs, $pictures pictures, last share $ends"
  cd "$root"
fi
if follow drum; then
  cd "$work/drum"
  angle=$(awk -F, '/^[0-9]/ && $1 > 6.5 { sum += $2; ++n } END { print sum / n * 45 / atan2(1, 1) }' surface.csv)
  [ -s drum.png ] && [ -s angle.png ] && awk -v a="$angle" 'BEGIN { exit !(a > 15 && a < 45) }' && result=ok || result=FAILED
  row "drum: angle of repose from 15 to 45 degrees" $result "$angle degrees"
  cd "$root"
fi
if docs/gallery.sh "$work/gallery" >"$work/gallery.log" 2>&1 && [ "$(find "$work/gallery" -maxdepth 1 -name '*.png' | wc -l)" = 12 ]; then result=ok; else result=FAILED; fi
row "gallery: twelve pictures, three pages" $result "$(find "$work/gallery" -maxdepth 1 -name '*.html' | wc -l) pages"
if follow triaxial; then
  cd "$work/triaxial/triaxial"
  strain=$(last volume.csv eyy) dilates=$(awk -F, '/^[0-9-]/ { if ($2 > most) most = $2; v = $2 } END { print most - v }' volume.csv)
  q=$(last path.csv q) p=$(last path.csv p)
  good=$(awk -v e="$strain" -v d="$dilates" -v q="$q" -v p="$p" 'BEGIN { print((e > 0.15 && d > 0.005 && q / p > 0.8) ? "ok" : "FAILED") }')
  [ -s triaxial.png ] && [ -s path.png ] && [ -s volume.png ] && [ -s fabric.png ] || good=FAILED
  row "triaxial: sheared to 0.16, dilates, q/p above 0.8" "$good" "strain $strain, dilation $dilates, q/p $(awk -v q="$q" -v p="$p" 'BEGIN { print q / p }')"
  cd "$root"
fi
if follow scan; then
  cd "$work/scan"
  grains=$(grep -c imported form.csv) strain=$(last macro.csv eyy) q=$(last macro.csv q)
  good=$(awk -v n="$grains" -v e="$strain" -v q="$q" 'BEGIN { print((n == 60 && e > 0.09 && q > 2e3 && q < 1e5) ? "ok" : "FAILED") }')
  [ -s grains.png ] && [ -s macro.png ] || good=FAILED
  row "scan: 60 grains of an image, compacted and sheared to 0.1" "$good" "$grains grains, strain $strain, q $q"
  cd "$root"
fi
if follow rock; then
  cd "$work/rock"
  fragments=$(grep -c '^[0-9]' fragments.csv) damage=$(last damage.csv damage) passing=$(last sieve.csv passing)
  good=$(awk -v n="$fragments" -v d="$damage" -v p="$passing" 'BEGIN { print((n > 10 && d > 0.2 && d < 0.8 && p == 1) ? "ok" : "FAILED") }')
  [ -s sieve.png ] && [ -s damage.png ] && [ -s rock_0002.png ] || good=FAILED
  row "rock: a boulder breaks into more than 10 fragments" "$good" "$fragments fragments, damage $damage"
  cd "$root"
fi
mkdir "$work/clumps"
if scripts/clumps_on_a_slope.py "$SCREE_BUILD/bin" -o "$work/clumps" >"$work/clumps.md"; then
  # The page has this table, and its figure and rows are kept: the same bits.
  result=ok
  while read -r line; do grep -qxF -- "$line" docs/tutorials/clumps-on-a-slope.md || result=FAILED; done <"$work/clumps.md"
  for kept in csv svg; do cmp "$work/clumps/clumps-on-a-slope.$kept" "docs/tutorials/clumps-on-a-slope.$kept" || result=FAILED; done
  row "clumps on a slope: table, rows and figure as on the page" $result "$(grep -c ',' "$work/clumps/clumps-on-a-slope.csv") rows"
else
  row "clumps on a slope" FAILED "the script of the page ended early"
fi
for case in data/*/conf0; do
  run=$work/data/$(basename "$(dirname "$case")")
  rockable "$case" -o "$run" -q >/dev/null || true
done
beyond=$(find "$work" -name run.json -exec grep -L '"withinBounds": true' {} +)
[ -z "$beyond" ] && result=ok || result=FAILED
row "all runs of tutorials and data, whole: within bounds" $result "$(find "$work" -name run.json | wc -l) runs $beyond"
finish
