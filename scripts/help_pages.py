#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes man pages and completions for bash and zsh from what the programs print with --help.

Usage: help_pages.py BIN OUT     (folder of the programs, and the folder share/ to fill)
"""
import gzip
import json
import os
import re
import subprocess
import sys

TOOLS = ["shapeSurvey", "packgen", "clumpify", "rockable", "conf2vtk", "extract"]
BIN, OUT = sys.argv[1:]


def run(*command):
    return subprocess.run([os.path.join(BIN, command[0]), *command[1:]], stdout=subprocess.PIPE, check=True, text=True).stdout


def parsed(text):
    """(sentence, description, examples, usage, {section: [(name, type, help)]}, notes) of a help text."""
    head, usage, rest = re.fullmatch(r"(.*?)^Usage: (.*?)\n(.*)", text, re.S | re.M).groups()
    head, _, examples = head.partition("Examples:\n")
    sentence, _, more = head.strip().partition("\n")
    sections, notes, current = {}, [], None
    for line in rest.split("\n"):
        if re.fullmatch(r"[A-Z][\w ]*:", line):
            current = sections.setdefault(line[:-1], [])
        elif current is not None and re.match(r"  \S", line):
            name, _, words = line[2:].partition("  ")
            name, _, kind = name.strip().partition(" ")
            current.append([name, kind, words.strip()])
        elif current and re.match(r" {20,}\S", line):
            current[-1][2] = (current[-1][2] + " " + line.strip()).strip()
        elif line.strip() or notes:
            current = None if line.strip() else current
            notes.append(line)
    return sentence, more.strip(), examples.rstrip(), usage, sections, "\n".join(notes).strip()


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def man(name, help, version, related):
    sentence, more, examples, usage, sections, notes = help
    title = name.replace(" ", "-")
    out = [f'.TH "{title.upper()}" 1 "" "Scree {version}" "Scree"', ".SH NAME", roff(f"{title} - {sentence.rstrip('.')}").replace("\\- ", "\\- ", 1),
           ".SH SYNOPSIS", roff(usage), ".SH DESCRIPTION", roff(sentence)]
    if more:
        out += [".PP", roff(more)]
    for section, items in sections.items():
        out.append(f".SH {'COMMANDS' if section == 'Subcommands' else section.upper()}")
        for item, kind, words in items:
            out += [".TP", f"\\fB{roff(item)}\\fR {roff(kind)}".rstrip(), roff(words) or "\\&"]
    if notes:
        out += [".SH NOTES", ".nf", roff(notes), ".fi"]
    if examples:
        out += [".SH EXAMPLES", ".nf", roff(examples), ".fi"]
    out += [".SH EXIT STATUS", "0 done, 1 a bug, 2 wrong usage, 3 unusable input, 4 file system or memory, 75 stopped on request.",
            ".SH SEE ALSO", ", ".join(f"\\fB{roff(r)}\\fR(1)" for r in related) + ", the pages in /usr/share/doc/scree"]
    path = os.path.join(OUT, "man", "man1", title + ".1.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:  # without time: the same bytes each time
        packed.write(("\n".join(out) + "\n").encode())


def names(sections):
    return [word for items in sections.values() for item, _, _ in items for word in item.split(",") if word[0] == "-"]


def main():
    for folder in ("man/man1", "bash-completion/completions", "zsh/vendor-completions"):
        os.makedirs(os.path.join(OUT, folder), exist_ok=True)
    version = run("rockable", "--version").split()[1]
    laws = [row["name"] for row in json.loads(run("rockable", "--list", "laws", "--json"))["laws"]]
    words = {}  # what may follow: tool; tool verb; tool verb option
    for tool in TOOLS:
        help = parsed(run(tool, "--help"))
        verbs = [item[0] for item in help[4].get("Subcommands", ())]
        man(tool, help, version, [f"{tool}-{v}" for v in verbs] or [t for t in TOOLS if t != tool])
        common = names(help[4])
        words[tool] = verbs
        for verb in [None, *verbs]:
            own = help if verb is None else parsed(run(tool, verb, "--help"))
            if verb is not None:
                man(f"{tool} {verb}", own, version, [tool])
            key = tool if verb is None else f"{tool} {verb}"
            words[key + " -"] = sorted(set(names(own[4]) + common))
            for items in own[4].values():
                for item, kind, text in items:
                    choices = re.search(r"\{([^}]*)\}", kind)
                    for option in item.split(","):
                        values = choices[1].split(",") if choices else None
                        if option == "--law":
                            values = laws
                        elif option in ("--container", "--grading", "--drive"):  # words such as box:LX,LY,LZ
                            values = re.findall(r"\b([a-z]+)\[?:(?=\S)", text)
                        if values and option.startswith("-"):
                            words[f"{key} {option}"] = values
                        elif values:
                            words[key] = words.get(key, []) + values
    table = "_scree_words() {\n  case $1 in\n" + "".join(
        f"    '{key}') echo '{' '.join(values)}' ;;\n" for key, values in words.items() if values) + "  esac\n}\n"
    first = "# SPDX-License-Identifier: GPL-3.0-or-later\n"
    logic = """_scree_candidates() {  # TOOL VERB PREVIOUS CURRENT
  local found=
  case $3 in
    -*) found=$(_scree_words "$1${2:+ $2} $3"); [ -n "$found" ] || found=$(_scree_words "$1 $3") ;;
  esac
  if [ -z "$found" ]; then
    case $4 in
      -*) found=$(_scree_words "$1${2:+ $2} -") ;;
      *) found=$(_scree_words "$1${2:+ $2}") ;;
    esac
  fi
  echo "$found"
}
"""
    bash = first + table + logic + """_scree() {
  local tool=${COMP_WORDS[0]##*/} verb= word current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [ -z "$verb" ] && [ -n "$(_scree_words "$tool $word -")" ]; then verb=$word; fi
  done
  COMPREPLY=($(compgen -W "$(_scree_candidates "$tool" "$verb" "$previous" "$current")" -- "$current"))
}
complete -o default -F _scree """ + " ".join(TOOLS) + "\n"
    folder = os.path.join(OUT, "bash-completion", "completions")
    with open(os.path.join(folder, "rockable"), "w") as file:
        file.write(bash)
    for tool in TOOLS:
        link = os.path.join(folder, tool)
        if tool != "rockable" and not os.path.islink(link):
            os.symlink("rockable", link)
    with open(os.path.join(OUT, "zsh", "vendor-completions", "_scree"), "w") as file:
        file.write("#compdef " + " ".join(TOOLS) + "\n" + first + table + logic + """local tool=${words[1]:t} verb= word
for word in ${words[2,CURRENT-1]}; do
  if [[ -z $verb && -n $(_scree_words "$tool $word -") ]]; then verb=$word; fi
done
compadd -- ${=$(_scree_candidates $tool "$verb" "${words[CURRENT-1]}" "${words[CURRENT]}")}
_files
""")
    open(os.path.join(OUT, "made"), "w").close()


main()
