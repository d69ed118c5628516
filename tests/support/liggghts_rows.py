# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the template that LIGGGHTS prints with clumpify's mass. Usage: liggghts_rows.py MASS.json log.liggghts"""
import json
import re
import sys

body = json.load(open(sys.argv[1]))["particles"][0]
log = open(sys.argv[2]).read()


def numbers(what):
    """The numbers after each mention of `what`."""
    return [[float(x) for x in re.findall(r"-?[0-9][0-9.]*e[-+][0-9]+", re.split(r"radius", line)[0])]
            for line in re.findall(what + r"(.*)", log)]


def row(what, error, limit):
    print(f"{what}|{'ok' if error <= limit else 'FAILED'}|{error:.2g} of {limit:g}")


# Its log has seven digits.
row("LIGGGHTS has our mass", abs(numbers(r"\bmass =")[0][0] / body["mass"] - 1), 1e-6)
ours, theirs = sorted(body["principal"]), sorted(numbers("Principal moments of inertia_:")[0])
row("LIGGGHTS has our principal moments", max(abs(t / o - 1) for o, t in zip(ours, theirs)), 1e-6)
tensor = sum(numbers("Inertia tensor:"), [])
row("LIGGGHTS has our tensor", max(abs(t - o) for o, t in zip(body["inertiaTensor"], tensor)) / max(ours), 1e-6)
row("LIGGGHTS has the centre at the origin of the template",
    max(map(abs, numbers("center of mass =")[0])), 1e-12)
