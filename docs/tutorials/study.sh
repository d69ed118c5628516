#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Releases above a slope, and the share of boulders that go farther than each distance: a few runs first, then many more of the same plan.
# Usage: docs/tutorials/study.sh [OUTPUT [RUNS [MORE [slurm]]]]     (default study-test, 64 runs, 10000 in the end)
# The word slurm gives the many runs to a cluster. Needs the tools on the PATH and GNU parallel; gnuplot draws the plots if it is installed.
# Started again, the script continues runs that were stopped.
set -euo pipefail
out=${1:-study-test} runs=${2:-64} more=${3:-10000} where=${4:-here}
command -v parallel >/dev/null || { echo "study.sh: GNU parallel is missing (Debian: parallel)" >&2; exit 1; }
mkdir -p "$out"
cd "$out"
plot() { ! command -v gnuplot >/dev/null || echo --plot "$1"; }
count() { grep -c '^[0-9]' "$1"; }

# A slope of 16 steps as a terrain, and a boulder.
if [ ! -f boulder.shp ]; then
  shapeSurvey make slope --size 40 16 40 --steps 16 | shapeSurvey export - --force -o slope.stl
  packgen terrain slope.stl --radius 0.05 --force -o ground.shp
  shapeSurvey make boulder --size 0.9 0.8 0.6 --radius 0.02 --name boulder -o boulder.shp
fi

# release OPTIONS: point, orientation and friction of each run are one point of a Sobol sequence.
release() {
  packgen release boulder.shp:boulder --on ground.conf --points box:0.5,0,-5,2,0,5 --above 1 --velocities 3,0,0 --orientations random \
    --vary muContact:0-1=uniform:0.4,0.7 --law Avalanche --en2 0.2 --kr 1e5 --mur 0.15 --overlap 0.02 --duration 30 --track \
    --plan sobol "$@" -o study
}
# curve NAME: share of the boulders that go farther than each whole metre.
curve() { extract exceedance --of reach --levels "$(seq -s, 0 40)" study/result.csv --force -o "$1.csv" $(plot "$1.png"); }

# The first runs, on this machine.
[ -f study/runs.csv ] || release --runs "$runs"
if [ ! -f few.csv ]; then
  sh study/run.sh
  packgen ensemble --status study
  curve few
fi

# More runs of the same plan, here or on a cluster.
[ "$(count study/runs.csv)" -ge "$more" ] || release --append --runs "$more"
if [ "$(count study/result.csv)" -lt "$more" ]; then
  if [ "$where" = slurm ]; then
    sh study/slurm.sh --time=01:00:00
    echo "study.sh: Slurm has the runs. Start the script again when packgen ensemble --status $out/study counts them all as done."
    exit
  fi
  sh study/run.sh
fi
packgen ensemble --status study
curve many

# Both curves, each with a band of one standard error.
! command -v gnuplot >/dev/null || gnuplot -e "set terminal pngcairo size 800,480; set output 'curves.png'; set datafile separator ',';
  set xlabel 'reach (m)'; set ylabel 'share of boulders that go farther'; set yrange [0:1]; set xrange [0:40]; set grid; set style fill transparent solid 0.3 noborder;
  plot 'few.csv' using 'level':(column('p')-column('error')):(column('p')+column('error')) with filledcurves linecolor 1 notitle, '' using 'level':'p' with lines linecolor 1 linewidth 2 title '$runs runs',
    'many.csv' using 'level':(column('p')-column('error')):(column('p')+column('error')) with filledcurves linecolor 7 notitle, '' using 'level':'p' with lines linecolor 7 linewidth 2 title '$more runs'"
