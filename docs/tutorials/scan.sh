#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# From a labelled image to a triaxial test of its grains: import, compact, run, plot.
# Usage: docs/tutorials/scan.sh [OUTPUT [STRAIN]]     (default scan-test, 0.1)
# Needs the tools on the PATH; gnuplot draws the plot if it is installed. Started again, the script continues a run that was stopped.
set -euo pipefail
image=$(cd "$(dirname "$0")" && pwd)/scan.nrrd
out=${1:-scan-test} strain=${2:-0.1}
mkdir -p "$out"
cd "$out"
plot() { ! command -v gnuplot >/dev/null || echo --plot "$1"; }

# Voxels have sides of 1 mm. The grains get roundings of 1.5 mm, which their faces move in by, and six walls without friction.
if [ ! -f sample/conf0 ]; then
  shapeSurvey import "$image" --voxel 0.001 --radius 0.0015 --inset --faces 60 --force -o grains.shp --conf scan/conf0 --walls --table form.csv
  sed -i 's/^muContact 0 1 .*/muContact 0 1 0/' scan/conf0
  packgen compact scan/conf0 --pressure 1e4 --drive "triaxial:1e4,,$strain" --force -o sample/conf0
fi
rockable sample/conf0 -o run --resume
extract macro run --columns eyy,q --force -o macro.csv $(plot macro.png)
conf2vtk scan/conf0 -o vtk --image grains.png --force -q
