# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what LAMMPS says of a falling clump, and of one from a molecule file, with clumpify's mass.

Usage: lammps_fall.py MASS.json FALL_DUMP MOLECULE_DUMP
"""
import json
import sys

body = json.load(open(sys.argv[1]))["particles"][0]


def frames_of(dump):
    """The first entry of each frame that has any: before a molecule is inserted, frames have none."""
    lines = open(dump).read().splitlines() + ["ITEM: END"]
    entries = [lines[k + 1] for k, line in enumerate(lines) if line.startswith("ITEM: ENTRIES")]
    return [[float(x) for x in entry.split()] for entry in entries if not entry.startswith("ITEM:")]


frames = frames_of(sys.argv[2])
first, last = frames[0], frames[-1]  # at 0, 1 and 2 s


def row(what, error, limit):
    print(f"{what}|{'ok' if error <= limit else 'FAILED'}|{error:.2g} of {limit:g}")


row("LAMMPS has our mass", abs(first[0] / body["mass"] - 1), 1e-12)
ours, theirs = sorted(body["principal"]), sorted(first[1:4])
row("LAMMPS has our principal moments", max(abs(t / o - 1) for o, t in zip(ours, theirs)), 1e-9)
row("LAMMPS has our centre", max(abs(a - b) for a, b in zip(first[4:7], body["centre"])), 1e-12)
# Second differences: LAMMPS leaves gravity out of the half step before the first, which shifts the velocity by g dt/2.
g = -(frames[2][6] - 2 * frames[1][6] + frames[0][6])
row("an overlapping clump falls with g", abs(g / 9.81 - 1), 1e-9)
row("and does not turn", max(abs(w) for w in last[7:10]), 1e-9)
template = frames_of(sys.argv[3])[-1]
row("the molecule has our mass", abs(template[0] / body["mass"] - 1), 1e-9)
theirs = sorted(template[1:4])
row("the molecule has our principal moments", max(abs(t / o - 1) for o, t in zip(ours, theirs)), 1e-9)
