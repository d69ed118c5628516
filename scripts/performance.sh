#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Table of docs/performance.md: what a piece of work takes, with the programs of a build and one thread.
#     scripts/performance.sh [BUILD]     (default: build/release)
# Prints Markdown. Times are processor time of whole programs, the least of three; for a quiet machine. Where `lmp` (LAMMPS) or a
# program named by PEER_ROCKABLE (Rockable) is there, they run the same files, in turns with ours.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
cmake --build "$build" --target bench_engine rockable packgen conf2vtk extract clumpify shapeSurvey >/dev/null
export PATH=$build/bin:$PATH
bench=$build/tests/bin/bench_engine
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir states

# cost COMMAND...: sets `seconds` and `megabytes` to processor time and peak memory, the least of three runs
cost() {
  local lines='' s
  for _ in 1 2 3; do
    command time -f '%U %S %M' -o cost "$@" >log 2>&1 || { tail -n 3 log >&2; exit 1; }
    lines+=$(tail -n 1 cost)$'\n'
  done
  read -r seconds megabytes < <(awk 'NF == 3 { s = $1 + $2; if (!n++ || s < t) t = s; if (n == 1 || $3 < m) m = $3 }
    END { printf "%.3g %.0f\n", t, m / 1024 }' <<<"$lines")
}
# row WHAT [PEER]: one row of the table, from the last cost
row() { echo "| $1 | $seconds s | $megabytes MB | ${2:-} |"; }
# shorten FILE STEPS: so many steps are left to a conf-file
shorten() {
  awk -v steps="$2" 'FNR == NR { value[$1] = $2; next } $1 == "tmax" { $2 = sprintf("%.17g", value["t"] + steps * value["dt"]) } 1' "$1" "$1" >edited
  mv edited "$1"
}
# scene NAME SIZE STEPS: NAME/scene.conf, a settled scene with so many steps to go
scene() {
  mkdir "$1"
  "$bench" "$1" "$2" --states states --write "$1" >log 2>&1
  shorten "$1/scene.conf" "$3"
}

echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), $(nproc) processors, $(rockable --version)."
echo
echo '| work, one thread | processor time | memory | other programs |'
echo '|---|---|---|---|'

scene dodecahedra 600 3000
cost rockable dodecahedra/scene.conf -o run -j 1 --force
peer=
if [ -n "${PEER_ROCKABLE:-}" ]; then
  ours=$seconds
  cost "$PEER_ROCKABLE" dodecahedra/scene.conf
  peer="Rockable $seconds s for the whole file" seconds=$ours
fi
row '3,000 steps of 600 settled dodecahedra, 4.6 contacts each (`rockable`)' "$peer"

# balls COUNT: rockable, and LAMMPS with the law of the export and with gran/hooke/history, its fastest, with the same stiffnesses
balls() {
  scene balls "$1" 1000
  cost rockable balls/scene.conf -o run -j 1 --force
  local peer='' ours=$seconds memory=$megabytes
  if command -v lmp >/dev/null; then
    packgen export balls/scene.conf --to lammps -o "lammps$1" -q
    sed -i 's/^run .*/run 1000/' "lammps$1/case.in"
    sed -E 's|^pair_style .*|pair_style gran/hooke/history 1e7 8e6 130 0 0.4 0|; s|^pair_coeff .*|pair_coeff * *|
      s|granular hooke .* limit_damping|hooke/history 1e7 8e6 130 0 0.4 0|' "lammps$1/case.in" >"lammps$1/hooke.in"
    cost env -C "lammps$1" lmp -in hooke.in
    peer="LAMMPS, gran/hooke/history: $seconds s"
    cost env -C "lammps$1" lmp -in case.in
    peer+="; with the law of the export: $seconds s"
  fi
  seconds=$ours megabytes=$memory
  row "1,000 steps of $1 settled balls, 2.7 contacts each (\`rockable\`)" "$peer"
}
balls 10000
mv balls balls10000
balls 30000

cost rockable "$root/data/boulder-on-slope/conf0" -o run -j 1 --force
row 'a boulder rolls down a slope (`rockable data/boulder-on-slope/conf0`)'

shapes=$root/data/shapes
cost packgen fill --shapes "$shapes/dodecahedron.shp" --shapes "$shapes/brick.shp" --container box:5,5,5 --solid-fraction 0.5 -j 1 --force -o fill/conf0
row "$(sed -n 's/^\([0-9]*\) bodies.*/\1/p' log | head -1) dodecahedra and bricks without overlap, solid fraction 0.50 (\`packgen fill\`)"
cost packgen voronoi --container box:1,1,1 --cells 1000 --radius 1e-4 --bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6 -j 1 --force -o rock/conf0
row 'a block of 1,000 bonded cells (`packgen voronoi`)'
shorten rock/conf0 1000
cost rockable rock/conf0 -o run -j 1 --force
row "1,000 steps of that block, glued at $(sed -n 's/^Interfaces //p' rock/conf0) faces (\`rockable\`)"

cost shapeSurvey make boulder --faces 2500 --seed 1 --force -o boulder.shp
cost shapeSurvey compute boulder.shp -j 1 --force -o computed.shp
row 'exact mass properties of a boulder of 2,500 faces (`shapeSurvey compute`)'
cost clumpify cover computed.shp --spheres 20 --inside -j 1 --force -o cover.shp
row 'the same boulder as 20 balls inside it (`clumpify cover`)'
cost shapeSurvey import "$root/docs/tutorials/scan.nrrd" --voxel 1e-3 --radius 1e-4 -j 1 --force -o grains.shp
row "$(grep -c '^<' grains.shp) grains of a labelled image (\`shapeSurvey import\`)"

cost conf2vtk rock/conf0 -j 1 --force -o vtk
row 'that block with its bonds for ParaView (`conf2vtk`)'
cost extract stress balls10000/scene.conf -j 1 --force -o stress.csv
row 'the stress of the 10,000 balls (`extract`)'
