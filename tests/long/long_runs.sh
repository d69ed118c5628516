#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Ten million steps of a boulder, one million of 600 dodecahedra: memory, energy, files and the time of a step.
# STEPS: a share of these steps, 0 to 1 (default 1). Takes about ten minutes on two cores.
source "$(dirname "$0")/../support/long.sh"
built rockable shapeSurvey packgen
bin=$SCREE_BUILD/bin
share=${STEPS:-1}
workshop
steps() { awk -v n="$1" -v share="$share" 'BEGIN { printf "%d", n * share }'; }

# watched NAME CONF STEADY: runs CONF and adds its rows; STEADY, the time from which on all rests
watched() {
  local name=$1 what result figure
  while IFS='|' read -r what result figure; do
    row "$(echo $what)" "$(echo $result)" "$(echo $figure)"
  done < <(python3 tests/support/long_run.py "$SCREE_BUILD" "$2" "$work/$name" --steady "$3" --rows "$name" || echo "$name: all | FAILED | see above")
}

data=$SCREE_TEST_DATA/authume
if [ -d "$data" ]; then
  cd "$work"
  "$bin/shapeSurvey" import "$data/STL/SP3A.stl" --radius 0.005 --name SP3A -q -o raw.shp
  "$bin/shapeSurvey" compute raw.shp -q -o boulder.shp
  "$bin/shapeSurvey" import "$data"/STL/DTM_{Blue,Gray,Red}_zone.stl --surface --radius 0.02 -q -o terrain.shp
  { echo shape,x,y,z,qw,qx,qy,qz,group,driven
    printf 'DTM_%s_zone,0,0,0,1,0,0,0,0,1\n' Blue Gray Red
    awk 'NR == 1 { printf "SP3A,%s,%s,%s,%s,%s,%s,%s,1,0\n", $2, $3, $4, $8, $9, $10, $11 }' \
      "$data/trajectories/P1/SP3A/Drop_position_1/orientation_1.txt"; } >release.csv
  "$bin/packgen" from release.csv --shapes boulder.shp --shapes terrain.shp --density 2630.97 --law Avalanche --kn 1e7 --en2 0.1 --kt 4.2e6 \
    --mu 0.45 --kr 1e7 --mur 0.15 --gravity 0 -9.81 0 --duration "$(steps 1000)" --dt 1e-4 --interconf "$(awk -v s="$share" 'BEGIN { print 2.5 * s }')" -q -o quarry.conf
  cd "$root"
  watched quarry "$work/quarry.conf" "$(steps 100)"
else
  row "quarry" skipped "no public data in $SCREE_TEST_DATA"
fi

# They fall from a lattice into a box and lie at rest there after some 2 s of 100.
cd "$work"
"$bin/packgen" lattice --shape "$root/data/shapes/dodecahedron.shp" --cells 10 6 10 --spacing 0.56 --jitter 0.02 --random-orientation --seed 1 --walls 0.05 \
  --kn 1e6 --en2 0.05 --mu 0.5 --gravity 0 -9.81 0 --dt 1e-4 --duration "$(steps 100)" --interconf "$(awk -v s="$share" 'BEGIN { print 0.25 * s }')" -q -o heap.conf
cd "$root"
watched dodecahedra "$work/heap.conf" "$(steps 20)"
finish
