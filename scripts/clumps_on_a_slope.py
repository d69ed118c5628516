#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rolls a boulder and clumps of spheres that stand for it down the same stairs, and draws what differs.

    scripts/clumps_on_a_slope.py build/release/bin -o docs/tutorials

The boulder is the sphero-polyhedron of data/shapes/boulder.shp. Each clump is `clumpify cover` of it, with the
mass, centre and inertia of the boulder. Each release has one random orientation, the same for all bodies.
Writes clumps-on-a-slope.csv (a row for each run), clumps-on-a-slope.svg, and prints the table of the page.
Standard library alone.
"""
import argparse
import math
import random
import subprocess
import tempfile
from pathlib import Path

SPHERES = (5, 20)
DURATION = 3.0


def run(folder, *command):
    subprocess.run([str(c) for c in command], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def orientation(rng):
    """A random turn (K. Shoemake, Graphics Gems III, 1992), as w x y z."""
    u, v, w = rng.random(), rng.random(), rng.random()
    a, b = math.sqrt(1 - u), math.sqrt(u)
    return (b * math.cos(2 * math.pi * w), a * math.sin(2 * math.pi * v), a * math.cos(2 * math.pi * v),
            b * math.sin(2 * math.pi * w))


def release(tools, work, body, turn):
    """Runs one release; returns distance along the stairs, drift across, greatest speed and spin."""
    folder = work / "run"
    folder.mkdir(exist_ok=True)
    table = "shape,x,y,z,group,driven,vx,vy,vz,qw,qx,qy,qz\nslope,0,0,0,0,1,0,0,0,1,0,0,0\n"
    table += f"{body},0.6,10.8,0,1,0,2.5,0,0," + ",".join(repr(q) for q in turn) + "\n"
    (folder / "poses.csv").write_text(table)
    run(folder, tools / "packgen", "from", "poses.csv", "--shapes", work / "slope.shp", "--shapes",
        work / f"{body}.shp", "--law", "Avalanche", "--density", 2600, "--en2", 0.25, "--overlap", 0.02,
        "--mu", 0.4, "--duration", DURATION, "--interconf", DURATION, "-q", "--force", "-o", "conf0")
    (folder / "dataExtractors.txt").write_text("TrackRockfall 1 0 0 track.txt 100\n")
    run(folder, tools / "rockable", "conf0", "-o", "out", "-j", 1, "-q", "--force", "--strict")
    lines = (folder / "out" / "track.txt").read_text().splitlines()[1:]
    rows = [[float(x) for x in line.split(",")] for line in lines]
    speed = max(math.hypot(*r[4:7]) for r in rows)
    spin = max(math.hypot(*r[11:14]) for r in rows)
    return rows[-1][1] - rows[0][1], rows[-1][3], speed, spin


def quantile(values, share):
    values = sorted(values)
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def largest_step(a, b):
    """The Kolmogorov-Smirnov distance of two samples."""
    return max(abs(sum(x <= v for x in a) / len(a) - sum(x <= v for x in b) / len(b)) for v in a + b)


def svg(results, names):
    width, height, left, bottom = 640, 360, 56, 44
    distances = {n: sorted(r[0] for r in results[n]) for n in names}
    low = math.floor(min(min(d) for d in distances.values()))
    high = math.ceil(max(max(d) for d in distances.values()))
    x = lambda v: left + (v - low) / (high - low) * (width - left - 16)
    y = lambda v: height - bottom - v * (height - bottom - 16)
    colours = ["#1f2933", "#b45309", "#0f766e"]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           'font-size="13">', f'<rect width="{width}" height="{height}" fill="white"/>']
    for v in range(low, high + 1, max(1, (high - low) // 8)):
        out.append(f'<path d="M{x(v):.1f} {y(0):.1f}V{y(1):.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{x(v):.1f}" y="{height - 26}" text-anchor="middle">{v}</text>')
    for v in (0, 0.25, 0.5, 0.75, 1):
        out.append(f'<path d="M{x(low):.1f} {y(v):.1f}H{x(high):.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{left - 6}" y="{y(v) + 4:.1f}" text-anchor="end">{v:g}</text>')
    for n, colour in zip(names, colours):
        path, count = f"M{x(low):.1f} {y(0):.1f}", len(distances[n])
        for k, v in enumerate(distances[n]):
            path += f"H{x(v):.1f}V{y((k + 1) / count):.1f}"
        out.append(f'<path d="{path}H{x(high):.1f}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for k, (n, colour) in enumerate(zip(names, colours)):
        out.append(f'<text x="{left + 14}" y="{36 + 18 * k}" fill="{colour}">{n}</text>')
    out.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle">distance after '
               f'{DURATION:g} s [m]</text>')
    out.append(f'<text x="14" y="{height / 2}" text-anchor="middle" transform="rotate(-90 14 {height / 2})">'
               'share of releases</text></svg>')
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=Path, help="folder of the programs")
    parser.add_argument("-o", "--output", type=Path, default=Path("."), help="folder for table and figure")
    parser.add_argument("--releases", type=int, default=100)
    args = parser.parse_args()
    tools = args.tools.resolve()
    boulder = Path(__file__).resolve().parent.parent / "data" / "shapes" / "boulder.shp"
    names = ["boulder"] + [f"clump{n}" for n in SPHERES]
    results = {n: [] for n in names}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(work, tools / "shapeSurvey", "make", "slope", "--steps", 8, "--size", 16, 10, 6, "--radius", 0.05,
            "--name", "slope", "-q", "--force", "-o", "slope.shp")
        run(work, tools / "shapeSurvey", "compute", "slope.shp", "-q", "--force", "-o", "slope.shp")
        (work / "boulder.shp").write_text(boulder.read_text())
        for n in SPHERES:
            run(work, tools / "clumpify", "cover", "boulder.shp", "--spheres", n, "-q", "-o", f"clump{n}.shp")
            text = (work / f"clump{n}.shp").read_text().replace("name particle0", f"name clump{n}")
            (work / f"clump{n}.shp").write_text(text)
        rng = random.Random(1)
        for _ in range(args.releases):
            turn = orientation(rng)
            for n in names:
                results[n].append(release(tools, work, n, turn))
    rows = ["release,body,distance,drift,speed,spin"]
    for k in range(args.releases):
        for n in names:
            rows.append(f"{k},{n}," + ",".join(f"{v:.6g}" for v in results[n][k]))
    args.output.mkdir(parents=True, exist_ok=True)
    (args.output / "clumps-on-a-slope.csv").write_text("\n".join(rows) + "\n")
    (args.output / "clumps-on-a-slope.svg").write_text(svg(results, names))
    print("| body | distance, median [m] | 5 % to 95 % [m] | drift, standard deviation [m] | greatest speed, median "
          "[m/s] | greatest spin, median [rad/s] | largest difference of shares | difference of the same release, median [m] |")
    print("|---|---|---|---|---|---|---|---|")
    for n in names:
        distance, drift, speed, spin = zip(*results[n])
        spread = math.sqrt(sum(d * d for d in drift) / len(drift))
        apart = [abs(a - b[0]) for a, b in zip(distance, results["boulder"])]
        step = largest_step([r[0] for r in results["boulder"]], list(distance))
        print(f"| {n} | {quantile(distance, 0.5):.2f} | {quantile(distance, 0.05):.2f} to "
              f"{quantile(distance, 0.95):.2f} | {spread:.2f} | {quantile(speed, 0.5):.2f} | "
              f"{quantile(spin, 0.5):.1f} | {step:.2f} | {quantile(apart, 0.5):.2f} |")


if __name__ == "__main__":
    main()
