#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A rotating drum, 40 % full of dodecahedra: fill, run, measure the dynamic angle of repose, draw.
# Usage: docs/tutorials/drum.sh [OUTPUT [NUMBER [TURNS]]]     (default drum-test, 5000 bodies, 0.7 turns)
# Needs the tools on the PATH; gnuplot draws the plot if it is installed. Started again, the script continues a run that was stopped.
set -euo pipefail
shapes=$(cd "$(dirname "$0")/../../data/shapes" && pwd)
out=${1:-drum-test} number=${2:-5000} turns=${3:-0.7}
mkdir -p "$out"
cd "$out"

# The bed fills 40 % of the drum when it is packed to 0.58. The drum is 16 bodies long. It turns at a Froude number
# spin^2 R / g of 0.01, where the bed rolls down in a steady slope. packgen chooses the stiffness for a fall through the
# whole drum onto one contact. Bodies share their impacts, so an overlap of 2 % there means less than 1 % in the run.
turn=$(awk -v n="$number" 'BEGIN {
  pi = atan2(0, -1); long = 8; radius = sqrt(n * 0.0555 / 0.58 / 0.4 / (pi * long)); spin = sqrt(0.01 * 9.81 / radius)
  printf "%.4g %.4g %.4g %.4g", radius, long, spin, 2 * pi / spin }')
read -r radius length spin period <<<"$turn"
if [ ! -f drum/conf0 ]; then
  packgen fill --shapes "$shapes/dodecahedron.shp" --container "drum:$radius,$length" --number "$number" --mu 0.5 --overlap 0.02 \
    --drive "drum:$spin" --duration "$(awk "BEGIN { print $turns * $period }")" --interconf "$(awk "BEGIN { print $period / 40 }")" \
    --force -o drum/conf0
fi

# The bodies fall, then turn with the drum until the bed slides. A file every fortieth of a turn.
rockable drum/conf0 -o run --resume
extract surface run --repose --along x -o surface.csv --force

# Dynamic angle of repose: the mean over the files after the first quarter turn, and its standard error from blocks of five files.
awk -F, -v period="$period" '/^#/ { next } !n { for (k = 1; k <= NF; ++k) at[$k] = k; n = 1; next }
  $at["t"] < period / 4 { next }
  { angle = $at["angle"] * 45 / atan2(1, 1); sum += angle; ++count; block += angle
    if (count % 5 == 0) { mean = block / 5; blocks += mean; squares += mean * mean; ++m; block = 0 } }
  END { printf "dynamic angle of repose %.1f degrees", sum / count
        if (m > 1) printf ", standard error %.1f", sqrt((squares / m - (blocks / m) ^ 2) / (m - 1))
        printf ", from %d files after the first quarter turn\n", count }' surface.csv | tee result.txt

conf2vtk "$(ls -v run/conf[0-9]* | tail -1)" -o vtk --image drum.png --force
if command -v gnuplot >/dev/null; then
  gnuplot <<GNU
set datafile separator ','
set datafile commentschars '#'
set terminal pngcairo size 640,360 font 'sans,10'
set output 'angle.png'
set key autotitle columnheader
set xlabel 'turns of the drum'
set ylabel 'angle of the surface [degrees]'
plot 'surface.csv' using (column('t') / $period):(column('angle') * 180 / pi) with linespoints lw 2 title ''
GNU
fi
