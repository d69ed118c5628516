#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes this folder again with the tools of Scree: shapes/*.shp and the cases.
# Usage: data/make.sh [FOLDER_OF_PROGRAMS [OUTPUT]]   (default ../build/release/bin, and this folder)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
PATH=$(cd "${1:-$here/../build/release/bin}" && pwd):$PATH
data=$(cd "${2:-$here}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ---- Shapes: one a file, in its body frame, lengths in metres.
mkdir -p "$data/shapes"
cd "$data/shapes"
survey() { shapeSurvey compute "$work/$1.shp" -q --force -o "$1.shp"; }          # NAME
imported() {                                                                        # NAME RADIUS [OPTION...]
  shapeSurvey import "$work/$1.off" --name "$1" --radius "$2" "${@:3}" -q --force -o "$work/$1.shp"
  survey "$1"
}

awk 'BEGIN {                                    # a regular dodecahedron of edge sqrt(5) - 1
  OFMT = "%.17g"; phi = (1 + sqrt(5)) / 2; inv = 1 / phi; print "OFF\n20 0 0"
  for (x = -1; x <= 1; x += 2) for (y = -1; y <= 1; y += 2) for (z = -1; z <= 1; z += 2) print x, y, z
  for (a = -1; a <= 1; a += 2) for (b = -1; b <= 1; b += 2) {
    print 0, a * inv, b * phi; print a * inv, b * phi, 0; print a * phi, 0, b * inv } }' >"$work/points.off"
# The hull is of the vertices that faces use: a strip of triangles uses all.
sed -e 's/^20 0 0/20 18 0/' "$work/points.off" >"$work/dodecahedron.off"
for k in {0..17}; do echo "3 $k $((k + 1)) $((k + 2))"; done >>"$work/dodecahedron.off"
imported dodecahedron 0.02 --hull --coplanar 0.1 --size 0.5

shapeSurvey make box --size 0.5 0.35 0.25 --radius 0.02 --name brick -q --force -o "$work/brick.shp"
survey brick
shapeSurvey make box --size 0.6 0.6 0.1 --radius 0.02 --name tile -q --force -o "$work/tile.shp"
survey tile
printf 'OFF\n4 4 0\n1 1 1\n1 -1 -1\n-1 1 -1\n-1 -1 1\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n' >"$work/tetrahedron.off"
imported tetrahedron 0.02 --size 0.5
shapeSurvey make boulder --faces 80 --size 0.6 0.5 0.4 --radius 0.01 --seed 4 --name boulder -q --force -o "$work/boulder.shp"
survey boulder

cat >"$work/rods.shp" <<'SHP'
<
name rods
radius 0.05
preCompDone n
nv 6
-0.25 0 0
0.25 0 0
0 -0.25 0
0 0.25 0
0 0 -0.25
0 0 0.25
ne 3
0 1
2 3
4 5
nf 0
>
SHP
survey rods

# Surfaces of revolution about z, open inside: n facets, and the ends where they are closed.
ring() {  # N  R1 Z1  R2 Z2  BOTTOM(0|1) TOP(0|1)
  awk -v n="$1" -v r1="$2" -v z1="$3" -v r2="$4" -v z2="$5" -v bottom="$6" -v top="$7" 'BEGIN {
    print "OFF"; print 2 * n, n + bottom + top, 0; pi = atan2(0, -1)
    for (k = 0; k < n; ++k) print r1 * cos(2 * pi * k / n), r1 * sin(2 * pi * k / n), z1
    for (k = 0; k < n; ++k) print r2 * cos(2 * pi * k / n), r2 * sin(2 * pi * k / n), z2
    for (k = 0; k < n; ++k) print 4, k, (k + 1) % n, n + (k + 1) % n, n + k
    if (bottom) { printf "%d", n; for (k = n - 1; k >= 0; --k) printf " %d", k; print "" }
    if (top) { printf "%d", n; for (k = 0; k < n; ++k) printf " %d", n + k; print "" } }'
}
ring 24 2 -1 2 1 1 1 >"$work/drum.off"
imported drum 0.02 --surface
ring 16 0.6 0 2 1.6 0 0 >"$work/hopper.off"
imported hopper 0.02 --surface

