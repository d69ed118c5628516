# Opens the converted files in ParaView (5.8 or later):
#     paraview --script=view.py          to look at
#     pvpython view.py --image FILE.png  a picture; --film FILE.avi; --state FILE.pvsm, which ParaView opens later
# --white: white background and black letters, for print; --color-by NAME: another array; --hide-chains;
# --time T: the time of the picture, by default the last one.
import argparse
import os
import sys
from paraview.simple import *

parser = argparse.ArgumentParser()
parser.add_argument("--white", action="store_true")
parser.add_argument("--color-by", default="@COLOUR@")
parser.add_argument("--hide-chains", action="store_true")
parser.add_argument("--time", type=float)
parser.add_argument("--image")
parser.add_argument("--film")
parser.add_argument("--state")
options = parser.parse_known_args(sys.argv[1:] if len(getattr(sys, "argv", [])) > 1 else [])[0]

here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()
UP = @UP@  # against gravity
KINDS = @KINDS@  # collections beside this file
INK = [0.0, 0.0, 0.0] if options.white else [1.0, 1.0, 1.0]


def opened(kind):
    return PVDReader(registrationName=kind, FileName=os.path.join(here, kind + ".pvd"))


def part(source, array, value, name, points=False):
    """The bodies of which an array has one value."""
    found = Threshold(registrationName=name, Input=source)
    found.Scalars = ["POINTS" if points else "CELLS", array]
    try:
        found.LowerThreshold = found.UpperThreshold = value
        found.ThresholdMethod = "Between"
    except AttributeError:  # before 5.10
        found.ThresholdRange = [value, value]
    return found


def plain(shown):
    """One colour, whatever arrays there are."""
    shown.ColorArrayName = ["POINTS", ""]


def colour(shown, where, array, low, high, place="Lower Center"):
    """One range over the whole series, with name and unit beside the bar."""
    ColorBy(shown, (where, array) if components.get(array, 1) == 1 else (where, array, "Magnitude"))
    scale = GetColorTransferFunction(array)
    scale.ApplyPreset("Viridis (matplotlib)", True)
    scale.AutomaticRescaleRangeMode = "Never"
    scale.RescaleTransferFunction(low, high if high > low else low + 1.0)
    shown.SetScalarBarVisibility(view, True)
    legend = GetScalarBar(scale, view)
    legend.Title = array
    legend.ComponentTitle = "(" + units[array] + ")" if units.get(array) else ""
    legend.TitleColor = legend.LabelColor = INK
    legend.TitleFontSize = legend.LabelFontSize = 18
    legend.Orientation = "Horizontal" if place == "Lower Center" else "Vertical"
    legend.WindowLocation = place
    legend.ScalarBarLength = 0.3
    try:
        legend.AddRangeLabels, legend.AutomaticLabelFormat, legend.LabelFormat = 1, 0, "%-#.3g"
        legend.RangeLabelFormat = "%-#.3g"
    except AttributeError:  # names of other versions
        pass


units = @UNITS@
components = {}
view = GetActiveViewOrCreate("RenderView")
view.OrientationAxesVisibility = 1
if options.image or options.film:
    view.ViewSize = [1600, 1200]
if options.white:
    view.UseColorPaletteForBackground = 0
    view.Background = [1.0, 1.0, 1.0]
    view.OrientationAxesLabelColor = INK
