#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The packages: lintian, the same bytes twice, and what they bring in a fresh Debian 12, with ParaView and without.
source "$(dirname "$0")/../support/long.sh"
scripts/packages.sh lintian mmdebstrap dpkg-dev
built scree_help scree_sim
work=$(mktemp -d)
fresh=$work/root
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

for n in 1 2; do
  for kind in DEB TGZ; do cpack -G $kind --config "$SCREE_BUILD/CPackConfig.cmake" -B "$work/$n" >"$work/log" 2>&1 || { tail "$work/log"; row "cpack -G $kind" FAILED ""; finish; }; done
done
same=ok
for file in "$work"/1/*.deb "$work"/1/*.tar.gz; do cmp "$file" "$work/2/$(basename "$file")" || same=FAILED; done
row "the same bytes twice" $same "$(cd "$work/1" && ls -s --block-size=1M *.deb *.tar.gz | tr '\n' ' ')"
lintian --fail-on error "$work"/1/*.deb >"$work/lintian" 2>&1 && result=ok || result=FAILED
row "lintian has no errors" $result "$(grep -c '^W' "$work/lintian") warnings"
grep '^E' "$work/lintian" || true
awk '/^```/ { on = !on; next } on && /^(shapeSurvey|packgen|rockable|conf2vtk|extract) /' README.md >"$work/five.sh"
cmake --install "$SCREE_BUILD" --prefix "$work/elsewhere" >"$work/log"
mkdir "$work/five"
if (cd "$work/five" && PATH=$work/elsewhere/bin:$PATH bash -e ../five.sh && MANPATH=$work/elsewhere/share/man man -w packgen-fill) >"$work/log" 2>&1; then result=ok; else result=FAILED; fi
row "cmake --install elsewhere: five lines, man pages" $result "$(find "$work/elsewhere" -type f | wc -l) files"

# A fresh system: a chroot of Debian 12 with nothing but apt. CHROOT_TAR names one that was made before.
if ! if [ -n "${CHROOT_TAR:-}" ]; then mkdir "$fresh" && tar -xpf "$CHROOT_TAR" -C "$fresh"; else mmdebstrap --variant=apt bookworm "$fresh"; fi >"$work/log" 2>&1; then
  tail -3 "$work/log"
  row "a fresh system" skipped "no chroot can be made here"
  finish
fi
cp "$work"/1/*.deb "$work/five.sh" "$fresh/tmp"
cp /etc/resolv.conf "$fresh/etc/" 2>/dev/null || true
mount -t proc proc "$fresh/proc"
trap 'umount "$fresh/proc"; rm -rf "$work"' EXIT
inside() { chroot "$fresh" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive bash -ec "$1" >"$work/log" 2>&1; }
# try WHAT COMMANDS: a row with the last line that the commands print
try() {
  if inside "$2"; then row "$1" ok "$(tail -1 "$work/log")"; else tail -5 "$work/log"; row "$1" FAILED ""; fi
}
try "apt install ./scree*.deb" 'apt-get -qq update; apt-get -qq install -y --no-install-recommends ./tmp/scree_*.deb man-db bash-completion zsh python3-numpy; dpkg-query -W -f="\${Installed-Size} kB of files\n" scree'
try "five lines of the README" 'mkdir /tmp/five; cd /tmp/five; test "$(wc -l <../five.sh)" = 5; bash -e ../five.sh; tail -1 track.csv | cut -c1-40'
try "man rockable, man packgen-fill" 'man rockable | cat | grep -q -- --resume; man packgen-fill | cat | grep -q -- --jammed; man -k . 2>/dev/null | grep -c "^packgen" || true'
try "completion of packgen f<Tab> in bash" 'source /usr/share/bash-completion/bash_completion; _completion_loader packgen || true; COMP_WORDS=(packgen f); COMP_CWORD=1; _scree; echo "${COMPREPLY[@]}"; test "${#COMPREPLY[@]}" = 2'
try "completion of packgen f<Tab> in zsh" 'zsh -fc "autoload -U compinit; compinit -u -D; autoload -U _scree; _files() {}
  compadd() { shift; print -- \${(oM)@:#f*}; }; words=(packgen f) CURRENT=2; \$_comps[packgen]" | grep -x "fill from"'
try "import scree" 'cd /tmp/five; python3 -c "import scree; c = scree.Conf(\"run/conf10\"); print(len(c.bodies), \"bodies at\", c[\"t\"])"'
try "a case of data/" 'cd /tmp; rockable /usr/share/scree/data/heap/conf0 -o heap --until 0.1 -q; tail -1 heap/energy.txt | cut -c1-40'
try "consumer example" 'apt-get -qq install -y --no-install-recommends ./tmp/libscree-dev_*.deb g++ cmake make; cp -r /usr/share/doc/scree/examples /tmp/ex; cd /tmp/ex; cmake -B build >/dev/null; cmake --build build >/dev/null; build/ball_on_plane | tail -1'
tar -xzf "$work"/1/*.tar.gz -C "$fresh/opt"
try "the archive, without the package and its libraries" 'apt-get -qq purge -y scree libscree-dev; apt-get -qq autoremove -y --purge; ! command -v rockable
  PATH=$(echo /opt/scree-*/bin):$PATH; mkdir /tmp/six; cd /tmp/six; bash -e ../five.sh; tail -1 track.csv | cut -c1-40'
cat >"$fresh/tmp/points.py" <<'END'
from paraview.simple import OpenDataFile
bodies = OpenDataFile("vtk/particles.pvd")
bodies.UpdatePipeline()
print(bodies.GetDataInformation().GetNumberOfPoints(), "points in ParaView")
END
try "with ParaView: package, five lines, their files" 'apt-get -qq install -y --no-install-recommends paraview python3-paraview ./tmp/scree_*.deb
  mkdir /tmp/seven; cd /tmp/seven; bash -e ../five.sh; pvpython ../points.py'
finish