# ---- Cases: each a folder with a conf-file, its shape-file and, where bodies are driven, drivingSystem.txt.
new_case() {  # NAME: an empty folder, entered
  mkdir -p "$data/$1"
  cd "$data/$1"
  rm -f conf0 ./*.shp drivingSystem.txt dataExtractors.txt poses.csv
}
shapes=$data/shapes
grid() {  # NX NY NZ STEP X0 Y0 Z0 SHAPE...: rows of a pose table, shapes in turn
  awk -v nx="$1" -v ny="$2" -v nz="$3" -v s="$4" -v x0="$5" -v y0="$6" -v z0="$7" -v names="${*:8}" 'BEGIN {
    n = split(names, shape, " "); c = 0
    for (j = 0; j < ny; ++j) for (i = 0; i < nx; ++i) for (k = 0; k < nz; ++k)
      print shape[1 + c++ % n] "," x0 + i * s "," y0 + j * s "," z0 + k * s ",1,0" }'
}

new_case heap
shapeSurvey make plate --size 8 8 --radius 0.05 --name ground -q --force -o "$work/ground.shp"
shapeSurvey compute "$work/ground.shp" -q --force -o "$work/ground.shp"
{
  echo shape,x,y,z,group,driven,qw,qx,qy,qz
  echo ground,0,-0.05,0,0,1,0.70710678118654752,0.70710678118654752,0,0
  grid 5 5 5 0.62 -1.24 0.4 -1.24 dodecahedron | awk -F, '{ t = NR * 0.7; print $0 "," cos(t) "," sin(t) * 0.6 "," sin(t) * 0.8 ",0" }'
} >poses.csv
packgen from poses.csv --shapes "$work/ground.shp" --shapes "$shapes/dodecahedron.shp" --mu 0.6 --kn 1e8 --duration 3 \
  --interconf 0.1 -q --force -o conf0

new_case drum
packgen fill --shapes "$shapes/dodecahedron.shp" --shapes "$shapes/brick.shp" --shapes "$shapes/tetrahedron.shp" \
  --shapes "$shapes/boulder.shp" --container drum:2,2 --number 32 --mu 0.5 --drive drum:1 --duration 4 --interconf 0.1 \
  -q --force -o conf0

# Friction is low while the sample is pressed, so it becomes dense; the walls have none.
new_case triaxial
packgen fill --shapes "$shapes/dodecahedron.shp" --shapes "$shapes/brick.shp" --shapes "$shapes/boulder.shp" \
  --container box:2.6,2.6,2.6 --number 125 --gravity 0 0 0 --mu 0.05 --mu 0,1=0 -q -o "$work/loose/conf0"
packgen compact "$work/loose/conf0" --pressure 1e4 --drive triaxial:1e4,,0.15 --interconf 0.5 -q --force -o conf0
sed -i 's/^muContact 1 1 .*/muContact 1 1 0.4/' conf0

new_case beam
shapeSurvey make box --size 0.2 --radius 0.02 --name block -q --force -o "$work/block.shp"
shapeSurvey compute "$work/block.shp" -q --force -o "$work/block.shp"
{
  echo shape,x,y,z,group,cluster,driven
  echo block,0,0,0,1,0,1
  for k in 1 2 3 4 5 6 7 8; do echo "block,$(awk -v k=$k 'BEGIN { print 0.2 * k }'),0,0,1,0,0"; done
} >poses.csv
packgen from poses.csv --shapes "$work/block.shp" --law StickedLinks --kn 2e6 --mu 0.4 --bond knInnerBond=2e6 \
  --bond ktInnerBond=2e6 --bond en2InnerBond=0.05 --bond fn0InnerBond=900 --bond ft0InnerBond=900 --bond powInnerBond=2 \
  --duration 0.6 --interconf 0.02 -q --force -o conf0
# The command that glues the blocks is not an option of packgen.
printf "glue_with_walls yes\nstickVerticesInClustersMoments 1e-3\n" >>conf0

new_case boulder-on-slope
shapeSurvey make slope --steps 8 --size 16 10 6 --radius 0.05 --name slope -q --force -o "$work/slope.shp"
shapeSurvey compute "$work/slope.shp" -q --force -o "$work/slope.shp"
printf 'shape,x,y,z,group,driven,vx,vy,vz\nslope,0,0,0,0,1,0,0,0\nboulder,0.6,10.8,0,1,0,2.5,0,0.1\n' >poses.csv
packgen from poses.csv --shapes "$work/slope.shp" --shapes "$shapes/boulder.shp" --law Avalanche --density 2600 \
  --en2 0.25 --mu 0.4 --kr 1e5 --mur 0.05 --duration 3 --interconf 0.05 -q --force -o conf0
printf 'TrackBody 1 track.txt 1000\nImpacts 1 1e4 impacts.txt 1\n' >dataExtractors.txt

new_case periodic-shear
shapeSurvey make sphere --size 0.3 --name ball -q --force -o "$work/ball.shp"
shapeSurvey compute "$work/ball.shp" -q --force -o "$work/ball.shp"
packgen fill --shapes "$work/ball.shp" --container periodic:1.4,1.4,1.4 --number 108 --mu 0.3 --pressure 1e3 \
  --drive shear:1e3,0.2,0.4 --interconf 0.1 -q --force -o conf0