centres = opened("centres")
bodies = part(centres, "driven", 0, "bodies", points=True)
times = list(centres.TimestepValues)
low, high = float("inf"), float("-inf")
box = [float("inf"), float("-inf")] * 3
# Ranges and bounds of the whole series, or colours and camera would jump; fifty times are enough for them.
for t in times[:: max(1, len(times) // 50)] + times[-1:]:
    bodies.UpdatePipeline(t)
    information = bodies.GetDataInformation()
    if information.GetNumberOfPoints() == 0:
        continue
    array = bodies.PointData[options.color_by]
    if array is None:
        raise SystemExit("view.py: there is no array " + options.color_by + "; conf2vtk --arrays writes others")
    components[options.color_by] = array.GetNumberOfComponents()
    smallest, largest = array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)
    low, high = min(low, smallest), max(high, largest)
    for k, limit in enumerate(information.GetBounds()):
        box[k] = max(box[k], limit) if k % 2 else min(box[k], limit)
if low > high:
    low, high, box = 0.0, 1.0, [0.0, 1.0] * 3
if options.color_by == "speed":
    low = 0.0
Hide(centres, view)
Hide(bodies, view)

if "particles" in KINDS or "boxes" in KINDS:
    particles = opened("particles" if "particles" in KINDS else "boxes")
    grains = Show(particles, view)
    colour(grains, "CELLS", options.color_by, low, high)
else:
    shapes = XMLMultiBlockDataReader(registrationName="shapes", FileName=[os.path.join(here, "shapes.vtm")])
    Hide(shapes, view)
    grains = Show(bodies, view)
    grains.SetRepresentationType("3D Glyphs")
    grains.GlyphType = "Pipeline Connection"
    grains.GlyphType.Input = shapes
    grains.Scaling = 1
    grains.ScaleMode = "Magnitude"
    grains.SelectScaleArray = "homothety"
    grains.ScaleFactor = 1.0
    grains.Orient = 1
    grains.OrientationMode = "Quaternion"
    grains.SelectOrientationVectors = "orientation"
    grains.UseGlyphTable = 1
    grains.GlyphTableIndexArray = "shape"
    grains.UseCompositeGlyphTable = 1
    colour(grains, "POINTS", options.color_by, low, high)
if "driven" in KINDS:
    driven = opened("driven")
    Hide(driven, view)
    ground = Show(part(driven, "wall", 0, "driven bodies"), view)
    plain(ground)
    ground.DiffuseColor = [0.6, 0.6, 0.6]
    ground.Opacity = 0.3
    ground.BackfaceRepresentation = "Cull Frontface"  # half the haze over what they hold
# Faces of walls would veil the grains: flat ones are shown by their outlines.
if "walls" in KINDS:
    walls = opened("walls")
    Hide(walls, view)
    flat_walls = ExtractSurface(registrationName="faces of flat walls", Input=part(walls, "kind", 0, "flat walls"))
    flat = Show(FeatureEdges(registrationName="outlines of flat walls", Input=flat_walls), view)
    plain(flat)
    flat.AmbientColor = flat.DiffuseColor = INK if options.white else [0.7, 0.7, 0.7]
    flat.LineWidth = 1.5
    round_walls = Threshold(registrationName="round walls", Input=walls)
    round_walls.Scalars = ["CELLS", "kind"]
    try:
        round_walls.LowerThreshold, round_walls.UpperThreshold = 1, 3
        round_walls.ThresholdMethod = "Between"
    except AttributeError:  # before 5.10
        round_walls.ThresholdRange = [1, 3]
    shell = Show(round_walls, view)
    plain(shell)
    shell.DiffuseColor = [0.6, 0.6, 0.6]
    # Their faces look inwards: those towards the camera are left out, so one looks in.
    shell.BackfaceRepresentation = "Cull Backface"
    shell.Opacity = 0.5
    rims = Show(FeatureEdges(registrationName="rims of round walls", Input=ExtractSurface(Input=round_walls)), view)
    plain(rims)
    rims.AmbientColor = rims.DiffuseColor = flat.AmbientColor
    rims.LineWidth = 1.5
if "cell" in KINDS:
    frame = Show(opened("cell"), view)
    plain(frame)
    frame.AmbientColor = frame.DiffuseColor = INK
    frame.LineWidth = 2.0
if "chains" in KINDS:
    chains = opened("chains")
    Hide(chains, view)
    if not options.hide_chains:
        strongest = 0.0
        for t in times[:: max(1, len(times) // 50)] + times[-1:]:
            chains.UpdatePipeline(t)
            if chains.GetDataInformation().GetNumberOfPoints() > 0:
                strongest = max(strongest, chains.PointData["fn"].GetRange(0)[1])
        if strongest > 0.0:
            tube = Tube(registrationName="force chains", Input=chains)
            tube.Scalars = ["POINTS", "tube_radius"]
            tube.VaryRadius = "By Absolute Scalar"
            tube.NumberofSides = 16
            tube.Capping = 1
            tubes = Show(tube, view)
            units["fn"] = "N"
            colour(tubes, "POINTS", "fn", 0.0, strongest, "Lower Right Corner")
            GetColorTransferFunction("fn").ApplyPreset("Inferno (matplotlib)", True)
            grains.Opacity = 0.12
if "bonds" in KINDS:
    bonds = opened("bonds")
    Hide(bonds, view)
    bonded = 0
    for t in times[:1] + times[-1:]:  # those that break are drawn, too: there are as many at all times
        bonds.UpdatePipeline(t)
        bonded = max(bonded, bonds.GetDataInformation().GetNumberOfCells())
    if bonded > 0:
        rods = Tube(registrationName="bonds as tubes", Input=bonds)
        rods.Scalars = ["POINTS", "tube_radius"]
        rods.VaryRadius = "By Absolute Scalar"
        rods.NumberofSides = 16
        rods.Capping = 1
        glue = Show(rods, view)
        ColorBy(glue, ("CELLS", "state"))
        states = GetColorTransferFunction("state")
        states.InterpretValuesAsCategories = 1
        states.Annotations = ["0", "broken", "1", "in a cluster", "2", "between clusters"]
        states.IndexedColors = [0.84, 0.15, 0.16, 0.12, 0.47, 0.71, 0.17, 0.63, 0.17]
        glue.SetScalarBarVisibility(view, True)
        key = GetScalarBar(states, view)
        key.Title, key.ComponentTitle = "bonds", ""
        key.TitleColor = key.LabelColor = INK
        key.TitleFontSize = key.LabelFontSize = 18
        key.WindowLocation = "Upper Right Corner"
        key.ScalarBarLength = 0.15
        grains.Opacity = 0.12
if "contacts" in KINDS:
    contacts = opened("contacts")
    Hide(contacts, view)  # inside the grains; click its eye, and see docs/tools/conf2vtk.md for arrows of forces

label = AnnotateTimeFilter(registrationName="time", Input=centres)
try:
    label.Format = "t = {time:.4g} s"
except Exception:  # before 5.10
    label.Format = "t = %.4g s"
words = Show(label, view)
words.Color = INK
words.FontSize = 24
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
if times and (options.image or options.time is not None):
    scene.AnimationTime = view.ViewTime = times[-1] if options.time is None else options.time
# The camera sees the bodies at all times, gravity downwards.
middle = [(box[2 * k] + box[2 * k + 1]) / 2 for k in range(3)]
radius = 0.6 * sum((box[2 * k + 1] - box[2 * k]) ** 2 for k in range(3)) ** 0.5 or 1.0
side = [0.5, 0.25, 1.0] if abs(UP[1]) > 0.5 else [0.5, -1.0, 0.25]
length = sum(c * c for c in side) ** 0.5
distance = radius / 0.2588  # sin of half the view angle of 30 degrees
view.CameraViewAngle = 30.0
view.CameraFocalPoint = middle
view.CameraPosition = [middle[k] + distance * side[k] / length for k in range(3)]
view.CameraViewUp = UP
view.CenterOfRotation = middle
Render(view)
if options.state:
    SaveState(options.state)
if options.image:
    SaveScreenshot(options.image, view, ImageResolution=[1600, 1200])
if options.film:
    SaveAnimation(options.film, view, ImageResolution=[1600, 1200], FrameRate=10)
