#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a step of the boulder SP3A on the Authume quarry costs, release by release.

    tests/bench/boulder.py [BUILD] [--repeats N] [--data DIR]

BUILD (default: build) is a Release build; what is missing there is built. DIR (default: ../shared/data beside the source
root) holds the public case: without it nothing can be measured. Six releases of 7 s at dt 1e-4, on one thread: the whole
program `rockable`, files included, by the clock and by processor time (the same on a busy machine), medians of N runs
(default 3); its stages by the clock; then the loop alone, with means over the steps of what it had to do: candidates
that are listed, awake ones that the next step looks at, contacts that touch.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASES = ["1/1", "1/2", "1/3", "1/5", "2/1", "2/4"]  # drop position / orientation
STEPS = 70000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--data", default=ROOT.parent / "shared/data", type=pathlib.Path)
    options = parser.parse_args()
    authume = options.data / "authume"
    if not authume.is_dir():
        sys.exit(f"boulder.py: no folder '{authume}': name the one that holds authume/ with --data")
    build = options.build.resolve()
    subprocess.run(["cmake", "--build", build, "--target", "rockable", "shapeSurvey", "packgen", "bench_engine"],
                   check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as folder:
        bench(build, authume, pathlib.Path(folder), max(options.repeats, 1))


def bench(build, authume, folder, repeats):
    def tool(*words):
        return subprocess.run([build / "bin" / words[0], *words[1:]], cwd=folder, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    zones = [authume / "STL" / f"DTM_{zone}_zone.stl" for zone in ("Blue", "Gray", "Red")]
    tool("shapeSurvey", "import", authume / "STL/SP3A.stl", "--radius", "0.005", "--name", "SP3A", "-q", "-o", "raw.shp")
    tool("shapeSurvey", "compute", "raw.shp", "-q", "-o", "boulder.shp")
    tool("shapeSurvey", "import", *zones, "--surface", "--radius", "0.02", "-q", "-o", "terrain.shp")
    means = []
    for release in RELEASES:
        position, orientation = release.split("/")
        track = authume / f"trajectories/P1/SP3A/Drop_position_{position}/orientation_{orientation}.txt"
        row = track.read_text().split("\n", 1)[0].split()
        x, q = row[1:4], row[7:11]
        bodies = [f"{zone.stem},0,0,0,1,0,0,0,0,1" for zone in zones] + [f"SP3A,{','.join(x + q)},1,0"]
        (folder / "release.csv").write_text("shape,x,y,z,qw,qx,qy,qz,group,driven\n" + "\n".join(bodies) + "\n")
        tool("packgen", "from", "release.csv", "--shapes", "boulder.shp", "--shapes", "terrain.shp",
             "--density", "2630.9728801677225", "--law", "Avalanche", "--kn", "1e7", "--en2", "0.1", "--kt", "4.2e6",
             "--mu", "0.45", "--kr", "1e7", "--mur", "0.15", "--gravity", "0", "-9.81", "0", "--duration", "7",
             "--dt", "1e-4", "--interconf", "0.1", "--force", "-q", "-o", "run/conf0")
        clock, processor = [], []
        for _ in range(repeats):
            begin, used = time.perf_counter(), processor_time()
            tool("rockable", "run/conf0", "-o", "out", "--force", "-q", "-j", "1")
            clock.append(1e6 * (time.perf_counter() - begin) / STEPS)
            processor.append(1e6 * (processor_time() - used) / STEPS)
        report = json.loads((folder / "out/run.json").read_text())
        means.append((statistics.median(clock), statistics.median(processor)))
        stages = "  ".join(f"{name} {1e6 * s / STEPS:.2f}" for name, s in report["stages"].items())
        print(f"release {release}: {means[-1][0]:.2f} us a step, whole program, {means[-1][1]:.2f} of the processor; {stages}; state {report['stateHash']}")
        loop = subprocess.run([build / "tests/bin/bench_engine", "file", "--conf", "run/conf0", "--steps", str(STEPS),
                               "--repeats", "1"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        print("\n".join(loop.splitlines()[1:]), flush=True)
    by_clock, by_processor = (statistics.mean(column) for column in zip(*means))
    print(f"mean of the releases: {by_clock:.2f} us a step, whole program, {by_processor:.2f} of the processor")


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


main()
