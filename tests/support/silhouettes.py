# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the silhouette of a view, as paraview_views.py leaves it, with that of the renderer of pictures.

Usage: silhouettes.py RAY_IDS OUT NAME CONF WHAT LEAST [RADIUS]; prints `what|ok or FAILED|figure`.
"""
import array, subprocess, sys

ray_ids, out, name, conf, what, least = sys.argv[1:7]
camera = open(f"{out}/{name}.camera").read().split()
seen = array.array("i", subprocess.run([ray_ids, conf, what] + camera + sys.argv[7:], check=True, stdout=subprocess.PIPE).stdout)
mask = open(f"{out}/{name}.mask", "rb").read()
assert len(seen) == len(mask) == int(camera[0]) * int(camera[1])
both = sum(1 for id, drawn in zip(seen, mask) if id >= 0 and drawn)
either = sum(1 for id, drawn in zip(seen, mask) if id >= 0 or drawn)
share = both / either if either else 0.0
good = share >= float(least) and either > len(mask) // 100
print(f"silhouette of {name}, at least {least}|{'ok' if good else 'FAILED'}|IoU {share:.4f}, {either} pixels")
