# Opens the converted files in ParaView (5.10 or later):
#     paraview --script=view.py          to look at
#     pvpython view.py --image FILE.png  a picture of the last time
import os
import sys
from paraview.simple import *

words = getattr(sys, "argv", [])
image = words[words.index("--image") + 1] if "--image" in words else None
COLOUR = "@COLOUR@"  # array by which bodies are coloured
here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()
UP, TOWARDS, ZOOM = @UP@, @TOWARDS@, @ZOOM@  # against gravity; to the camera
KINDS = @KINDS@  # collections beside this file
INK, LINES = [1.0, 1.0, 1.0], [0.7, 0.7, 0.7]


def opened(kind):
    source = PVDReader(registrationName=kind, FileName=os.path.join(here, kind + ".pvd"))
    Hide(source, view)
    return source


def part(source, array, low, high, name, points=False):
    """The bodies of which an array is from low to high."""
    found = Threshold(registrationName=name, Input=source)
    found.Scalars = ["POINTS" if points else "CELLS", array]
    found.LowerThreshold, found.UpperThreshold, found.ThresholdMethod = low, high, "Between"
    return found


def plain(source, colour, width=1.0):
    """Shown in one colour, whatever arrays there are."""
    shown = Show(source, view)
    shown.ColorArrayName = ["POINTS", ""]
    shown.AmbientColor = shown.DiffuseColor = colour
    shown.LineWidth = width
    return shown


def edges(source):
    plain(FeatureEdges(Input=ExtractSurface(Input=source)), LINES, 1.5)


def tubes(source, name):
    tube = Tube(registrationName=name, Input=source)
    tube.Scalars = ["POINTS", "tube_radius"]
    tube.VaryRadius = "By Absolute Scalar"
    tube.NumberofSides, tube.Capping = 16, 1
    grains.Opacity = 0.12
    return Show(tube, view)


def legend(scale, title, unit, place, length):
    bar = GetScalarBar(scale, view)
    bar.Title, bar.ComponentTitle = title, unit
    bar.TitleFontSize = bar.LabelFontSize = 18
    bar.WindowLocation, bar.ScalarBarLength = place, length
    bar.Orientation = "Horizontal" if place == "Lower Center" else "Vertical"
    return bar


def colour(shown, where, array, low, high, place="Lower Center"):
    """One range over the whole series, with name and unit beside the bar."""
    ColorBy(shown, (where, array) if components.get(array, 1) == 1 else (where, array, "Magnitude"))
    scale = GetColorTransferFunction(array)
    scale.ApplyPreset("Viridis (matplotlib)", True)
    scale.AutomaticRescaleRangeMode = "Never"
    scale.RescaleTransferFunction(low, high if high > low else low + 1.0)
    shown.SetScalarBarVisibility(view, True)
    bar = legend(scale, array, "(" + units[array] + ")" if units.get(array) else "", place, 0.3)
    bar.AddRangeLabels, bar.AutomaticLabelFormat = 1, 0
    bar.LabelFormat = bar.RangeLabelFormat = "%-#.3g"


units = @UNITS@
components = {}
view = GetActiveViewOrCreate("RenderView")
view.OrientationAxesVisibility = 1
if image:
    view.ViewSize = [1600, 1200]
