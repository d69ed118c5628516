# SPDX-License-Identifier: GPL-3.0-or-later
"""Hooks of mkdocs: anchors as on GitHub, blocks of formulas for KaTeX, and a search that needs no server."""
import html
import os
import re
import shutil


def slug(text, separator="-"):
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", separator)


def on_page_markdown(markdown, **_):
    return re.sub(r"^```math\n(.*?)^```$", lambda m: '<div class="math">' + html.escape(m[1].strip()) + "</div>", markdown,
                  flags=re.M | re.S)


def on_post_build(config, **_):
    folder = os.path.join(config["site_dir"], "search")
    with open(os.path.join(folder, "search_index.json"), encoding="utf-8") as file:
        text = file.read()
    shutil.rmtree(folder)
    os.mkdir(folder)
    with open(os.path.join(folder, "index.js"), "w", encoding="utf-8") as out:  # a page in a folder may read scripts alone
        out.write("window.pages = " + text + ";\n")
