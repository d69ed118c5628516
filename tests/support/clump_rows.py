# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what other programs say of a clump with clumpify's mass, for tests/long/clumps.sh.

    clump_rows.py lammps MASS.json FALL_DUMP MOLECULE_DUMP   a falling clump, and one from a molecule file
    clump_rows.py liggghts MASS.json log.liggghts            the template that it prints
    clump_rows.py yade MASS.json LOG                         the clump that tests/support/yade_clump.py prints

Prints rows `what|ok or FAILED|figure`.
"""
import json
import re
import sys

program, mass, *files = sys.argv[1:]
body = json.load(open(mass))["particles"][0]
ours = sorted(body["principal"])


def row(what, error, limit):
    print(f"{what}|{'ok' if error <= limit else 'FAILED'}|{error:.2g} of {limit:g}")


def largest(found, wanted):
    return max(abs(a - b) for a, b in zip(found, wanted))


def moments(found):
    return max(abs(t / o - 1) for o, t in zip(ours, sorted(found)))


def frames_of(dump):
    """The first entry of each frame that has any: before a molecule is inserted, frames have none."""
    lines = open(dump).read().splitlines() + ["ITEM: END"]
    entries = [lines[k + 1] for k, line in enumerate(lines) if line.startswith("ITEM: ENTRIES")]
    return [[float(x) for x in entry.split()] for entry in entries if not entry.startswith("ITEM:")]


if program == "lammps":
    frames = frames_of(files[0])
    first, last = frames[0], frames[-1]  # at 0, 1 and 2 s
    row("LAMMPS has our mass", abs(first[0] / body["mass"] - 1), 1e-12)
    row("LAMMPS has our principal moments", moments(first[1:4]), 1e-9)
    row("LAMMPS has our centre", largest(first[4:7], body["centre"]), 1e-12)
    # Second differences: LAMMPS leaves gravity out of the half step before the first, which shifts the velocity by g dt/2.
    g = -(frames[2][6] - 2 * frames[1][6] + frames[0][6])
    row("an overlapping clump falls with g", abs(g / 9.81 - 1), 1e-9)
    row("and does not turn", max(abs(w) for w in last[7:10]), 1e-9)
    template = frames_of(files[1])[-1]
    row("the molecule has our mass", abs(template[0] / body["mass"] - 1), 1e-9)
    row("the molecule has our principal moments", moments(template[1:4]), 1e-9)
elif program == "liggghts":
    def numbers(what):
        """The numbers after each mention of `what`."""
        return [[float(x) for x in re.findall(r"-?[0-9][0-9.]*e[-+][0-9]+", re.split(r"radius", line)[0])]
                for line in re.findall(what + r"(.*)", open(files[0]).read())]

    # Its log has seven digits.
    row("LIGGGHTS has our mass", abs(numbers(r"\bmass =")[0][0] / body["mass"] - 1), 1e-6)
    row("LIGGGHTS has our principal moments", moments(numbers("Principal moments of inertia_:")[0]), 1e-6)
    row("LIGGGHTS has our tensor", largest(sum(numbers("Inertia tensor:"), []), body["inertiaTensor"]) / max(ours), 1e-6)
    row("LIGGGHTS has the centre at the origin of the template", max(map(abs, numbers("center of mass =")[0])), 1e-12)
else:
    line = next(line for line in open(files[0]) if line.startswith("CLUMP"))
    mass, *numbers = [float(word) for word in line.split()[1:]]
    row("YADE has our mass", abs(mass / body["mass"] - 1), 0.01)
    row("YADE has our principal moments", moments(numbers[3:]), 0.01)
    row("YADE has our centre, in radii", largest(numbers[:3], body["centre"]), 0.01)
