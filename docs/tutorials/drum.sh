#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Dodecahedra in a drum that turns: scatter, settle, turn, measure the slope, draw.
# Usage: docs/tutorials/drum.sh [OUTPUT [NUMBER [SECONDS]]]     (default drum-test, 5000 bodies, 12 s)
# Needs the tools on the PATH; gnuplot for the plot, where there is one.
set -euo pipefail
shapes=$(cd "$(dirname "$0")/../../data/shapes" && pwd)
out=${1:-drum-test} number=${2:-5000} seconds=${3:-12}
mkdir -p "$out"
cd "$out"

# A drum 1.3 times as wide as long whose bed of dodecahedra fills it by about 40 %.
radius=$(awk -v n="$number" 'BEGIN { printf "%.4g", (n * 0.05552 / 0.21 / (3.14159 * 0.75)) ^ (1 / 3) }')
length=$(awk -v r="$radius" 'BEGIN { printf "%.4g", 0.75 * r }')
packgen scatter --shapes "$shapes/dodecahedron.shp" --container "drum:$radius,$length" --number "$number" --mu 0.5 \
  --kn 1e8 --force -o loose/conf0

# One command each: the bed at rest with the drive of the drum, the drum, the table of places.
packgen settle loose/conf0 --until-rest --rest 1e-2,1e-2,0.05 --until 30 --drive drum:0.25 --duration "$seconds" \
  --interconf 0.25 --force -o bed/conf0
rockable bed/conf0 -o run --force
extract bodies run -o bodies.csv --force

# The slope of the bed: its centre of mass stands on the normal of its surface.
awk -F, '/^#/ { next } !n { for (k = 1; k <= NF; ++k) at[$k] = k; n = 1; print "t,slope"; next }
  { t = $at["t"]; if (!(t in count)) order[++rows] = t; count[t]++; x[t] += $at["x"]; y[t] += $at["y"] }
  END { for (k = 1; k <= rows; ++k) { t = order[k]; printf "%s,%.4f\n", t, atan2(x[t], -y[t]) * 45 / atan2(1, 1) } }' bodies.csv >slope.csv
awk -F, 'NR > 1 { if ($2 > most) { most = $2; at = $1 } last = $2 }
  END { printf "largest slope of the bed %.1f degrees at t = %.2f s, %.1f degrees at the end\n", most, at, last }' slope.csv | tee result.txt

conf2vtk "$(ls -v run/conf[0-9]* | tail -1)" -o vtk --image drum.png --force
if command -v gnuplot >/dev/null; then
  gnuplot <<'GNU'
set datafile separator ','
set terminal svg size 640,360 font 'sans,12'
set output 'slope.svg'
set key off
set xlabel 'time [s]'
set ylabel 'slope of the bed [degrees]'
plot 'slope.csv' every ::1 using 1:2 with lines lw 2
GNU
fi
