#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stop points, peaks and impacts of tracks, computed apart from extract, for the tests.

    rockfall_tracks.py TRACK...

A track has 20 numbers a line: t, x y z, v (3), Q (4), w (3), force with weight (3), moment (3). A body rests from the first
row on after which its speed stays below 0.05 m/s. It is struck in rows where the force differs from that of the first row,
free flight, by more than 1e-5 of it; consecutive rows are one impact. Prints `stop N x y z tStop vMax reach drop end` and
`impact N t vIn vOut`, nan where a track does not tell.
"""
import math
import sys


def column(rows, first):
    return [row[first:first + 3] for row in rows]


def norm(v):
    return math.sqrt(sum(c * c for c in v))


for number, name in enumerate(sys.argv[1:]):
    with open(name) as file:
        rows = [[float(word) for word in line.split()] for line in file if line.strip()]
    times = [row[0] for row in rows]
    speeds = [norm(v) for v in column(rows, 4)]
    weight = rows[0][14:17]
    struck = [norm([f - w for f, w in zip(force, weight)]) > 1e-5 * norm(weight) for force in column(rows, 14)]
    # From the end backwards, as long as it is slow.
    k = len(rows)
    while k > 0 and speeds[k - 1] < 0.05:
        k -= 1
    stop = times[k] if k < len(rows) else math.nan
    first, last = rows[0][1:4], rows[-1][1:4]
    reach = math.hypot(last[0] - first[0], last[2] - first[2])
    print("stop", number, *last, stop, max(speeds), reach, first[1] - last[1], "rest" if k < len(rows) else "moving")
    for i, hit in enumerate(struck):
        if hit and not (i > 0 and struck[i - 1]):
            j = i
            while j < len(rows) and struck[j]:
                j += 1
            print("impact", number, times[i], speeds[i - 1] if i > 0 else math.nan, speeds[j] if j < len(rows) else math.nan)
