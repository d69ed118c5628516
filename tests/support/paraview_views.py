# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens the products of conf2vtk in ParaView; run by pvpython, for tests/long/paraview.sh.

Usage: paraview_views.py FOLDER OUT: FOLDER holds folders of conf2vtk. In OUT, for each view a mask NAME.mask (one byte
per pixel, row by row from the top, 1 where something is drawn) and NAME.camera; and a table `rows`: what|result|figure.
"""
import os
import sys
import paraview.simple
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

# Else the first picture of each view would be drawn with a camera of ParaView's choice.
paraview.simple._DisableFirstRenderCameraReset()
folder, out = sys.argv[1:3]
WIDTH, HEIGHT, ANGLE = 1000, 800, 30.0
rows = open(os.path.join(out, "rows"), "w")


def row(what, good, figure=""):
    rows.write(f"{what}|{'ok' if good else 'FAILED'}|{figure}\n")
    rows.flush()


def path(*names):
    return os.path.join(folder, *names)


def opened(*names):
    return PVDReader(FileName=path(*names))


def pixels(file):
    reader = vtkPNGReader()
    reader.SetFileName(file)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    values = vtk_to_numpy(image.GetPointData().GetScalars())
    return values.reshape(height, width, -1)[::-1]  # VTK counts rows from below


def draw(name, shown, time, up):
    """Draws one product alone, and writes its mask and the camera."""
    view = CreateView("RenderView")
    view.ViewSize = [WIDTH, HEIGHT]
    view.OrientationAxesVisibility = 0
    display = shown(view)
    view.ViewTime = time
    # Antialiasing would make the edges of thin tubes half transparent.
    view.UseFXAA = 0
    view.CameraParallelProjection = 0
    Render(view)  # so that the bounds are known
    ResetCamera(view)
    view.CameraViewAngle = ANGLE
    focus = list(view.CameraFocalPoint)
    distance = sum((a - b) ** 2 for a, b in zip(view.CameraPosition, focus)) ** 0.5
    side = [0.5, 0.25, 1.0] if abs(up[1]) > 0.5 else [0.5, -1.0, 0.25]
    length = sum(c * c for c in side) ** 0.5
    view.CameraPosition = [f + distance * s / length for f, s in zip(focus, side)]
    view.CameraViewUp = up
    Render(view)
    png = os.path.join(out, name + ".png")
    SaveScreenshot(png, view, ImageResolution=[WIDTH, HEIGHT], TransparentBackground=1)
    mask = (pixels(png)[:, :, 3] > 127).astype("uint8")
    mask.tofile(os.path.join(out, name + ".mask"))
    numbers = list(view.CameraPosition) + focus + up + [ANGLE]
    with open(os.path.join(out, name + ".camera"), "w") as camera:
        camera.write(f"{WIDTH} {HEIGHT} " + " ".join(repr(float(x)) for x in numbers) + "\n")
    Delete(display)
    Delete(view)


def surface(*names):
    def shown(view):
        display = Show(opened(*names), view)
        display.SetRepresentationType("Surface")
        return display
    return shown


def glyphs(case):
    def shown(view):
        bodies = Threshold(Input=opened(case, "centres.pvd"), Scalars=["POINTS", "driven"])
        bodies.LowerThreshold = bodies.UpperThreshold = 0
        shapes = XMLMultiBlockDataReader(FileName=[path(case, "shapes.vtm")])
        display = Show(bodies, view)
        display.SetRepresentationType("3D Glyphs")
        display.GlyphType = "Pipeline Connection"
        display.GlyphType.Input = shapes
        display.Scaling = 1
        display.ScaleMode = "Magnitude"
        display.SelectScaleArray = "homothety"
        display.ScaleFactor = 1.0
        display.Orient = 1
        display.OrientationMode = "Quaternion"
        display.SelectOrientationVectors = "orientation"
        display.UseGlyphTable = 1
        display.GlyphTableIndexArray = "shape"
        display.UseCompositeGlyphTable = 1
        return display
    return shown


def tubes(case, kind, radius=None):
    def shown(view):
        tube = Tube(Input=opened(case, kind + ".pvd"), NumberofSides=16)
        if radius is None:
            tube.Scalars = ["POINTS", "tube_radius"]
            tube.VaryRadius = "By Absolute Scalar"
        else:
            tube.Scalars = ["POINTS", ""]
            tube.VaryRadius = "Off"
            tube.Radius = radius
        tube.Capping = 1
        return Show(tube, view)
    return shown


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

ROCKS_UP, RING_UP = [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]
last = opened("rocks", "centres.pvd")
last.UpdatePipelineInformation()
end = list(last.TimestepValues)[-1]
draw("rounded", surface("rocks", "particles.pvd"), end, ROCKS_UP)
draw("glyphs", glyphs("glyphs"), end, ROCKS_UP)
draw("chains", tubes("chains", "chains"), end, ROCKS_UP)
draw("ring", surface("ring", "particles.pvd"), 0.0, RING_UP)
draw("bonds", tubes("ring", "bonds", float(sys.argv[3])), 0.0, RING_UP)
rows.close()
