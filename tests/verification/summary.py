#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts one row for each section of docs/verification-table.txt into docs/verification.md.

Usage: summary.py DOCS --check     exit code 1 if the page has other rows
       summary.py DOCS --update
"""
import os
import re
import sys

folder, what = sys.argv[1:]
problems, worst, section = {}, {}, ""  # names of problems, and the largest error over its tolerance, by section
for line in open(os.path.join(folder, "verification-table.txt"), encoding="utf-8"):
    title = re.match(r"\*\*(\S+) (.*?)\*\* \((.*)\)$", line)
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if title:
        section = title[1]
        problems.setdefault(section, []).append(title[2])
    elif line.startswith("|") and cells[0] != "quantity" and line[1] != "-":
        computed, expected = float(cells[1]), float(cells[2])
        tolerance = float(cells[3].split()[0]) * (abs(expected) if cells[3].endswith("rel") else 1)
        worst[section] = max(worst.get(section, 0.0), abs(computed - expected) / tolerance if tolerance else 0)
block = "| section | problems | error / tolerance |\n|---|---|---|\n"
for section, names in problems.items():
    block += f"| {section} | {'; '.join(names)} | {f'{worst[section]:.1g}' if worst[section] >= 0.005 else 0} |\n"
page = os.path.join(folder, "verification.md")
text = open(page, encoding="utf-8").read()
wanted = re.sub(r"(<!-- verification: begin -->\n).*?(<!-- verification: end -->)", lambda m: m[1] + "\n" + block + "\n" + m[2], text, flags=re.S)
assert sum(map(len, problems.values())) > 40 and "verification: begin" in text
if what == "--update":
    open(page, "w", encoding="utf-8").write(wanted)
elif text != wanted:
    sys.exit(f"{page}: the table is not that of verification-table.txt ({sys.argv[0]} {folder} --update writes it)")
