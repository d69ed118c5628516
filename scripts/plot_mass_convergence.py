#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws error against time of the methods for mass properties, as SVG.

    bench_mass_methods --csv > convergence.csv
    scripts/plot_mass_convergence.py convergence.csv -o docs/images/mass-convergence.svg

One panel for each body of the table (columns body, method, seconds, error), both axes logarithmic.
Standard library alone.
"""
import argparse
import csv
import html
import math

COLOURS = {
    "certified": "#1b6ca8",
    "certified: bound": "#1b6ca8",
    "octree": "#c44e2b",
    "grid": "#4d8b3c",
    "Monte Carlo": "#8a5aa8",
}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, GAP = 340, 330, 58, 12, 34, 44, 26


def read(path):
    bodies = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            point = (float(row["seconds"]), float(row["error"]))
            if point[0] > 0 and point[1] > 0:
                bodies.setdefault(row["body"], {}).setdefault(row["method"], []).append(point)
    return bodies


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def power(exponent):
    return f'10<tspan dy="-5" font-size="8">{exponent}</tspan>'


def panel(name, methods, at, x_range, y_range):
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(value):
        return at + LEFT + width * (math.log10(value) - x_range[0]) / (x_range[1] - x_range[0])

    def y(value):
        return TOP + height * (y_range[1] - math.log10(value)) / (y_range[1] - y_range[0])

    out = [f'<text x="{at + LEFT + width / 2:.1f}" y="{TOP - 14}" text-anchor="middle" '
           f'font-weight="bold">{html.escape(name)}</text>']
    for e in range(x_range[0], x_range[1] + 1):
        out.append(f'<line x1="{x(10**e):.1f}" x2="{x(10**e):.1f}" y1="{TOP}" y2="{TOP + height}" '
                   f'stroke="#ddd"/><text x="{x(10**e):.1f}" y="{TOP + height + 16}" '
                   f'text-anchor="middle">{power(e)}</text>')
    for e in range(y_range[0], y_range[1] + 1):
        out.append(f'<line x1="{at + LEFT}" x2="{at + LEFT + width}" y1="{y(10**e):.1f}" '
                   f'y2="{y(10**e):.1f}" stroke="#ddd"/>')
        if (e - y_range[0]) % 2 == 0:
            out.append(f'<text x="{at + LEFT - 6}" y="{y(10**e) + 4:.1f}" text-anchor="end">'
                       f'{power(e)}</text>')
    out.append(f'<rect x="{at + LEFT}" y="{TOP}" width="{width}" height="{height}" fill="none" '
               f'stroke="#555"/>')
    out.append(f'<text x="{at + LEFT + width / 2:.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
               f'processor time [s]</text>')
    for method, points in methods.items():
        points = sorted(points)
        dashed = ' stroke-dasharray="5 3"' if method.endswith("bound") else ""
        path = " ".join(f"{x(s):.1f},{y(e):.1f}" for s, e in points)
        colour = COLOURS.get(method, "#333")
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" '
                   f'stroke-width="1.6"{dashed}/>')
        if not dashed:
            out += [f'<circle cx="{x(s):.1f}" cy="{y(e):.1f}" r="2.2" fill="{colour}"/>'
                    for s, e in points]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()
    bodies = read(arguments.csv)
    if not bodies:
        parser.error(f"{arguments.csv}: no rows of body,method,seconds,error above 0")
    everything = [p for methods in bodies.values() for points in methods.values() for p in points]
    x_range = decades([p[0] for p in everything])
    y_range = decades([p[1] for p in everything])
    total = len(bodies) * WIDTH + (len(bodies) - 1) * GAP
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total} {HEIGHT + 26}" '
           f'font-family="sans-serif" font-size="11">',
           f'<rect width="{total}" height="{HEIGHT + 26}" fill="white"/>']
    for k, (name, methods) in enumerate(bodies.items()):
        out += panel(name, methods, k * (WIDTH + GAP), x_range, y_range)
    at = LEFT
    for method, colour in COLOURS.items():
        dashed = ' stroke-dasharray="5 3"' if method.endswith("bound") else ""
        out.append(f'<line x1="{at}" x2="{at + 24}" y1="{HEIGHT + 12}" y2="{HEIGHT + 12}" '
                   f'stroke="{colour}" stroke-width="1.6"{dashed}/>'
                   f'<text x="{at + 30}" y="{HEIGHT + 16}">{method}</text>')
        at += 52 + 7 * len(method)
    out.append("</svg>")
    with open(arguments.output, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
