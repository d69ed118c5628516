#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Friction and restitution of the quarry of Authume from 41 measured stops: two plans of releases, scores, a map.
# Usage: docs/tutorials/calibration.sh DATA [OUTPUT [ORIENTATIONS]]     (default calibration, 4)
# DATA is a folder with STL/, positions_P1.xyz and Endpoints_P1.txt of the published data. Needs the tools on the PATH and GNU parallel;
# gnuplot draws the plots if it is installed. Started again, the script continues runs that were stopped.
set -euo pipefail
data=$(cd "$1" && pwd) out=${2:-calibration} orientations=${3:-4}
mkdir -p "$out"
cd "$out"
plot() { ! command -v gnuplot >/dev/null || echo --plot "$1"; }

# A boulder of 514 kg, the quarry in three zones of one group, and names for the columns of the measurements.
[ -f boulder.shp ] || shapeSurvey import "$data/STL/SP3A.stl" --radius 0.005 --name SP3A | shapeSurvey compute - -o boulder.shp
[ -f quarry.conf ] || packgen terrain "$data"/STL/DTM_{Gray,Blue,Red}_zone.stl:0 --radius 0.02 -o quarry.shp
{ echo '# x y z mass L1 L2 L3'; cat "$data/Endpoints_P1.txt"; } >measured.txt
{ echo '# x y z'; cat "$data/positions_P1.xyz"; } >points.txt

# study NAME ORIENTATIONS MU EN2: all pairs of friction and restitution, each with the four places in so many orientations.
study() {
  [ -f "$1/runs.csv" ] || packgen release boulder.shp:SP3A --on quarry.conf --points points.txt --orientations "$2" \
    --law Avalanche --kn 1e7 --kt 4.2e6 --kr 1e7 --mur 0.15 --density 2501 --dt 1e-4 --duration 30 \
    --vary "muContact:0-1=$3" --vary "en2Contact:0-1=$4" --track -o "$1"
  sh "$1/run.sh" -j 2
}
# score NAME: the pairs, best first, and the profile of each parameter.
score() {
  local call=(extract score "$1/result.csv" --against measured.txt --by muContact:0-1,en2Contact:0-1 --column x --error x=5 --outliers 0.05 --force)
  "${call[@]}" -o "$1-points.csv"
  for parameter in mu en2; do "${call[@]}" -q --profile "${parameter}Contact:0-1" -o "$1-$parameter.csv" $(plot "$1-$parameter.png"); done
}
study wide "$orientations" 0.3:0.8:6 0.05,0.1,0.2,0.35
score wide
study near $((4 * orientations)) 0.45:0.6:4 0.05,0.1,0.2
score near

# Where the boulders of the best pair pass.
read -r mu en2 <<<"$(awk -F, '/^[0-9]/ { print $1, $2; exit }' near-points.csv)"
awk -F, -v mu="$mu" -v en2="$en2" '/^[0-9]/ && $(NF - 1) == mu && $NF == en2 { print "near/" $1 "/track.txt" }' near/runs.csv >best.txt
extract reach --cell 2 --together --track @best.txt -o passes.csv --force
! command -v gnuplot >/dev/null || gnuplot -e 'set terminal pngcairo size 800,420; set output "passes.png"; set datafile separator ",";
  set size ratio -1; set xlabel "u (m)"; set ylabel "v (m)"; set cblabel "share of the boulders";
  plot "passes.csv" using "u":"v":"frequency" with points pointtype 5 pointsize 1.5 palette notitle'
