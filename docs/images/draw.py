#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what conf2vtk wrote, without ParaView: one picture of one time.

    apt-get install python3-vtk9 xvfb
    xvfb-run -a /usr/bin/python3 docs/images/draw.py vtk -o fall.png --time 1.5 --tracks

The folder is one that conf2vtk wrote. Bodies are coloured by speed, driven ones are grey; --tracks
adds the paths of the centres up to that time, --forces the contact forces as arrows, --ghosts N the
bodies at N earlier times. The
camera looks from --from (a direction, seen from the middle of the bodies) and --up is up.
"""
import argparse
import math
import os
import sys
import xml.etree.ElementTree as ElementTree

from vtkmodules.vtkCommonCore import vtkLookupTable, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkGlyph3D, vtkTriangleFilter, vtkTubeFilter
from vtkmodules.vtkFiltersSources import vtkArrowSource
from vtkmodules.vtkImagingCore import vtkImageShrink3D
from vtkmodules.vtkIOImage import vtkPNGWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import (
    vtkActor, vtkLight, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkTextActor,
    vtkWindowToImageFilter)
from vtkmodules.vtkRenderingOpenGL2 import vtkRenderStepsPass, vtkSSAOPass
import vtkmodules.vtkRenderingFreeType  # noqa: F401 (draws text)

# Slow bodies look like stone, fast ones glow: light to dark, so that grey copies work, too.
PALETTE = [(0.93, 0.91, 0.84), (0.97, 0.85, 0.58), (0.96, 0.70, 0.34), (0.90, 0.50, 0.22), (0.78, 0.30, 0.18),
           (0.58, 0.15, 0.20), (0.36, 0.07, 0.22)]


def series(folder, kind):
    """(time, path) of each piece, by time; nothing where the kind was not written."""
    path = os.path.join(folder, kind + ".pvd")
    if not os.path.exists(path):
        return []
    entries = ElementTree.parse(path).getroot().iter("DataSet")
    return [(float(e.get("timestep")), os.path.join(folder, e.get("file"))) for e in entries]


def nearest(pieces, time):
    return min(pieces, key=lambda piece: abs(piece[0] - time))


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def palette():
    table = vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for k in range(256):
        at = k / 255.0 * (len(PALETTE) - 1)
        low = min(int(at), len(PALETTE) - 2)
        table.SetTableValue(k, *[a + (at - low) * (b - a) for a, b in zip(PALETTE[low], PALETTE[low + 1])], 1.0)
    return table


def triangles(data):
    """Polygons as triangles: ear cutting also draws faces right that are not convex."""
    cut = vtkTriangleFilter()
    cut.SetInputData(data)
    cut.Update()
    return cut.GetOutput()


def surface(data):
    """An actor; normals come from the file, and are per face where it has none."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(triangles(data))
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    properties = actor.GetProperty()
    if data.GetPointData().GetNormals() is None:
        properties.SetInterpolationToFlat()
    else:
        properties.SetInterpolationToPhong()
    properties.SetAmbient(0.2)
    properties.SetDiffuse(0.9)
    properties.SetSpecular(0.18)
    properties.SetSpecularPower(25)
    return actor


def coloured(actor, array, table, most, cells=True):
    mapper = actor.GetMapper()
    mapper.ScalarVisibilityOn()
    if cells:
        mapper.SetScalarModeToUseCellFieldData()
    else:
        mapper.SetScalarModeToUsePointFieldData()
    mapper.SelectColorArray(array)
    mapper.SetLookupTable(table)
    mapper.SetScalarRange(0.0, most)


def free_centres(path):
    """Positions of the bodies that move by forces, by id."""
    data = read(path)
    ids, driven = data.GetPointData().GetArray("id"), data.GetPointData().GetArray("driven")
    return {int(ids.GetTuple1(p)): data.GetPoint(p)
            for p in range(data.GetNumberOfPoints()) if driven.GetTuple1(p) == 0}


def along(pieces, time, count):
    """Times before `time` between which the bodies went equally far."""
    if count == 0:
        return []
    way, before, gone = [], {}, 0.0
    for when, path in pieces:
        if when > time:
            break
        now = free_centres(path)
        gone += sum(math.dist(now[k], before[k]) for k in now.keys() & before.keys())
        way.append((gone, when))
        before = now
    return [min(way, key=lambda w: abs(w[0] - gone * k / count))[1] for k in range(count)]


