#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules that hold for the sources as text. Usage: sources.py ROOT. Prints a line for each fault; exit code 1 if there is one."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
# A folder may include those before it. docs/architecture.md shows the same. Folder detail is the private part of shape.
SIM = "model contact law detect io engine measure compat check run pack study exchange".split()
SHAPE = "base shape mass mesh scan clump".split()
# How many headers a package installs at most: they are its contract. Raise a number for what users need, and for nothing else.
MOST_HEADERS = {"libsim": 48, "libshape": 36}
MAY_NAME_COMPAT = {  # outside of compat
    "simulation.hpp": "the option of a run, and the question whether it is set", "run/simulation.cpp": "chooses the engine",
    "run.hpp": "a member of run.json, and of a request to resume", "run/run_outputs.cpp": "sets that member",
    "run/run_tables.cpp": "gives tables the form that they have in that mode", "run/run_record.cpp": "writes and reads that member",
    "run/resumption.cpp": "compares that member with the option of a resumed run"}
MAY_READ_FILE = {  # Model::file: a step reads the model and the state
    "engine/state.cpp": "what goes into the next conf-file", "engine/engine.cpp": "takes the state out of it at the start",
    "engine/standard_engine.cpp": "places of lines in messages about boundaries", "engine/bond_setup.cpp": "the same, for bonds",
    "run/simulation.cpp": "Simulation::input()"}
faults = []


def sources(*folders):
    """Path below its folder and text of each source."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            yield path, path.relative_to(root / folder).as_posix(), path.read_text(encoding="utf-8")


def included(text):
    return re.findall(r'^#include "(.*)"', text, re.M)


def rank(order, path):
    """Place of the folder of a path in the order; None for those of other libraries."""
    folder = path.split("/")[0] if "/" in path else "engine" if path == "simulation.hpp" else "run"
    folder = "shape" if folder == "detail" else folder
    return order.index(folder) if folder in order else None


def agree(what, seen, may):
    """A list that allows more than there is has become too long."""
    faults.extend(f"{name}: {what}" for name in sorted(seen ^ set(may)))


arrows = 0
for order, prefix, folders in ((SIM, "scree/sim/", ("libsim/include/scree/sim", "libsim/src")),
                               (SHAPE, "scree/", ("libshape/include/scree", "libshape/src"))):
    for path, name, text in sources(*folders):
        own = rank(order, name)
        if own is None:
            faults.append(f"{path}: its folder has no place in the order")
            continue
        others = [(target, rank(order, target.removeprefix(prefix))) for target in included(text) if "/" in target]
        arrows += sum(other is not None for _, other in others)
        faults += [f"{path} includes {target}, of a later folder" for target, other in others if other is not None and other > own]

public = [root / library / "include" for library in MOST_HEADERS]
for library, most in MOST_HEADERS.items():
    headers = list(sources(library + "/include"))
    if len(headers) > most:
        faults.append(f"{library}: {len(headers)} public headers, at most {most}")
    faults += [f"{path} includes {target}, which is not public" for path, _, text in headers for target in included(text)
               if not any((folder / target).exists() for folder in public)]
for path, _, text in sources("tools"):
    faults += [f"{path} includes {target}, a private header" for target in included(text)
               if any((root / library / "src" / target).exists() for library in MOST_HEADERS) and not (path.parent / target).exists()]

naming, reading = set(), set()
for _, name, text in sources("libsim/include/scree/sim", "libsim/src"):
    # What users read (messages, names of files) may name the mode.
    code = re.sub(r'"(\\.|[^"\\\n])*"|docs/compatibility\.md', "", text).lower()
    if not name.startswith("compat/") and ("compat" in code or "asrockable" in code):
        naming.add(name)
    if re.search(r"model_?\(?\)?\.file\b", text):
        reading.add(name)
agree("names --compat, or is listed and does not; a rule in model/rules.hpp can say what other code needs", naming, MAY_NAME_COMPAT)
agree("reads Model::file, or is listed and does not", reading, MAY_READ_FILE)

for path, _, text in sources("libshape", "libsim", "tools"):
    before = ""
    for line in map(str.strip, text.splitlines()):
        if re.match(r"/// *(What|Of|Those|Whoever|Who|None of)\b", line) and not before.startswith("///"):
            faults.append(f"{path}: begin with a noun or a verb, so that it can be read alone: {line}")
        before = line
for path, name, text in sources("tests"):
    if path.name != "folder.hpp" and not name.startswith("bench/") and re.search(r"temp_directory_path|/tmp/", text):
        faults.append(f"{path}: CTest runs tests side by side: use testing::Folder")

print("\n".join(faults))
print(f"{arrows} arrows between folders, {len(faults)} faults")
sys.exit(1 if faults or arrows < 800 else 0)
