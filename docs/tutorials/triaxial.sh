#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A triaxial test of mixed polyhedra: fill, compact, shear, measure, draw.
# Usage: docs/tutorials/triaxial.sh [OUTPUT [NUMBER [STRAIN]]]     (default triaxial-test, 3000 bodies, 0.1)
# Needs the tools on the PATH; gnuplot draws the plot if it is installed. Started again, the script continues a test that was stopped.
set -euo pipefail
shapes=$(cd "$(dirname "$0")/../../data/shapes" && pwd)
out=${1:-triaxial-test} number=${2:-3000} strain=${3:-0.1}
mkdir -p "$out"
cd "$out"

# A loose sample that fills half of a cube: equal numbers of three shapes, sizes of 0.27 to 0.33 m by equal volume.
# Walls without friction bear no shear stress. Friction of 0.1 between bodies during compaction makes the sample dense.
if [ ! -f sample/conf0 ]; then
  side=$(awk -v n="$number" 'BEGIN { printf "%.4g", (n * atan2(0, -1) / 6 * 0.3 ^ 3 / 0.5) ^ (1 / 3) }')
  packgen fill --shapes "$shapes/dodecahedron.shp" --shapes "$shapes/brick.shp" --shapes "$shapes/tetrahedron.shp" \
    --container "box:$side,$side,$side" --number "$number" --grading uniform:0.27,0.33 --gravity 0 0 0 \
    --mu 0.1 --mu 0,1=0 --force -o loose/conf0

  # The sample at rest under 10 kPa, with the drive of its test. packgen chooses the stiffness; its rule is on the safe side,
  # so with --overlap 0.02 bodies overlap by less than 1 %. In the test, bodies have friction 0.5.
  packgen compact loose/conf0 --pressure 1e4 --overlap 0.02 --rest 2e-3,0.05,0.2 --drive "triaxial:1e4,,$strain" --force -o sample/conf0
  sed -i 's/^muContact 1 1 .*/muContact 1 1 0.5/' sample/conf0
fi

# The test, and its measurement.
rockable sample/conf0 -o run --resume
extract macro run -o macro.csv --force

# Peak friction angle, sin(angle) = (s1 - s3) / (s1 + s3), and volumetric strain (compression positive: below 0 where the sample dilates).
awk -F, '/^#/ { next } !n { for (k = 1; k <= NF; ++k) at[$k] = k; n = 1; next }
  { s1 = $at["syy"]; s3 = ($at["sxx"] + $at["szz"]) / 2; r = (s1 - s3) / (s1 + s3)
    angle = atan2(r, sqrt(1 - r * r)) * 45 / atan2(1, 1)
    if (angle > peak) { peak = angle; atPeak = $at["eyy"]; evPeak = $at["ev"] }
    last = angle; e = $at["eyy"]; ev = $at["ev"] }
  END { printf "peak friction angle %.1f degrees at axial strain %.3f, volumetric strain %+.4f there\n", peak, atPeak, evPeak
        printf "at the end: axial strain %.3f, friction angle %.1f degrees, volumetric strain %+.4f\n", e, last, ev }' \
  macro.csv | tee result.txt

conf2vtk "$(ls -v run/conf[0-9]* | tail -1)" -o vtk --image sample.png --force
if command -v gnuplot >/dev/null; then
  gnuplot <<'GNU'
set datafile separator ','
set datafile commentschars '#'
set terminal pngcairo size 640,420 font 'sans,10'
set output 'triaxial.png'
set key autotitle columnheader center right
set xrange [0:]
set yrange [0:]
set xlabel 'axial strain (logarithmic)'
set ylabel 'friction angle mobilised [degrees]'
set y2label 'volumetric strain (compression positive)'
set ytics nomirror
set y2tics
s3(x) = (column('sxx') + column('szz')) / 2
plot 'macro.csv' using 'eyy':(asin((column('syy') - s3(0)) / (column('syy') + s3(0))) * 180 / pi) axes x1y1 with lines lw 2 title 'friction angle', \
     '' using 'eyy':(column('ev')) axes x1y2 with lines lw 2 title 'volumetric strain'
GNU
fi
