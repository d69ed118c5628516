#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A triaxial test of mixed polyhedra: fill, compact, shear, measure, draw.
# Usage: docs/tutorials/triaxial.sh [OUTPUT [NUMBER [STRAIN]]]     (default triaxial-test, 3000 bodies, 0.1)
# Needs the tools on the PATH; gnuplot for the plot, where there is one.
set -euo pipefail
shapes=$(cd "$(dirname "$0")/../../data/shapes" && pwd)
out=${1:-triaxial-test} number=${2:-3000} strain=${3:-0.1}
mkdir -p "$out"
cd "$out"

# A loose sample: equal numbers of dodecahedra, bricks and tetrahedra, half a metre across, in a cube at half its volume.
side=$(awk -v n="$number" 'BEGIN { printf "%.4g", (n * 0.04917 / 0.5) ^ (1 / 3) }')   # 0.04917 m3: mean volume of a body
packgen fill --shapes "$shapes/dodecahedron.shp" --shapes "$shapes/brick.shp" --shapes "$shapes/tetrahedron.shp" \
  --container "box:$side,$side,$side" --number "$number" --gravity 0 0 0 --mu 0.4 --force -o loose/conf0

# One command each: the sample under 10 kPa with the drive of its test, the test, the measurement.
packgen compact loose/conf0 --pressure 1e4 --drive "triaxial:1e4,,$strain" --force -o sample/conf0
rockable sample/conf0 -o run --force
extract macro run -o macro.csv --force

# Peak friction angle, sin(angle) = (s1 - s3) / (s1 + s3), and volumetric strain (dilation positive).
awk -F, '/^#/ { next } !n { for (k = 1; k <= NF; ++k) at[$k] = k; n = 1; next }
  { s1 = $at["syy"]; s3 = ($at["sxx"] + $at["szz"]) / 2; r = (s1 - s3) / (s1 + s3)
    angle = atan2(r, sqrt(1 - r * r)) * 45 / atan2(1, 1)
    if (angle > peak) { peak = angle; atPeak = $at["eyy"]; evPeak = -$at["ev"] }
    last = angle; e = $at["eyy"]; ev = -$at["ev"] }
  END { printf "peak friction angle %.1f degrees at axial strain %.3f, volumetric strain %+.4f there\n", peak, atPeak, evPeak
        printf "at the end: axial strain %.3f, friction angle %.1f degrees, volumetric strain %+.4f (dilation positive)\n", e, last, ev }' \
  macro.csv | tee result.txt

conf2vtk run/conf50 -o vtk --image sample.png --force
if command -v gnuplot >/dev/null; then
  gnuplot <<'GNU'
set datafile separator ','
set datafile commentschars '#'
set terminal svg size 640,420 font 'sans,12'
set output 'triaxial.svg'
set key autotitle columnheader left top
set xlabel 'axial strain'
set ylabel 'q / p'
set y2label 'volumetric strain (dilation positive)'
set ytics nomirror
set y2tics
plot 'macro.csv' using 'eyy':(column('q') / column('p')) axes x1y1 with lines lw 2 title 'q / p', \
     '' using 'eyy':(-column('ev')) axes x1y2 with lines lw 2 title 'volumetric strain'
GNU
fi
