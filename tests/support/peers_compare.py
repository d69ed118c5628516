#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares tables of extract with those of LAMMPS or YADE, for tests/long/peers.sh.

    peers_compare.py lammps GR.csv RDF.txt PARTNERS.csv COORD.txt
    peers_compare.py yade STRESS.csv POROSITY.csv YADE.txt

Prints rows `what|ok or FAILED|figure`.
"""
import csv
import sys


def table(name):
    with open(name) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def row(what, good, figure):
    print(f"{what}|{'ok' if good else 'FAILED'}|{figure}")


def lammps(gr, rdf, partners, coord):
    ours = table(gr)
    theirs = [[float(word) for word in line.split()] for line in open(rdf) if not line.startswith("#")][1:]
    count = len(table(partners))
    # Column 4 is the mean number of neighbours within the bin: its steps are the pairs of each bin.
    unequal, worst, before = 0, 0.0, 0.0
    for a, b in zip(ours, theirs):
        pairs = (b[3] - before) * count / 2
        before = b[3]
        unequal += round(pairs) != int(a["pairs"]) or abs(pairs - round(pairs)) > 1e-3
        # There the density without the ball itself divides: N - 1 in a box, where ours has N.
        g = float(a["g"]) * count / (count - 1)
        worst = max(worst, abs(g - b[2]) / max(1.0, b[2]))
    total = sum(int(a["pairs"]) for a in ours)
    row("LAMMPS compute rdf, pairs of each of 100 bins", unequal == 0 and len(ours) == len(theirs) == 100,
        f"{total} pairs, {unequal} bins differ")
    row("LAMMPS compute rdf, g(r) to 1e-6", worst <= 1e-6, f"largest difference {worst:.1e}")
    near = {int(line.split()[0]): int(float(line.split()[1])) for line in open(coord).read().splitlines()[9:]}
    ours = {int(r["id"]) + 1: int(r["partners"]) for r in table(partners)}
    off = sum(ours[k] != near[k] for k in near)
    row("LAMMPS compute coord/atom, touching balls of each", off == 0 and len(near) == count,
        f"{count} balls, {off} differ, mean {sum(near.values()) / count:.4f}")


def yade(stress, porosity, peer):
    lines = [[float(word) for word in line.split()] for line in open(peer)]
    ours = table(stress)
    names = [a + b for a in "xyz" for b in "xyz"]
    largest = max(abs(v) for line in lines[1:] for v in line)
    worst = max(abs(abs(float(r[name])) - abs(v)) for r, line in zip(ours, lines[1:]) for name, v in zip(names, line))
    signs = all(float(r[n]) * line[k] <= 1e-6 * largest ** 2 for r, line in zip(ours, lines[1:]) for k, n in enumerate(names))
    row("YADE bodyStressTensors, nine components of each, to 1e-6 (there tension is positive)",
        signs and len(ours) == len(lines) - 1 and worst <= 1e-6 * largest, f"{len(ours)} balls, largest difference {worst / largest:.1e}")
    p = table(porosity)[0]
    # There overlaps count twice.
    ours = 1 - (float(p["solid"]) + float(p["overlap"])) / float(p["volume"])
    row("YADE porosity to 1e-6, overlaps counted twice as there", abs(ours - lines[0][0]) <= 1e-6,
        f"{ours:.9f} and {lines[0][0]:.9f}; counted once {float(p['porosity']):.9f}")


if sys.argv[1] == "lammps":
    lammps(*sys.argv[2:])
else:
    yade(*sys.argv[2:])
