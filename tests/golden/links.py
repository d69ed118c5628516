#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the links of all pages: files exist, and sections have the names that links use. Usage: links.py ROOT"""
import os
import re
import sys

root = os.path.abspath(sys.argv[1])
pages = [os.path.join(folder, name) for folder, folders, names in os.walk(root) for name in names
         if name.endswith(".md") and not folders.__setitem__(slice(None), [f for f in folders if f != "build" and f[0] != "."])]


def anchors(path):
    found, code = set(), False
    for line in open(path, encoding="utf-8"):
        code ^= line.startswith("```")
        heading = None if code else re.match(r"#+ (.*)", line)
        if heading:
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
            name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
            count = sum(1 for a in found if re.fullmatch(re.escape(name) + r"(-\d+)?", a))
            found.add(f"{name}-{count}" if name in found else name)
    return found


faults = links = 0
for page in pages:
    text = re.sub(r"```.*?```", lambda m: "\n" * m[0].count("\n"), open(page, encoding="utf-8").read(), flags=re.S)
    text = re.sub(r"`[^`\n]*`", "", text)
    for match in re.finditer(r"\]\(([^)\s]+)\)", text):
        target, _, anchor = match[1].partition("#")
        if "://" in target:
            continue
        links += 1
        path = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
        if not os.path.exists(path):
            fault = "no such file"
        elif anchor and anchor not in anchors(path):
            fault = "no such section"
        else:
            continue
        faults += 1
        print(f"{os.path.relpath(page, root)}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]}: {fault}")
print(f"{links} links in {len(pages)} pages, {faults} faults")
sys.exit(1 if faults or links < 100 else 0)
