#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# extract compared with LAMMPS (g(r), neighbours of 30,000 balls) and YADE (porosity, stress of each ball) on the same packings.
source "$(dirname "$0")/../support/long.sh"
built rockable extract
workshop

# contacts DIR: the contacts of DIR/conf0, by a step in which nothing moves, in DIR/run/restart.conf
contacts() { (cd "$1" && rockable conf0 -o run --steps 1 -q -j "$jobs" 2>rockable.log) || [ $? -eq 75 ]; }

if command -v lmp >/dev/null; then
  mkdir "$work/l" && python3 tests/support/peers_case.py random "$work/l"
  contacts "$work/l"
  cat >"$work/l/in.rdf" <<'END_OF_INPUT'
units lj
atom_style atomic
boundary p p p
read_data lammps.data
pair_style zero 3.2
pair_coeff * *
comm_modify cutoff 3.5
compute g all rdf 100 cutoff 3.0
compute near all coord/atom cutoff 1.0
fix g all ave/time 1 1 1 c_g[*] mode vector file rdf.txt format " %.17g"
dump near all custom 1 coord.txt id c_near
run 0
END_OF_INPUT
  if (cd "$work/l" && lmp -in in.rdf >lammps.log 2>&1); then
    (cd "$work/l" && extract gr conf0 --shells 100 --max 3 -o gr.csv && extract bodies run/restart.conf --columns id,partners -o partners.csv)
    (cd "$work/l" && grep -v '^#' rdf.txt >rows.txt)
    python3 tests/support/peers_compare.py lammps "$work/l/gr.csv" "$work/l/rows.txt" "$work/l/partners.csv" "$work/l/coord.txt" >"$work/rows" ||
      row "LAMMPS" FAILED "no comparison"
    while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <"$work/rows"
  else
    tail -n 5 "$work/l/lammps.log"
    row "LAMMPS" FAILED "ended early"
  fi
else
  row "LAMMPS" skipped "no program lmp (Debian: lammps)"
fi

if command -v yade >/dev/null; then
  mkdir "$work/y" && python3 tests/support/peers_case.py lattice "$work/y"
  contacts "$work/y"
  cat >"$work/y/stress.py" <<'END_OF_SCRIPT'
from yade import utils
balls = [[float(w) for w in line.split()] for line in open("yade.txt")]
# Springs of 1000: there kn = 2 E1 r1 E2 r2 / (E1 r1 + E2 r2), which is E r.
material = O.materials.append(FrictMat(young=2000, poisson=1, frictionAngle=0.46, density=1))
for x, y, z, r in balls:
    O.bodies.append(utils.sphere((x, y, z), r, material=material))
O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()]),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
                             [Law2_ScGeom_FrictPhys_CundallStrack()]),
             NewtonIntegrator(gravity=(0, 0, 0), damping=0)]
O.dt = 1e-30
O.step()
with open("peer.txt", "w") as out:
    out.write("%.17g\n" % utils.porosity(5000.0))
    for s in bodyStressTensors():
        out.write(" ".join("%.17g" % s[i, j] for i in range(3) for j in range(3)) + "\n")
END_OF_SCRIPT
  if (cd "$work/y" && timeout 600 yade -n -x -j1 stress.py >yade.log 2>&1) && [ -s "$work/y/peer.txt" ]; then
    (cd "$work/y" && extract stress --each body run/restart.conf -o stress.csv && extract porosity --volume 5000 run/restart.conf -o porosity.csv)
    python3 tests/support/peers_compare.py yade "$work/y/stress.csv" "$work/y/porosity.csv" "$work/y/peer.txt" >"$work/rows" ||
      row "YADE" FAILED "no comparison"
    while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <"$work/rows"
  else
    tail -n 5 "$work/y/yade.log"
    row "YADE" FAILED "ended early"
  fi
else
  row "YADE" skipped "no program yade (Debian: yade)"
fi
finish
