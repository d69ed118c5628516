# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the clump that YADE prints with clumpify's mass. Usage: yade_rows.py MASS.json LOG"""
import json
import sys

body = json.load(open(sys.argv[1]))["particles"][0]
line = next(l for l in open(sys.argv[2]) if l.startswith("CLUMP"))
mass, x, y, z, *inertia = [float(word) for word in line.split()[1:]]


def row(what, error, limit):
    print(f"{what}|{'ok' if error <= limit else 'FAILED'}|{error:.2g} of {limit:g}")


row("YADE has our mass", abs(mass / body["mass"] - 1), 0.01)
row("YADE has our principal moments",
    max(abs(t / o - 1) for o, t in zip(sorted(body["principal"]), inertia)), 0.01)
row("YADE has our centre, in radii", max(abs(a - b) for a, b in zip((x, y, z), body["centre"])), 0.01)
