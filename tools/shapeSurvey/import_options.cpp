// SPDX-License-Identifier: GPL-3.0-or-later
#include "import.hpp"
#include "run_tool.hpp"

#include <CLI/CLI.hpp>

namespace scree::tools {

CLI::App& addImport(CLI::App& app, ImportOptions& o) {
  CLI::App& verb = addVerb(
      app, "import", "Turn meshes (STL, OBJ, PLY, OFF) into shapes",
      "  shapeSurvey make boulder | shapeSurvey export - -o rock.off\n"
      "  shapeSurvey import rock.off --radius 0.01 -o rock.shp\n"
      "  shapeSurvey import rock.off --radius 0.02 --surface --name Quarry -o quarry.shp\n"
      "  shapeSurvey import rock.off --radius 0.05 --wrap --simplify 200 --inset -o wrapped.shp\n"
      "  shapeSurvey import rock.off --radius 0.01 --hull --size 0.5 | shapeSurvey compute -",
      "The mesh becomes the core, so the body is larger by the radius on all sides, unless\n"
      "--inset is given.\n"
      "Steps run in the order of this list, and the deviation that each causes is printed.");
  verb.add_option("MESH", o.meshes, "Mesh files; - is standard input")->required();
  verb.add_option("--radius", o.radius, "Radius of the rounding, in the unit of the file")
      ->required();
  verb.add_option("--name", o.name, "Name of the shape (default: the name of the file)");
  verb.add_option("--weld", o.weld, "Join vertices nearer than this, in the unit of the mesh");
  verb.add_flag("--fill-holes", o.fillHoles, "Close holes by triangles on their rims");
  verb.add_flag("--wrap", o.wrap, "Wrap a broken mesh in a closed one (alpha wrap)");
  verb.add_option("--wrap-alpha", o.wrapAlpha,
                  "Close gaps narrower than this share of the diagonal (0.02)");
  verb.add_option("--wrap-offset", o.wrapOffset,
                  "Distance of the wrap from the mesh, as a share of alpha (0.0333)");
  verb.add_flag("--hull", o.hull, "Take the convex hull of the mesh");
  verb.add_option("--simplify", o.simplify, "Collapse edges down to this many vertices");
  verb.add_flag("--surface", o.surface, "Import an open surface without volume: a terrain, a wall");
  verb.add_option("--scale", o.scale, "Multiply all coordinates");
  verb.add_option("--size", o.size,
                  "Scale to this largest outer side, in the unit of the file, rounding included");
  verb.add_option("--volume", o.volume,
                  "Scale to this volume, in the unit of the file, as compute reports it");
  verb.add_option("--mass", o.mass, "Scale to this mass, in the units of --density and the file");
  verb.add_option("--density", o.density,
                  "Mass over volume, for --mass: in kg/m3 if lengths are in m and masses in kg");
  verb.add_flag("--inset", o.inset,
                "Move the faces in by the radius, so that the rounded surface matches the mesh");
  verb.add_option("--coplanar", o.coplanar,
                  "Merge faces whose normals are within this many degrees into polygons");
  verb.add_option("--decompose", o.decompose,
                  "Cover the body by at most this many convex shapes NAME_1, NAME_2, ...");
  verb.add_option("-o,--output", o.output, "Shape-file to write; - is standard output")
      ->capture_default_str();
  return verb;
}

}  // namespace scree::tools
