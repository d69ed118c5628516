#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast extract reads and measures conf-files, on one thread, by processor time.

    tests/bench/extract.py [BUILD] [--files N] [--kinds a,b,...]

BUILD (default: build/release) has the tools. Two series: 500 files of 605 bodies (600 boulders in a box with five walls, 0.4 s
after they were let fall), and N files (default 5) of 100,000 balls on a lattice that press on their neighbours. Files of a series
differ in their time; 100 large ones take 7.8 GB in the folder of temporary files. Prints for each
kind the bytes of the files over the processor time of the program, and its peak memory. A row below the aim, 300 MB/s for kinds
that read bodies and 150 MB/s with contacts, ends in "below". The exit code is 1 if there is one.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BODIES = ["MeanVelocity", "bodies --columns t,id,x,y,z,vx,vy,vz", "ClusterAABB --cluster 0", "runout", "profile --by centre"]
CONTACTS = ["contacts --columns t,i,j,fn", "stress", "fabric", "coordination", "balance", "TrackBody --body 7", "energy", "bodies"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=ROOT / "build/release", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=5)
    parser.add_argument("--kinds", help="only these, with commas between them")
    options = parser.parse_args()
    bin_ = options.build.resolve() / "bin"
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)

        def tool(*words):
            subprocess.run([bin_ / words[0], *words[1:]], check=True, stdout=subprocess.DEVNULL)

        tool("shapeSurvey", "make", "boulder", "--faces", "14", "--size", "1", "--radius", "0.02", "--seed", "1", "-q", "-o", "raw.shp")
        tool("shapeSurvey", "compute", "raw.shp", "-q", "-o", "rock.shp")
        tool("packgen", "lattice", "--shape", "rock.shp", "--type", "sc", "--cells", "10", "6", "10", "--spacing", "1.1", "--walls",
             "--kn", "1e6", "--mu", "0.4", "--duration", "0.4", "--interconf", "0.4", "-q", "-o", "small/conf0")
        tool("rockable", "small/conf0", "-o", "small/run", "-q", "-j", "1")
        small = max(pathlib.Path("small/run").glob("conf*"), key=lambda p: p.stat().st_mtime)
        tool("shapeSurvey", "make", "sphere", "--size", "1", "-q", "-o", "rawball.shp")
        tool("shapeSurvey", "compute", "rawball.shp", "-q", "-o", "ball.shp")
        tool("packgen", "lattice", "--shape", "ball.shp", "--type", "sc", "--cells", "50", "40", "50", "--spacing", "0.99999",
             "--allow-overlap", "--kn", "1e6", "--mu", "0.4", "--gravity", "0", "0", "0", "--duration", "1", "-q", "-o", "large/conf0")
        subprocess.run([bin_ / "rockable", "large/conf0", "-o", "large/run", "--steps", "3", "-q", "-j", "1"], stdout=subprocess.DEVNULL)

        def copies(file, count, folder):
            text = pathlib.Path(file).read_bytes()
            start = text.index(b"\nt ") + 1
            end = text.index(b"\n", start)
            pathlib.Path(folder).mkdir()
            for k in range(count):
                pathlib.Path(folder, f"conf{k}").write_bytes(text[:start] + b"t %d" % k + text[end:])

        series = [("500 files of 605 bodies", small, 500), (f"{options.files} files of 100,000 bodies", "large/run/restart.conf", options.files)]
        below = 0
        for name, file, count in series:
            folder = pathlib.Path(file).parent.parent / "series"  # shape-files keep their place
            copies(file, count, folder)
            size = os.path.getsize(file)
            print(f"{name}, {size / 1e6:.3g} MB each")
            for kind in BODIES + CONTACTS:
                if options.kinds and kind.split()[0] not in options.kinds.split(","):
                    continue
                process = subprocess.Popen([bin_ / "extract", *kind.split(), folder, "-j", "1", "-q", "-o", "out.csv", "--force"])
                _, status, used = os.wait4(process.pid, 0)
                if status != 0:
                    sys.exit(f"extract {kind} ended with {status}")
                seconds = used.ru_utime + used.ru_stime
                what, aim = ("bodies", 300) if kind in BODIES else ("contacts", 150)
                speed = size * count / seconds / 1e6
                below += speed < aim
                print(f"  {what:8} {kind:40} {speed:6.0f} MB/s {seconds:7.2f} s {used.ru_maxrss / 1024:7.0f} MiB{'' if speed >= aim else '  below'}",
                      flush=True)
            shutil.rmtree(folder)
        return below > 0


sys.exit(main())
