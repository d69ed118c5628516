#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 64 releases of boulder SP3A on the Authume quarry: means at 3 s and 7 s within three standard errors of Rockable's.
source "$(dirname "$0")/../support/long.sh"
data=$SCREE_TEST_DATA/authume
[ -d "$data" ] && [ -d "$SCREE_TEST_DATA/rockfall-64" ] || { row "64 releases" skipped "no authume and rockfall-64 in the folder of public data"; finish; }
built shapeSurvey packgen rockable extract
workshop
cd "$work"

shapeSurvey import "$data/STL/SP3A.stl" --radius 0.005 --name SP3A -q -o raw.shp
shapeSurvey compute raw.shp -q -o boulder.shp
shapeSurvey import "$data"/STL/DTM_{Gray,Blue,Red}_zone.stl --surface --radius 0.02 -q -o rawterrain.shp
shapeSurvey compute rawterrain.shp -q -o terrain.shp  # once, not for each release
# The mass of the reference runs, whatever the rounding adds to the volume.
density=$(shapeSurvey info boulder.shp --json | python3 -c 'import json, sys; print(514.148 / json.load(sys.stdin)["shapes"][0]["volume"])')
place=$(awk '$1 + 0 == $1 { print $1 "," $2 "," $3; exit }' "$data/positions_P1.xyz")
n=0
awk '$1 + 0 == $1 { print $1 "," $2 "," $3 "," $4 }' "$data/orientations.txt" | while read -r orientation; do
  n=$((n + 1))
  {
    echo shape,x,y,z,qw,qx,qy,qz,group,driven
    for zone in Gray Blue Red; do echo "DTM_${zone}_zone,0,0,0,1,0,0,0,0,1"; done
    echo "SP3A,$place,$orientation,1,0"
  } >release.csv
  packgen from release.csv --shapes boulder.shp --shapes terrain.shp --density "$density" --law Avalanche --kn 1e7 --en2 0.1 \
    --kt 4.2e6 --mu 0.45 --kr 1e7 --mur 0.15 --gravity 0 -9.81 0 --duration 7 --dt 1e-4 --interconf 1 --force -q -o "runs/$n/conf0"
  rockable "runs/$n/conf0" -o "runs/$n/out" -q -j "$jobs"
  extract bodies "runs/$n/out" --columns t,x,y,z,speed --add run=$n -q -o "tables/$n.csv"
done
extract join 'tables/*.csv' -q -o all.csv
python3 "$root/tests/support/rockfall_statistics.py" all.csv "$SCREE_TEST_DATA/rockfall-64/statistics.txt" >rows || row "statistics" FAILED "no comparison"
while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <rows
finish
