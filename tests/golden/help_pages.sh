#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Man pages and completions have each verb and option that --help prints. Usage: help_pages.sh BUILD
set -euo pipefail
bin=$1/bin share=$1/share
source "$share/bash-completion/completions/rockable"
# complete WORD...: what bash offers for the last word
complete_words() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _scree
  printf '%s\n' "${COMPREPLY[@]}"
}
options=0 verbs=0
# covers WHERE OFFERED WANTED: each line of WANTED is one of OFFERED
covers() {
  local missing
  missing=$(comm -13 <(sort -u <<<"$2") <(sort -u <<<"$3") | tr '\n' ' ')
  [ -z "$missing" ] || { echo "$1 lacks $missing"; exit 1; }
}
check() {  # check TOOL [VERB]
  local page=$1${2:+-$2} wanted
  wanted=$("$bin/$1" ${2:+"$2"} --help | grep -oE '^  -[^ ]+' | tr -d ' ' | tr , '\n')
  covers "completion of $*" "$(complete_words "$@" -)" "$wanted"
  covers "$page.1" "$(zcat "$share/man/man1/$page.1.gz" | sed 's/\\fB//; s/\\fR.*//; s/\\-/-/g' | tr , '\n')" "$wanted"
  options=$((options + $(wc -l <<<"$wanted")))
}
for tool in shapeSurvey packgen clumpify rockable conf2vtk extract; do
  check $tool
  tool_verbs=$("$bin/$tool" --help | sed -n '/^Subcommands:/,$s/^  \([A-Za-z0-9]*\) .*/\1/p')
  covers "completion of $tool" "$(complete_words $tool "")" "$tool_verbs"
  for verb in $tool_verbs; do
    check $tool "$verb"
    verbs=$((verbs + 1))
  done
done
covers "completion of --law" "$(complete_words packgen fill --law "")" "$("$bin/rockable" --list laws | sed -n 's/^\([A-Z][A-Za-z]*\).*/\1/p')"
covers "completion of --container" "$(complete_words packgen fill --container "")" "$(printf '%s\n' box periodic cylinder drum sphere hopper mesh)"
[ "$(complete_words packgen f | sort | tr '\n' ' ')" = "fill from " ]
[ $options -gt 300 ] && [ $verbs -gt 60 ]
echo "$options options, $verbs verbs"
