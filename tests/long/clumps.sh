#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 100,000 sets of boxes: the volume of their solid is that of their cells; a clump in LAMMPS, YADE and LIGGGHTS.
# These programs read it and find the mass of Scree.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh lammps
built clumpify unit_mass
workshop

if "$SCREE_BUILD/tests/bin/unit_mass" "[long][solid]" >"$work/log"; then result=ok; else result=FAILED; fi
row "100,000 sets of boxes: the volume of their solid is that of their cells" $result "$(tail -n 2 "$work/log" | tr -d '\n')"

# Three overlapping spheres, in no symmetric place, beside a single sphere.
printf '0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n0 Sphere 0.7 0.2 0.3 0.9\n1 Sphere 9 0 0 1\n' >"$work/pack.txt"
clumpify mass "$work/pack.txt" --density 1000 --json -o "$work/mass.json"
(cd "$work" && clumpify convert pack.txt --to lammps --density 1000 -o pack.data)
cat >"$work/in.fall" <<'END'
units si
atom_style hybrid sphere molecular
boundary f f m
read_data pack.data extra/atom/types 0
change_box all z final -200 200
pair_style zero 4.0
pair_coeff * *
neigh_modify exclude molecule/intra all
group clumps molecule > 0
group none empty
fix g none gravity 9.81 vector 0 0 -1
fix clumps clumps rigid/small molecule infile pack.data.infile gravity g
compute b clumps rigid/local clumps mass inertiax inertiay inertiaz x y z omegax omegay omegaz
dump d all local 1000 fall.txt c_b[1] c_b[2] c_b[3] c_b[4] c_b[5] c_b[6] c_b[7] c_b[8] c_b[9] c_b[10]
dump_modify d format line "%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g"
thermo_style custom step
timestep 0.001
run 2000
END
(cd "$work" && lmp -in in.fall >lammps.log 2>&1) || { tail -n 5 "$work/lammps.log"; row "LAMMPS reads the clump" FAILED "ended early"; finish; }
# A molecule file keeps its inertia where `fix deposit` inserts it; `create_atoms` sums the spheres.
head -n 3 "$work/pack.txt" >"$work/clump.txt"
(cd "$work" && clumpify convert clump.txt --to lammps --density 1000 -o clump.data)
cat >"$work/in.molecule" <<'END'
units si
atom_style hybrid sphere molecular
atom_modify map yes
region b block -5 5 -5 5 -5 5
create_box 1 b
molecule m clump.data.mol
pair_style zero 4.0
pair_coeff * *
neigh_modify exclude molecule/intra all
fix c all rigid/small molecule mol m
region ins block -1 1 -1 1 -1 1
fix d all deposit 1 0 1 12345 region ins mol m rigid c
compute b all rigid/local c mass inertiax inertiay inertiaz
dump d all local 1 molecule.txt c_b[1] c_b[2] c_b[3] c_b[4]
dump_modify d format line "%.12g %.12g %.12g %.12g"
compute_modify thermo_temp dynamic/dof yes extra/dof 0
thermo_style custom step
timestep 0.001
run 2
END
(cd "$work" && lmp -in in.molecule >molecule.log 2>&1) || { tail -n 5 "$work/molecule.log"; row "LAMMPS reads the molecule" FAILED "ended early"; finish; }
python3 tests/support/clump_rows.py lammps "$work/mass.json" "$work/fall.txt" "$work/molecule.txt" >"$work/rows" || row "LAMMPS" FAILED "no result"
rows() { while IFS='|' read -r what result figure; do row "$what" "$result" "$figure"; done <"$work/rows"; }
rows

# YADE computes mass by sampling: within a hundredth.
(cd "$work" && clumpify convert clump.txt --to yade -o clump.yade)
if command -v yade >/dev/null; then
  if (cd "$work" && CLUMP_SNIPPET=clump.yade.py yade -n -x -j1 "$root/tests/support/yade_clump.py" >yade.log 2>&1); then
    python3 tests/support/clump_rows.py yade "$work/mass.json" "$work/yade.log" >"$work/rows" || row YADE FAILED "no result"
    rows
  else
    tail -n 5 "$work/yade.log"
    row "YADE reads the clump" FAILED "ended early"
  fi
else
  row "YADE reads the clump" skipped "yade is not installed (Debian: yade)"
fi

# LIGGGHTS prints mass and inertia of the template in its log, with seven digits.
if command -v liggghts >/dev/null; then
  (cd "$work" && clumpify convert clump.txt --to liggghts --density 1000 -o clump.lig)
  # Several templates for one insertion, which refuses equal seeds.
  (cd "$work" && clumpify convert pack.txt --to liggghts --density 1000 -o pack.lig)
  cat >"$work/in.template" <<'END'
atom_style sphere
boundary f f f
newton off
communicate single vel yes
units si
region box block -9 9 -9 9 -9 9 units box
create_box 1 box
neighbor 0.5 bin
fix m1 all property/global youngsModulus peratomtype 1e7
fix m2 all property/global poissonsRatio peratomtype 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 1 0.5
fix m4 all property/global coefficientFriction peratomtypepair 1 0.5
pair_style gran model hertz tangential history
pair_coeff * *
END
  cp "$work/in.template" "$work/in.several"
  cat "$work/pack.lig" - <<'END' >>"$work/in.several"
fix several all particledistribution/discrete 32452843 2 pt1 0.5 pt2 0.5
fix inserted all insert/pack seed 32452867 distributiontemplate several insert_every once overlapcheck yes all_in yes particles_in_region 2 region box
END
  if (cd "$work" && liggghts -in in.several -log log.several >several.out 2>&1) && ! grep -q ERROR "$work/several.out"; then
    row "LIGGGHTS accepts several templates" ok "$(grep -c particletemplate "$work/pack.lig") for one insertion"
  else
    row "LIGGGHTS accepts several templates" FAILED "$(grep -m 1 ERROR "$work/several.out" || echo "ended early")"
  fi
  cat "$work/clump.lig" >>"$work/in.template"
  if (cd "$work" && liggghts -in in.template >lig.out 2>&1) && ! grep -q ERROR "$work/log.liggghts"; then
    clumpify mass "$work/clump.txt" --density 1000 --json -o "$work/clump.json"
    python3 tests/support/clump_rows.py liggghts "$work/clump.json" "$work/log.liggghts" >"$work/rows" || row LIGGGHTS FAILED "no result"
    rows
  else
    row "LIGGGHTS accepts the template" FAILED "$(grep -m 1 ERROR "$work/lig.out" || echo "ended early")"
  fi
else
  row "LIGGGHTS accepts the template" skipped "liggghts is not installed (Debian: liggghts)"
fi
finish
