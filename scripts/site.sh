#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the manual as a site that needs no network and no server: open OUTPUT/index.html.
# Usage: scripts/site.sh [OUTPUT [GALLERY]]     (default build/site)
# Needs mkdocs and libjs-katex of Debian. GALLERY is a folder of docs/gallery.sh, whose three pages the site gets.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/build/site}
"$root/scripts/packages.sh" mkdocs libjs-katex
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The tree of the pages is that of the repository, so their links hold as they are.
mkdir "$work/pages"
cp -r "$root"/{README.md,CHANGELOG.md,CONTRIBUTING.md,CITATION.cff,LICENSE,docs,data,examples} "$work/pages"
mkdir "$work/pages/site"
cp "$root"/scripts/site/{site.css,site.js,search.js} "$work/pages/site"
mkdir "$work/pages/site/katex"
cp -rL /usr/share/javascript/katex/{katex.min.css,katex.min.js,fonts} "$work/pages/site/katex"
cp -r "$root"/scripts/site/{mkdocs.yml,hooks.py,theme} "$work"
if [ $# -ge 2 ]; then
  cp "$2"/{drum,rockfall,rock}.html "$work/pages/docs/gallery"
  printf '\nOpen the pages: [drum](gallery/drum.html), [rockfall](gallery/rockfall.html), [rock](gallery/rock.html).\n' >>"$work/pages/docs/gallery.md"
fi
(cd "$work" && PYTHONPATH=$work /usr/bin/mkdocs build --quiet --strict)
rm -rf "$out"
mkdir -p "$(dirname "$out")"
mv "$work/site" "$out"
echo "$out/index.html"