centres = opened("centres")
bodies = part(centres, "driven", 0, 0, "bodies", points=True)
times = list(centres.TimestepValues)
some = times[:: max(1, len(times) // 50)] + times[-1:]
low, high = float("inf"), float("-inf")
box = [float("inf"), float("-inf")] * 3
# Ranges and bounds of the whole series, or colours and camera would jump; fifty times are enough for them.
for t in some:
    bodies.UpdatePipeline(t)
    information = bodies.GetDataInformation()
    if information.GetNumberOfPoints() == 0:
        continue
    array = bodies.PointData[COLOUR]
    if array is None:
        raise SystemExit("view.py: there is no array " + COLOUR + "; conf2vtk --arrays writes others")
    components[COLOUR] = array.GetNumberOfComponents()
    smallest, largest = array.GetRange(-1 if array.GetNumberOfComponents() > 1 else 0)
    low, high = min(low, smallest), max(high, largest)
    for k, limit in enumerate(information.GetBounds()):
        box[k] = max(box[k], limit) if k % 2 else min(box[k], limit)
if low > high:
    low, high, box = 0.0, 1.0, [0.0, 1.0] * 3
if COLOUR == "speed":
    low = 0.0

if "particles" in KINDS or "boxes" in KINDS:
    grains = Show(opened("particles" if "particles" in KINDS else "boxes"), view)
    colour(grains, "CELLS", COLOUR, low, high)
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
    colour(grains, "POINTS", COLOUR, low, high)
if "driven" in KINDS:
    ground = plain(part(opened("driven"), "wall", 0, 0, "driven bodies"), [0.6, 0.6, 0.6])
    ground.Opacity = 0.6
    ground.BackfaceRepresentation = "Cull Frontface"  # half the haze over what they hold
# Faces of walls would veil the grains: flat ones are shown by their outlines.
if "walls" in KINDS:
    walls = opened("walls")
    edges(part(walls, "kind", 0, 0, "flat walls"))
    round_walls = part(walls, "kind", 1, 4, "round walls")
    shell = plain(round_walls, [0.6, 0.6, 0.6])
    # Their faces look inwards: those towards the camera are left out, so one looks in.
    shell.BackfaceRepresentation = "Cull Backface"
    shell.Opacity = 0.5
    edges(round_walls)
if "cell" in KINDS:
    plain(opened("cell"), INK, 2.0)
if "tracks" in KINDS:
    plain(opened("tracks"), LINES, 1.5)
if "chains" in KINDS:
    chains = opened("chains")
    strongest = 0.0
    for t in some:
        chains.UpdatePipeline(t)
        if chains.GetDataInformation().GetNumberOfPoints() > 0:
            strongest = max(strongest, chains.PointData["fn"].GetRange(0)[1])
    if strongest > 0.0:
        units["fn"] = "N"
        colour(tubes(chains, "force chains"), "POINTS", "fn", 0.0, strongest, "Lower Right Corner")
        GetColorTransferFunction("fn").ApplyPreset("Inferno (matplotlib)", True)
if "bonds" in KINDS:
    bonds = opened("bonds")
    bonds.UpdatePipeline(times[-1] if times else 0.0)  # those that break are drawn, too: there are as many at all times
    if bonds.GetDataInformation().GetNumberOfCells() > 0:
        glue = tubes(bonds, "bonds as tubes")
        ColorBy(glue, ("CELLS", "state"))
        states = GetColorTransferFunction("state")
        states.InterpretValuesAsCategories = 1
        states.Annotations = ["0", "broken", "1", "in a cluster", "2", "between clusters"]
        states.IndexedColors = [0.84, 0.15, 0.16, 0.12, 0.47, 0.71, 0.17, 0.63, 0.17]
        glue.SetScalarBarVisibility(view, True)
        legend(states, "bonds", "", "Upper Right Corner", 0.15)
if "contacts" in KINDS:
    opened("contacts")  # inside the grains; click its eye, and see docs/tools/conf2vtk.md for arrows of forces

label = AnnotateTimeFilter(registrationName="time", Input=centres)
label.Format = "t = {time:.4g} s"
Show(label, view).FontSize = 24
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
if times and image:
    scene.AnimationTime = view.ViewTime = times[-1]
# The camera sees the bodies at all times, gravity downwards.
middle = [(box[2 * k] + box[2 * k + 1]) / 2 for k in range(3)]
radius = 0.6 * sum((box[2 * k + 1] - box[2 * k]) ** 2 for k in range(3)) ** 0.5 or 1.0
distance = radius / 0.2588 / ZOOM  # sin of half the view angle of 30 degrees
view.CameraViewAngle = 30.0
view.CameraFocalPoint = middle
view.CameraPosition = [middle[k] + distance * TOWARDS[k] for k in range(3)]
view.CameraViewUp = UP
view.CenterOfRotation = middle
Render(view)
if image:
    SaveScreenshot(image, view, ImageResolution=[1600, 1200])