def rounded_up(value):
    """The next number that reads well, and that four steps divide into such."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(m for m in (1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10) if m * power >= value * (1 - 1e-6)) * power


def tracks(pieces, time, radius):
    """The paths of the free bodies' centres up to a time, as tubes."""
    paths = {}
    for when, path in pieces:
        if when > time * (1 + 1e-9) + 1e-12:
            break
        for body, position in free_centres(path).items():
            paths.setdefault(body, []).append(position)
    points, lines = vtkPoints(), vtkCellArray()
    for path in paths.values():
        if len(path) < 2:
            continue
        lines.InsertNextCell(len(path))
        for position in path:
            lines.InsertCellPoint(points.InsertNextPoint(position))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetLines(lines)
    tube = vtkTubeFilter()
    tube.SetInputData(data)
    tube.SetRadius(radius)
    tube.SetNumberOfSides(12)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(tube.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.12, 0.27, 0.48)
    actor.GetProperty().SetAmbient(0.3)
    return actor


def forces(path, length):
    """Contact forces as arrows; the largest is `length` long."""
    data = read(path)
    values = data.GetPointData().GetArray("force_normal")
    if data.GetNumberOfPoints() == 0 or values is None:
        return None
    most = max(math.dist(values.GetTuple3(k), (0, 0, 0)) for k in range(values.GetNumberOfTuples()))
    data.GetPointData().SetActiveVectors("force_normal")
    arrow = vtkArrowSource()
    arrow.SetTipResolution(20)
    arrow.SetShaftResolution(20)
    glyph = vtkGlyph3D()
    glyph.SetInputData(data)
    glyph.SetSourceConnection(arrow.GetOutputPort())
    glyph.SetVectorModeToUseVector()
    glyph.SetScaleModeToScaleByVector()
    glyph.SetScaleFactor(length / most if most > 0 else 1.0)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(glyph.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.85, 0.22, 0.12)
    actor.GetProperty().SetAmbient(0.3)
    return actor


def lit(renderer, up, look):
    """A soft sun over the shoulder, and a fill from the other side."""
    renderer.RemoveAllLights()
    renderer.AutomaticLightCreationOff()
    across = (up[1] * look[2] - up[2] * look[1], up[2] * look[0] - up[0] * look[2], up[0] * look[1] - up[1] * look[0])
    for strength, u, l, a in ((0.75, 1.0, 0.7, -0.6), (0.4, 0.25, 0.8, 0.8), (0.2, -1.0, 0.4, 0.0)):
        light = vtkLight()
        light.SetLightTypeToSceneLight()
        light.SetPositional(False)
        light.SetFocalPoint(0, 0, 0)
        light.SetPosition(*[u * x + l * y + a * z for x, y, z in zip(up, look, across)])
        light.SetIntensity(strength)
        renderer.AddLight(light)


