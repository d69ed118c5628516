#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 64 releases of boulder SP3A as a study, by GNU parallel and by Snakemake, killed and resumed: one table; means within three standard errors of Rockable's.
source "$(dirname "$0")/../support/long.sh"
data=$SCREE_TEST_DATA/authume
[ -d "$data" ] && [ -d "$SCREE_TEST_DATA/rockfall-64" ] || { row "64 releases" skipped "no authume and rockfall-64 in the folder of public data"; finish; }
scripts/packages.sh parallel snakemake procps
built shapeSurvey packgen rockable extract
workshop
cd "$work"

shapeSurvey import "$data/STL/SP3A.stl" --radius 0.005 --name SP3A -q -o raw.shp
shapeSurvey compute raw.shp -q -o boulder.shp
shapeSurvey import "$data"/STL/DTM_{Gray,Blue,Red}_zone.stl --surface --radius 0.02 -q -o rawterrain.shp
shapeSurvey compute rawterrain.shp -q -o terrain.shp
# The mass of the reference runs, whatever the rounding adds to the volume.
density=$(shapeSurvey info boulder.shp --json | python3 -c 'import json, sys; print(514.148 / json.load(sys.stdin)["shapes"][0]["volume"])')
{
  echo shape,x,y,z,group,driven
  for zone in Gray Blue Red; do echo "DTM_${zone}_zone,0,0,0,0,1"; done
} >zones.csv
packgen from zones.csv --shapes terrain.shp -q -o terrain/conf0
sed '1s/.*/qw\tqx\tqy\tqz/' "$data/orientations.txt" >orientations.csv
for study in parallel snakemake; do
  packgen release boulder.shp:SP3A --on terrain/conf0 --points "$(head -1 "$data/positions_P1.xyz" | tr -s ' \t' ,)" --orientations orientations.csv \
    --density "$density" --law Avalanche --kn 1e7 --en2 0.1 --kt 4.2e6 --mu 0.45 --kr 1e7 --mur 0.15 --gravity 0 -9.81 0 --duration 7 --dt 1e-4 \
    --interconf 1 --collect "bodies --columns t,x,y,z,speed" -q -o $study
done
by() {
  case $1 in
    parallel) exec sh parallel/run.sh -j "$jobs" ;;
    snakemake) exec snakemake -d snakemake -s snakemake/Snakefile -j "$jobs" --keep-going --rerun-incomplete --nolock ;;
  esac
}
export -f by
export jobs
for study in parallel snakemake; do
  setsid bash -c "by $study" >"$study.log" 2>&1 &
  session=$!
  until [ "$(find $study/tables -name '0*.csv' 2>/dev/null | wc -l)" -ge 20 ]; do
    [ -d /proc/$session ] || break
    sleep 0.1
  done
  pkill -9 -s $session || true
  wait $session 2>/dev/null || true
  before=$(packgen ensemble --status $study)
  (by $study) >"$study.log" 2>&1 || { tail -n 3 "$study.log"; row "$study" FAILED "ended early"; }
  after=$(packgen ensemble --status $study | head -1)
  case $after in *": 64 done"*) result=ok ;; *) result=FAILED ;; esac
  row "$study: killed and resumed" $result "after the kill $(head -1 <<<"$before"); at the end $after"
done
cmp -s parallel/result.csv snakemake/result.csv && result=ok || result=FAILED
row "GNU parallel and Snakemake" $result "one table of $(grep -vc '^#' parallel/result.csv) lines, to the byte"
mkdir alone
cp -r parallel/shapes .
for r in 0007 0040; do
  mkdir $r
  cp parallel/$r/conf0 $r
  rockable $r/conf0 -o $r -q -j "$jobs"
  extract bodies $r --columns t,x,y,z,speed -q | grep '^[0-9]' >alone/$r
done
grep -E '^(0007|0040),' parallel/result.csv | cut -d, -f2-6 | cmp -s - <(cat alone/*) && result=ok || result=FAILED
row "two runs that nobody killed" $result "the same rows"
grep -v '^#' parallel/result.csv | cut -d, -f1-6 >all.csv
python3 "$root/tests/support/rockfall_statistics.py" all.csv "$SCREE_TEST_DATA/rockfall-64/statistics.txt" >rows || row "statistics" FAILED "no comparison"
while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <rows
finish
