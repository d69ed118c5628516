#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packings of balls as a conf-file and as other programs read them, for tests/long/peers.sh.

    peers_case.py random DIR     30,000 balls of diameter 1 anywhere in a periodic box, 0.8 in a unit of volume:
                                 conf0, balls.shp, lammps.data
    peers_case.py lattice DIR    3,375 balls of diameter 1 on a lattice of spacing 0.98, each moved by up to 0.01:
                                 conf0, balls.shp, yade.txt (x y z r a line)
"""
import random
import sys

kind, folder = sys.argv[1:]
random.seed(20)
shape = """<
name ball
preCompDone y
radius 0.5
nv 1
0 0 0
ne 0
nf 0
obb.extent 0.5 0.5 0.5
obb.e1 1 0 0
obb.e2 0 1 0
obb.e3 0 0 1
obb.center 0 0 0
volume 0.52359877559829882
I/m 0.1 0.1 0.1
position 0 0 0
orientation 1 0 0 0
>
"""
open(f"{folder}/balls.shp", "w").write(shape)
if kind == "random":
    count, side = 30000, (30000 / 0.8) ** (1 / 3)
    places = [[random.random() * side for _ in range(3)] for _ in range(count)]
    cell = f"usePeriodicCell 1\nh {side!r} 0 0 0 {side!r} 0 0 0 {side!r}\n"
else:
    places = [[0.98 * n + 0.01 * (2 * random.random() - 1) for n in (i, j, k)]
              for i in range(15) for j in range(15) for k in range(15)]
    count, cell = len(places), ""
# A step so short that nothing moves: the file that the run leaves has the contacts of these places.
text = f"""Rockable 21-08-2022
forceLaw Default
Integrator velocityVerlet
t 0
tmax 1
dt 1e-15
interVerlet 1
interConf 1
DVerlet 0.1
dVerlet 0.1
density 0 1
gravity 0 0 0
knContact 0 0 1000
en2Contact 0 0 1
ktContact 0 0 1000
muContact 0 0 0.5
krContact 0 0 0
murContact 0 0 0
{cell}iconf 0
nDriven 0
shapeFile balls.shp
Particles {count}
"""
bodies = ["ball 0 0 1 " + " ".join(repr(c) for c in x) + " 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n" for x in places]
open(f"{folder}/conf0", "w").write(text + "".join(bodies))
if kind == "random":
    lines = [f"balls\n\n{count} atoms\n1 atom types\n"]
    lines += [f"0 {side!r} {axis}lo {axis}hi" for axis in "xyz"]
    lines += ["\nMasses\n\n1 1\n\nAtoms\n"]
    lines += [f"{k + 1} 1 " + " ".join(repr(c) for c in x) for k, x in enumerate(places)]
    open(f"{folder}/lammps.data", "w").write("\n".join(lines) + "\n")
else:
    open(f"{folder}/yade.txt", "w").write("".join(" ".join(repr(c) for c in x) + " 0.5\n" for x in places))
