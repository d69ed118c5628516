#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents say what the programs do, and their examples work as printed, one after the other.

    documents.py BIN DOCS lists       pages on formats hold the tables that rockable prints, and name what it lists
    documents.py BIN DOCS tools       examples in the help of each tool
    documents.py BIN DOCS verbs       examples in the help of each verb, each in an empty folder
    documents.py BIN DOCS pages       commands that the pages of the tools show
    documents.py BIN DOCS beginning   commands of the README and the first pages, in an empty folder
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BIN, DOCS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
TOOLS = "shapeSurvey packgen clumpify rockable conf2vtk extract".split()
os.environ["PATH"] = f"{BIN}:{os.environ['PATH']}"
# Of the format's description (2017) and of all that the reference program takes (2026), with the names it once had and what old
# files hold beside.
KEYWORDS = """t tmax dt interVerlet interConf DVerlet dVerlet parallel_mode density gravity BodyForce ParamsInInterfaces
dynamicUpdateNL dispUpdateNL angleUpdateNL usePeriodicCell h vh ah mh dh cellMomentumCorrection cellVelocityCorrection
useKineticStress useSoftParticles numericalDampingCoeff VelocityBarrier AngularVelocityBarrier VelocityBarrierExponent
AngularVelocityBarrierExponent velocityBarrier angularVelocityBarrier preventCrossingLength knContact en2Contact ktContact
muContact krContact murContact viscTContact en2ContactFromViscRate knInnerBond ktInnerBond krInnerBond fn0InnerBond ft0InnerBond
mom0InnerBond powInnerBond en2InnerBond knOuterBond ktOuterBond krOuterBond fn0OuterBond ft0OuterBond mom0OuterBond powOuterBond
en2OuterBond gcInnerBond gcOuterBond ContactPartnership cellMinSizes boxForLinkCellsOpt iconf nDriven shapeFile precision
Particles Interactions Interfaces forceLaw AddOrRemoveInteractions UpdateNL UpdateNLStrategy Integrator Tempo initSpringJoint
separator glue_with_walls DataExtractor stickVerticesInClusters stickVerticesInClustersMoments stickBCM stickClusters
copyParamsToInterfaces setVariableStickParams setStiffnessRatioInterfaces randomlyOrientedVelocities
randomlyOrientedVelocitiesClusters setAllVelocities homothetyRange particlesClonage""".split()
SERVOS = """ramp shaker triangle_shaker sawtooth_shaker tritriIsostaticCompression tritriBiaxialCompression tritriCustom
tritriLodeAngle _x_Vel_ _y_Vel_ _z_Vel_ _xrot_Vel_ _yrot_Vel_ _zrot_Vel_ _xyzrot_Vel_ _x_For_ _y_For_ _z_For_ _xrot_Mom_
_yrot_Mom_ _zrot_Mom_ _xyzrot_Mom_""".split()
EXTRACTORS = "TrackBody TrackRockfall ClusterAABB dnStat MeanVelocity DuoBalance TrackDamage".split()


def printed(command, folder=None):
    done = subprocess.run(command, shell=True, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        sys.exit(f"{command}\nends with {done.returncode}: {done.stderr}")
    return done.stdout


def page(name):
    return (DOCS / name).read_text(encoding="utf-8")


def require(where, text, wanted, least=1):
    if missing := [word for word in enough(where, least, wanted) if word not in text]:
        sys.exit(f"{where} lacks " + "\n".join(missing))


def lists():
    conf, driving = page("formats/conf.md"), page("formats/driving.md")
    listed = {kind: printed(f"rockable --list {kind}") for kind in "keywords servos extractors laws commands".split()}
    # Keywords of bonds inside and between clusters share a row.
    rows = [line.replace("Outer", "Inner", 1).replace("between clusters", "inside a cluster") if "OuterBond`" in line else line
            for line in listed["keywords"].splitlines()]
    rows = [re.sub(r"`(\w+)InnerBond`", r"`\1InnerBond`, `\1OuterBond`", line, count=1) for line in rows]
    require("formats/conf.md", conf, rows, 100)
    require("formats/driving.md", driving, listed["servos"].split("\n\n")[0].splitlines(), 5)
    require("formats/driving.md", driving, ["IsotropicCompression", "TriaxialCompression", "SimpleShearDeformable"])
    for kind, name in ("laws", "formats/conf.md"), ("extractors", "tools/extract.md"), ("commands", "formats/conf.md"):
        require(name, page(name), [f"`{word}`" for word in re.findall(r"^(\S+)", listed[kind], re.M)], 5)
    require("rockable --list keywords", listed["keywords"], [f"`{word}`" for word in KEYWORDS], 91)
    require("rockable --list servos", listed["servos"], SERVOS)
    require("rockable --list extractors", listed["extractors"], EXTRACTORS)


def prepare(folder):
    """Files for examples that do not make them: a run, shapes, a table of poses, a file of extractors."""
    printed("""set -e
        shapeSurvey make boulder --size 0.3 --radius 0.01 -q -o rock.shp
        packgen lattice --shape rock.shp --cells 3 3 2 --walls 0.1 --duration 0.05 --interconf 0.005 -q -o run/conf0
        rockable run/conf0 -o run -q
        cp run/conf0 run/conf0.shp . && cp conf0 case.conf && rm rock.shp
        shapeSurvey make slope --steps 3 --radius 0.05 --name terrain -q -o terrain.shp
        shapeSurvey make boulder --radius 0.02 --name SP3A -q -o boulders.shp
        printf 'shape,x,y,z,driven\\nterrain,0,0,0,1\\nSP3A,0.5,20,0,0\\n' >release.csv
        echo 'TrackBody 6 track.txt 10' >dataExtractors.txt""", folder)


def section(text, title):
    """Lines below a title, up to the first that is not indented."""
    found = re.search(rf"^{title}:.*\n((?:  .*\n)*)", text, re.M)
    return [line[2:] for line in found[1].splitlines()] if found else []


def examples(command, least):
    """Those of a help, without what three blanks part from the command."""
    return enough(command, least, [line.split("   ")[0] for line in section(printed(command + " --help"), "Examples")])


def shown(text):
    """Commands in the code blocks of a page; lines that show a syntax, with [ ] or ..., are none."""
    code = "\n".join(text.split("```")[1::2])
    return [line for line in code.splitlines() if line.split(" ")[0] in TOOLS + ["printf"] and "[" not in line and "..." not in line]


def enough(where, least, found):
    return found if len(found) >= least else sys.exit(f"{where}: {len(found)} of at least {least}: {found}")


def work(commands, prepared=False):
    with tempfile.TemporaryDirectory() as folder:
        if prepared:
            prepare(folder)
        for command in commands:
            printed(command, folder)


def tools():
    work([command for tool in TOOLS for command in examples(tool, 3)], prepared=True)


def verbs():
    names = [f"{tool} {line.split(' ')[0]}" for tool in TOOLS if tool != "extract"  # its kinds need a run
             for line in section(printed(tool + " --help"), "Subcommands") if line[0] != " " and "not available" not in line]
    for name in enough("verbs", 12, names):
        work(examples(name, 2))


def pages():
    commands = [shown(path.read_text(encoding="utf-8")) for path in (DOCS / "tools").iterdir()]
    enough("pages of the tools", 15, sum(commands, []))
    for those in commands:
        work(those, prepared=True)


def beginning():
    for name in "../README.md", "five-minutes.md", "choosing.md":
        work(enough(name, 5, shown(page(name))))


{f.__name__: f for f in (lists, tools, verbs, pages, beginning)}[sys.argv[3]]()
