// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_script.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::tools {
namespace {

constexpr std::string_view head =
    R"py(# Opens the converted files in ParaView: paraview --script=view.py (5.8 or later).
import os
from paraview.simple import *

here = os.path.dirname(os.path.abspath(__file__)) if "__file__" in globals() else os.getcwd()
UP = ({}, {}, {})


def opened(kind):
    return PVDReader(registrationName=kind, FileName=os.path.join(here, kind + ".pvd"))


view = GetActiveViewOrCreate("RenderView")
view.OrientationAxesVisibility = 1
centres = opened("centres")
times = list(centres.TimestepValues)
fastest = 0.0
# One range for the whole series, or colours would jump; some twenty times are enough for it.
for t in times[:: max(1, len(times) // 20)] + times[-1:]:
    centres.UpdatePipeline(t)
    fastest = max(fastest, centres.PointData["speed"].GetRange()[1])
speed = GetColorTransferFunction("speed")
speed.ApplyPreset("Viridis (matplotlib)", True)
speed.RescaleTransferFunction(0.0, fastest or 1.0)
)py";

constexpr std::string_view bodies = R"py(
particles = opened("{}")
shown = Show(particles, view)
ColorBy(shown, ("CELLS", "speed"))
speed.RescaleTransferFunction(0.0, fastest or 1.0)
shown.SetScalarBarVisibility(view, True)
Hide(centres, view)
)py";

constexpr std::string_view glyphs = R"py(
shapes = XMLMultiBlockDataReader(registrationName="shapes", FileName=[os.path.join(here, "shapes.vtm")])
Hide(shapes, view)
Hide(centres, view)
unbound = Threshold(registrationName="bodies", Input=centres)
unbound.Scalars = ["POINTS", "driven"]
try:
    unbound.LowerThreshold = unbound.UpperThreshold = 0
except AttributeError:  # before 5.10
    unbound.ThresholdRange = [0, 0]
shown = Show(unbound, view)
shown.SetRepresentationType("3D Glyphs")
shown.GlyphType = "Pipeline Connection"
shown.GlyphType.Input = shapes
shown.Scaling = 1
shown.ScaleMode = "Magnitude"
shown.SelectScaleArray = "homothety"
shown.ScaleFactor = 1.0
shown.Orient = 1
shown.OrientationMode = "Quaternion"
shown.SelectOrientationVectors = "orientation"
shown.UseGlyphTable = 1
shown.GlyphTableIndexArray = "shape"
shown.UseCompositeGlyphTable = 1
ColorBy(shown, ("POINTS", "speed"))
speed.RescaleTransferFunction(0.0, fastest or 1.0)
)py";

constexpr std::string_view driven = R"py(
driven = opened("driven")
walls = Show(driven, view)
ColorBy(walls, None)
walls.DiffuseColor = [0.6, 0.6, 0.6]
walls.Opacity = 0.3
)py";

constexpr std::string_view chains = R"py(
chains = opened("chains")
tube = Tube(registrationName="force chains", Input=chains)
tube.Scalars = ["POINTS", "tube_radius"]
tube.VaryRadius = "By Absolute Scalar"
tubes = Show(tube, view)
ColorBy(tubes, ("POINTS", "fn"))
)py";

constexpr std::string_view contacts = R"py(
contacts = opened("contacts")
points = Show(contacts, view)
ColorBy(points, ("POINTS", "fn"))
points.PointSize = 4
)py";

constexpr std::string_view tail = R"py(
label = AnnotateTimeFilter(registrationName="time", Input=centres)
Show(label, view)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
UP = list(UP)
side = [0.5, 0.25, 1.0] if abs(UP[1]) > 0.5 else [0.5, -1.0, 0.25]
view.CameraFocalPoint = [0.0, 0.0, 0.0]
view.CameraPosition = side
view.CameraViewUp = UP
ResetCamera(view)
Render(view)
)py";

}  // namespace

std::string viewScript(const std::vector<std::string>& kinds, const Vec3& gravity) {
  const Vec3 up = gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3(0.0, 0.0, 1.0);
  const auto has = [&](std::string_view kind) {
    return std::ranges::find(kinds, kind) != kinds.end();
  };
  // Adding 0.0 turns -0 into 0.
  std::string script = fmt::format(head, up.x() + 0.0, up.y() + 0.0, up.z() + 0.0);
  if (has("particles") || has("boxes"))
    script += fmt::format(bodies, has("particles") ? "particles" : "boxes");
  else
    script += glyphs;
  if (has("driven")) script += driven;
  if (has("chains")) script += chains;
  if (has("contacts")) script += contacts;
  return script + std::string(tail);
}

}  // namespace scree::tools
