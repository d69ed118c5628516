#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts one row for each problem of docs/verification-table.txt into docs/verification.md.

Usage: summary.py DOCS --check     exit code 1 if the page has other rows
       summary.py DOCS --update
"""
import os
import re
import sys

folder, what = sys.argv[1:]
rows, section = [], ""
for line in open(os.path.join(folder, "verification-table.txt"), encoding="utf-8"):
    title = re.match(r"\*\*(\S+) (.*?)\*\* \((.*)\)$", line)
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if title:
        rows.append([title[1], title[2], title[3], 0.0])
    elif line.startswith("|") and cells[0] != "quantity" and line[1] != "-":
        computed, expected = float(cells[1]), float(cells[2])
        tolerance = float(cells[3].split()[0]) * (abs(expected) if cells[3].endswith("rel") else 1)
        rows[-1][3] = max(rows[-1][3], abs(computed - expected) / tolerance if tolerance else 0)
block = "| | problem | error / tolerance | expected from |\n|---|---|---|---|\n"
for number, name, source, share in rows:
    block += f"| {number} | {name} | {f'{share:.1g}' if share >= 0.005 else 0} | {source} |\n"
page = os.path.join(folder, "verification.md")
text = open(page, encoding="utf-8").read()
wanted = re.sub(r"(<!-- verification: begin -->\n).*?(<!-- verification: end -->)", lambda m: m[1] + "\n" + block + "\n" + m[2], text, flags=re.S)
assert len(rows) > 40 and "verification: begin" in text
if what == "--update":
    open(page, "w", encoding="utf-8").write(wanted)
elif text != wanted:
    sys.exit(f"{page}: the table is not that of verification-table.txt ({sys.argv[0]} {folder} --update writes it)")
