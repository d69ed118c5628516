#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs missing packages, builds Release, makes rocks and a stepped slope, lets the rocks fall, and writes
# ParaView files and a table.
# Usage: ./demo.sh [FOLDER]   (default demo-output; an earlier demo's folder is replaced)
set -euo pipefail
root=$(cd "$(dirname "$0")" && pwd)
out=${1:-$root/demo-output}
jobs=${JOBS:-$(nproc)}

"$root/scripts/packages.sh"
build=$root/build/release
log=$(mktemp)
trap 'rm -f "$log"' EXIT
[ -x "$build/bin/rockable" ] || echo "building; this takes several minutes the first time" >&2
[ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >"$log" 2>&1 || { cat "$log"; exit 1; }
cmake --build "$build" -j "$jobs" --target shapeSurvey packgen clumpify rockable conf2vtk extract >"$log" 2>&1 || { cat "$log"; exit 1; }
export PATH=$build/bin:$PATH

if [ -e "$out" ] && [ ! -f "$out/.scree-demo" ]; then
  echo "demo.sh: $out exists and is not the output of a demo; name another folder" >&2
  exit 4
fi
rm -rf "$out"
mkdir -p "$out"
touch "$out/.scree-demo"
cd "$out"

# Shapes: three faceted boulders, a slope of steps (y is up) and the ground below it; all exactly surveyed.
shapeSurvey make boulder --faces 40 --size 1.2 1.0 0.9 --radius 0.02 --seed 7 --name rock1 -q -o rock1.shp
shapeSurvey make boulder --faces 24 --size 0.9 0.7 0.8 --radius 0.02 --seed 3 --name rock2 -q -o rock2.shp
shapeSurvey make boulder --faces 60 --size 0.7 0.6 0.5 --radius 0.02 --seed 5 --name rock3 -q -o rock3.shp
shapeSurvey make slope --steps 12 --size 18 12 8 --radius 0.05 --name slope -q -o slope.shp
shapeSurvey make plate --size 30 12 --radius 0.05 --name ground -q -o ground.shp
for shape in rock1 rock2 rock3 slope ground; do shapeSurvey compute $shape.shp --force -q -o $shape.shp; done

# A scene: slope and ground are driven (fixed), the rocks start above the top, turned every way.
cat >scene.csv <<'CSV'
shape,x,y,z,qw,qx,qy,qz,vx,vy,vz,group,driven
slope,0,0,0,1,0,0,0,0,0,0,0,1
ground,22,-0.08,0,0.70710678,0.70710678,0,0,0,0,0,0,1
rock1,0.9,13.2,0.0,0.90,0.10,0.30,0.30,4.0,0,0.2,1,0
rock2,0.8,14.4,1.4,0.50,0.50,-0.50,0.50,3.5,0,-0.3,1,0
rock2,1.0,15.3,-1.4,0.80,-0.40,0.20,0.40,3.5,0,0.3,1,0
rock3,1.3,14.6,0.5,0.10,0.70,0.50,-0.50,4.0,0,0,1,0
rock3,0.5,13.3,-1.6,0.70,0.10,-0.70,0.10,4.0,0,0.4,1,0
rock3,0.7,15.9,0.2,0.90,0.30,0.10,-0.30,3.0,0,-0.2,1,0
CSV
packgen from scene.csv --shapes slope.shp --shapes ground.shp --shapes rock1.shp --shapes rock2.shp --shapes rock3.shp \
  --density 2600 --law Avalanche --kn 5e9 --en2 0.25 --kt 2.5e9 --mu 0.4 --kr 5e8 --mur 0.02 --duration 6 --interconf 0.05 -q -o run/conf0
rockable run/conf0 -o run -j "$jobs" -q
conf2vtk run -o vtk -q
extract TrackBody --body 2 run -q -o rock1.csv

echo "The demo has written into $out:"
echo "  vtk/*.pvd      open in ParaView: particles.pvd, driven.pvd, contacts.pvd"
echo "  rock1.csv      track of the largest rock: time, position, velocity, orientation, spin, force, moment"
echo "  run/conf*      the states, in the format of Rockable; run/run.json describes the run"
awk -F, '!/^#/ && ++n > 1 { v = sqrt($5*$5 + $6*$6 + $7*$7); if (v > top) top = v; if (n == 2) { x0 = $2; y0 = $3 } x = $2; y = $3; t = $1 }
  END { printf "Summary: in %g s the largest rock moved %.2f m along the slope and %.2f m down; its largest speed was %.1f m/s.\n", t, x - x0, y0 - y, top }' rock1.csv
grep -E '"(steps|bodies|contacts|wallSeconds|stateHash)"' run/run.json | tr -d ' ",' | tr '\n' ' '
echo
