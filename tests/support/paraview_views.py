# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens the products of conf2vtk in ParaView; run by pvpython, for tests/long/paraview.sh.

Usage: paraview_views.py FOLDER: FOLDER holds folders of conf2vtk. Prints a table: what|result|figure.
"""
import os
import sys
from paraview.simple import *

folder = sys.argv[1]


def path(*names):
    return os.path.join(folder, *names)


def opened(*names):
    return PVDReader(FileName=path(*names))


def row(what, good, figure=""):
    print(f"{what}|{'ok' if good else 'FAILED'}|{figure}", flush=True)


# Every product opens, at every time that its collection names.
for case in sorted(os.listdir(folder)):
    for name in sorted(os.listdir(path(case))):
        if not name.endswith(".pvd"):
            continue
        reader = opened(case, name)
        reader.UpdatePipelineInformation()
        times = list(reader.TimestepValues) or [0.0]
        cells = 0
        for time in times:
            reader.UpdatePipeline(time)
            cells += reader.GetDataInformation().GetNumberOfCells()
        row(f"opens {case}/{name}", cells > 0, f"{len(times)} times, {cells} cells")
        Delete(reader)
