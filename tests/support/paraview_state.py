# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a state that view.py saved, draws it again and compares; run by pvpython, for tests/long/paraview.sh.

Usage: paraview_state.py STATE.pvsm PICTURE.png AGAIN.png; prints `what|ok or FAILED|figure`.
"""
import sys
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

state, picture, again = sys.argv[1:4]


def pixels(file):
    reader = vtkPNGReader()
    reader.SetFileName(file)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[::-1, :, :3].astype(int)


def row(what, good, figure=""):
    print(f"{what}|{'ok' if good else 'FAILED'}|{figure}", flush=True)


LoadState(state)
view = GetActiveView()
Render(view)
SaveScreenshot(again, view, ImageResolution=[1600, 1200])
first, second = pixels(picture), pixels(again)
drawn = (abs(first - 255).sum(axis=2) > 30).mean()
row("something is drawn on white", 0.05 < drawn < 0.9 and (first[-1, -1] == 255).all() and (first[0, -1] == 255).all(),
    f"{100 * drawn:.0f} % of the picture")
different = (abs(first - second).sum(axis=2) > 30).mean()
row("the saved state shows the same", different < 0.01, f"{100 * different:.2f} % of the pixels differ")