def unit(v):
    norm = math.dist(v, (0, 0, 0))
    return [x / norm for x in v]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("-o", "--output", default="picture.png")
    parser.add_argument("--time", type=float, default=math.inf, help="default: the last one")
    parser.add_argument("--from", dest="look", type=float, nargs=3, default=(0.6, 0.45, 1.0))
    parser.add_argument("--up", type=float, nargs=3, default=(0.0, 1.0, 0.0))
    parser.add_argument("--zoom", type=float, default=1.0)
    parser.add_argument("--size", type=int, nargs=2, default=(1600, 1000))
    parser.add_argument("--range", type=float, help="speed at the end of the colours; default: the largest")
    parser.add_argument("--tracks", action="store_true")
    parser.add_argument("--ghosts", type=int, default=0, help="bodies at so many earlier times, too")
    parser.add_argument("--forces", action="store_true")
    parser.add_argument("--driven-opacity", type=float, default=1.0)
    parser.add_argument("--hide-driven", action="store_true")
    parser.add_argument("--no-legend", action="store_true")
    arguments = parser.parse_args()

    kind = next((k for k in ("particles", "boxes") if series(arguments.folder, k)), None)
    if kind is None:
        sys.exit(f"{arguments.folder}: no particles.pvd, no boxes.pvd")
    pieces = series(arguments.folder, kind)
    if math.isinf(arguments.time):
        arguments.time = pieces[-1][0]
    time, path = nearest(pieces, arguments.time)

    up, look = unit(arguments.up), unit(arguments.look)
    renderer = vtkRenderer()
    renderer.GradientBackgroundOn()
    renderer.SetBackground(0.985, 0.987, 0.99)
    renderer.SetBackground2(0.86, 0.905, 0.95)

    # The range is that of all times, so that pictures of one series compare.
    sample = pieces[:: max(1, len(pieces) // 40)] + pieces[-1:]
    most = arguments.range or rounded_up(
        max(read(p).GetCellData().GetArray("speed").GetRange()[1] for _, p in sample))
    table = palette()
    bodies = read(path)
    shown = [bodies]
    for when in along(series(arguments.folder, "centres"), time, arguments.ghosts):
        shown.append(read(nearest(pieces, when)[1]))
    extent = [math.inf, -math.inf] * 3
    for data in shown:
        actor = surface(data)
        coloured(actor, "speed", table, most)
        renderer.AddActor(actor)
        bounds = data.GetBounds()
        extent = [min(extent[i], bounds[i]) if i % 2 == 0 else max(extent[i], bounds[i]) for i in range(6)]
    size = max(extent[2 * a + 1] - extent[2 * a] for a in range(3))

    walls = series(arguments.folder, "driven")
    if walls and not arguments.hide_driven:
        data = read(nearest(walls, time)[1])
        # Large sheets are drawn piece by piece: lines of their colour close the seams between pieces.
        for seams in (False, True) if arguments.driven_opacity >= 1.0 else (False,):
            actor = surface(data)
            properties = actor.GetProperty()
            properties.SetColor(0.76, 0.74, 0.71)
            properties.SetSpecular(0.0)
            properties.SetOpacity(arguments.driven_opacity)
            if seams:
                properties.SetRepresentationToWireframe()
                properties.SetLineWidth(2)
            renderer.AddActor(actor)
    if arguments.tracks:
        renderer.AddActor(tracks(series(arguments.folder, "centres"), time, 0.0035 * size))
    if arguments.forces:
        contacts = series(arguments.folder, "contacts")
        arrows = forces(nearest(contacts, time)[1], 0.15 * size) if contacts else None
        if arrows:
            renderer.AddActor(arrows)

    if not arguments.no_legend:
        bar = vtkScalarBarActor()
        bar.SetLookupTable(table)
        table.SetRange(0.0, most)
        bar.SetTitle("speed (m/s)\n")
        bar.SetNumberOfLabels(5)
        bar.SetLabelFormat("%.3g")
        bar.SetWidth(0.06)
        bar.SetHeight(0.42)
        bar.SetPosition(0.915, 0.06)
        bar.SetBarRatio(0.22)
        bar.UnconstrainedFontSizeOn()
        for text in (bar.GetTitleTextProperty(), bar.GetLabelTextProperty()):
            text.SetColor(0.15, 0.17, 0.2)
            text.SetFontSize(max(12, arguments.size[1] // 24))
            text.SetFontFamilyToArial()
            text.BoldOff()
            text.ItalicOff()
            text.ShadowOff()
        renderer.AddActor2D(bar)
        label = vtkTextActor()
        label.SetInput(f"t = {time:.4g} s")
        label.SetPosition(arguments.size[0] // 25, arguments.size[1] // 20)
        label.GetTextProperty().SetFontSize(max(14, arguments.size[1] // 18))
        label.GetTextProperty().SetColor(0.15, 0.17, 0.2)
        renderer.AddActor2D(label)

    lit(renderer, up, look)
    camera = renderer.GetActiveCamera()
    camera.SetViewAngle(28)
    centre = [0.5 * (extent[2 * a] + extent[2 * a + 1]) for a in range(3)]
    camera.SetFocalPoint(centre)
    camera.SetPosition([c + l for c, l in zip(centre, look)])
    camera.SetViewUp(up)
    renderer.ResetCamera(extent if walls and size > 0 else renderer.ComputeVisiblePropBounds())
    camera.Zoom(arguments.zoom)
    renderer.ResetCameraClippingRange()

    # Corners and gaps darken as they do in daylight.
    shade = vtkSSAOPass()
    shade.SetRadius(0.06 * size)
    shade.SetBias(0.003 * size)
    shade.SetKernelSize(160)
    shade.BlurOn()
    steps = vtkRenderStepsPass()
    shade.SetDelegatePass(steps)
    if arguments.driven_opacity >= 1.0:
        renderer.SetPass(shade)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(True)
    window.SetMultiSamples(0)
    window.SetSize(*[2 * n for n in arguments.size])  # twice as fine: edges come out smooth
    window.AddRenderer(renderer)
    window.Render()
    image = vtkWindowToImageFilter()
    image.SetInput(window)
    image.ReadFrontBufferOff()
    shrink = vtkImageShrink3D()
    shrink.SetInputConnection(image.GetOutputPort())
    shrink.SetShrinkFactors(2, 2, 1)
    shrink.MeanOn()
    writer = vtkPNGWriter()
    writer.SetFileName(arguments.output)
    writer.SetInputConnection(shrink.GetOutputPort())
    writer.Write()
    print(f"{arguments.output}: t = {time:g}, {bodies.GetNumberOfPolys()} polygons", file=sys.stderr)


main()
