#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Means over an ensemble against a table of means and standard deviations, for tests/long/rockfall.sh.

    rockfall_statistics.py ALL.csv STATISTICS.txt

ALL.csv has a row for each run and time: run, t, x, y, z, speed. Each mean has to lie within three standard errors of the
difference of both means. Prints rows `what|ok or FAILED|figure`.
"""
import csv
import math
import statistics
import sys

RUNS = 64
with open(sys.argv[1]) as file:
    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
with open(sys.argv[2]) as file:
    reference = [[float(word) for word in line.split()] for line in file if not line.startswith("#")]
for t, *values in reference:
    at = [row for row in rows if abs(float(row["t"]) - t) < 1e-6]
    for k, name in enumerate(("x", "y", "z", "speed")):
        own = [float(row[name]) for row in at]
        mean, deviation = values[2 * k:2 * k + 2]
        error = math.sqrt((statistics.variance(own) + deviation ** 2) / RUNS)
        off = (statistics.mean(own) - mean) / error
        good = len(own) == RUNS and abs(off) <= 3
        print(f"mean {name} of {len(own)} releases after {t:g} s|{'ok' if good else 'FAILED'}|"
              f"{statistics.mean(own):.2f}, s.d. {statistics.stdev(own):.2f}; Rockable {mean:.2f}, {deviation:.2f}; {off:+.1f} errors")
