#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A glued boulder falls onto a plate and breaks: cut it, let it fall, measure fragments and damage, draw.
# Usage: docs/tutorials/rock.sh [OUTPUT [CELLS]]     (default rock-test, 300 cells)
# Needs the tools on the PATH; gnuplot draws the plots if it is installed. Started again, the script continues a run that was stopped.
set -euo pipefail
out=${1:-rock-test} cells=${2:-300}
mkdir -p "$out"
cd "$out"
plot() { ! command -v gnuplot >/dev/null || echo --plot "$1"; }

# A ball of 1 m in Voronoi cells, with the strength of a sandstone, in a box of walls. All walls but the floor go.
# A broken face has more contacts than it had bonds: --kn is so low that this makes little energy.
if [ ! -f fall/conf0 ]; then
  packgen voronoi --container sphere:0.5 --cells "$cells" --relax 5 --radius 0.005 \
    --bond young=3e10,poisson=0.25,tensile=3e6,cohesion=6e6 --kn 5e7 --kn 0,1=1e9 --walls 0.1 --duration 0.15 --force -o rock/conf0
  packgen transform rock/conf0 --drop "driven && y > -0.6" --set "vy = -2 * !driven" --force -o fall/conf0
fi
rockable fall/conf0 -o run --resume

# Sizes of the fragments, damage over time, energy; pictures of the start, of the time after the impact and of the end.
extract fragments run/conf50 -o fragments.csv --force
extract sieve run/conf50 -o sieve.csv $(plot sieve.png) --force
extract damage run --columns t,damage -o damage.csv $(plot damage.png) --force
extract energy run -o energy.csv --force
conf2vtk run --every 25 --image rock.png --size 540 410 --explode 0.3 --bonds --color-by fragment --force
