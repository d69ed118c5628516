# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of Scree as arrays of numpy, and back: conf-files, shape-files and tables.

    import scree
    conf = scree.Conf("run/conf10")               # also conf10.zst
    print(conf["t"], conf.bodies["pos"][:, 1].max())
    conf.bodies["vel"] = 0
    conf["muContact", 0, 1] = 0.4
    conf.save("still.conf")
    shapes = scree.shapes("run/conf0.shp")        # name -> Shape
    energy = scree.table("run/energy.txt")        # column -> array

Numbers are read and written to the last bit. Needs numpy; compressed files also need the module zstandard or the program zstd.
"""
import json
import os
import subprocess
import tempfile

import numpy as np

__version__ = "0.1.0"
__all__ = ["Conf", "Shape", "shapes", "save_shapes", "table", "frame", "BODY", "CONTACT", "no_bodies", "no_contacts"]

#: Fields of a line of Particles, and of Interactions, in the order of the file.
BODY = np.dtype([("name", object), ("group", int), ("cluster", int), ("homothety", float), ("pos", float, 3), ("vel", float, 3),
                 ("acc", float, 3), ("Q", float, 4), ("vrot", float, 3), ("arot", float, 3)])
CONTACT = np.dtype([("i", int), ("j", int), ("type", int), ("isub", int), ("jsub", int), ("n", float, 3), ("dn", float),
                    ("pos", float, 3), ("vel", float, 3), ("fn", float), ("ft", float, 3), ("mom", float, 3), ("damp", float)])
_MAGIC = b"\x28\xb5\x2f\xfd"  # of files compressed with zstd
#: Lines `#scree` that stay true when bodies or contacts have been changed.
_LASTING = ("boundary", "boundaryMotion", "restLength", "cellFlips", "bonded", "interface", "restGaps", "edited")


def no_bodies(n):
    """Returns n bodies at rest in the origin, to be filled in and joined with np.concatenate."""
    bodies = np.zeros(n, BODY)
    bodies["homothety"] = bodies["Q"][:, 0] = 1
    return bodies


def no_contacts(n=0):
    return np.zeros(n, CONTACT)


class Conf:
    """A conf-file. `bodies` and `contacts` are structured arrays (BODY, CONTACT); conf["dt"] is a keyword.

    What Interfaces and other lines hold stays as text in `lines`. If bodies or contacts were changed, save() leaves out the lines
    `#scree` that let a run continue to the bit.
    """

    def __init__(self, path):
        self.path = str(path)
        self.lines = []  # None stands for the bodies, False for the contacts
        self.bodies, self.contacts = no_bodies(0), no_contacts()
        text = iter(enumerate(_read(path).split("\n"), 1))
        number, first = next(text)
        if first.split()[:1] != ["Rockable"]:
            raise ValueError(f"{path}:{number}: expected a conf-file, which begins with 'Rockable dd-mm-yyyy'")
        self.lines.append(first)
        for number, line in text:
            words = line.split()
            if not words:
                continue
            if "$" in line and words[0][0] not in "#!/":
                raise ValueError(f"{path}:{number}: a formula between dollar signs; packgen transform writes the file with numbers")
            if words[0] == "Particles":
                self.bodies = self._rows(text, number, words, BODY)
                self.lines.append(None)
            elif words[0] == "Interactions":
                self.contacts = self._rows(text, number, words, CONTACT)
                self.lines.append(False)
            else:
                self.lines.append(line)
        if None not in self.lines:
            raise ValueError(f"{path}: no keyword Particles")
        self._read = self.bodies.copy(), self.contacts.copy()

    def _rows(self, text, number, words, kind):
        rows = []
        if len(words) != 2 or not words[1].isdigit():
            raise ValueError(f"{self.path}:{number}: expected {words[0]} and a count")
        expected = int(words[1])
        left = expected
        while left > 0:
            number, line = next(text, (number, None))
            if line is None:
                raise ValueError(f"{self.path}: {words[0]}: {expected} announced, found {expected - left}")
            cells = line.split()
            if not cells or cells[0][0] in "#!":
                left -= bool(cells) and cells[0][0] == "!"
                continue
            if len(cells) != 23:
                raise ValueError(f"{self.path}:{number}: {words[0]}: expected 23 values in a line, found {len(cells)}")
            rows.append(cells)
            left -= 1
        array = np.zeros(len(rows), kind)
        column = 0
        for name in kind.names:
            width = int(np.prod(kind[name].shape, dtype=int))
            block = [row[column:column + width] for row in rows] if width > 1 else [row[column] for row in rows]
            if kind[name] == object:
                array[name] = block
            elif rows:
                array[name] = np.array(block).astype(kind[name].base)
            column += width
        return array

    def _find(self, key):
        words = [str(k) for k in (key if isinstance(key, tuple) else (key,))]
        swapped = [words[0], words[2], words[1]] if len(words) == 3 else words  # a pair of groups stands in either order
        for at in range(len(self.lines) - 1, -1, -1):  # of two lines the last one acts
            found = (self.lines[at] or "").split()
            if found[:len(words)] in (words, swapped):
                return at, found[:len(words)], found[len(words):]
        return None, words, None

    def __contains__(self, key):
        return self._find(key)[0] is not None

    def __getitem__(self, key):
        """Returns the value of a keyword: conf["dt"], conf["gravity"], conf["density", 1], conf["knContact", 0, 1]."""
        at, _, values = self._find(key)
        if at is None:
            raise KeyError(key)
        try:
            numbers = [float(v) for v in values]
        except ValueError:
            return " ".join(values)
        return numbers[0] if len(numbers) == 1 else np.array(numbers)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __setitem__(self, key, value):
        at, words, _ = self._find(key)
        line = " ".join(words) + " " + (value if isinstance(value, str) else _text(np.atleast_1d(value).tolist()))
        if at is None:
            self.lines.insert(self.lines.index(None), line)
        else:
            self.lines[at] = line

    def save(self, path):
        """Writes the file, compressed if its name ends in .zst. The shape-file stays where it is: see conf["shapeFile"]."""
        same = all(np.array_equal(now[f], read[f]) for now, read in zip((self.bodies, self.contacts), self._read)
                   for f in now.dtype.names)
        out, lines = [], list(self.lines)
        if False not in lines and len(self.contacts):
            lines.insert(lines.index(None) + 1, False)
        for line in lines:
            if line is None:
                out += [f"Particles {len(self.bodies)}", *_table(self.bodies)]
            elif line is False:
                out += [f"Interactions {len(self.contacts)}", *_table(self.contacts)]
            elif same or not line.startswith("#scree") or line.split()[1] in _LASTING:
                out.append(line)
        _write(path, "\n".join(out) + "\n")


class Shape:
    """A sphero-polyhedron: `vertices` (n, 3), `edges` (m, 2), `faces`, a list of arrays, all other keywords in `values`."""

    def __init__(self, name, vertices, edges=(), faces=(), **values):
        self.name = name
        self.vertices = np.array(vertices, float).reshape(-1, 3)
        self.edges = np.array(edges, int).reshape(-1, 2)
        self.faces = [np.array(face, int) for face in faces]
        self.values = values  # radius, preCompDone, volume, I/m, obb.extent, position, ... as in the file

    def save(self, lines):
        lines += ["<", "name " + self.name]
        for key, value in self.values.items():
            lines.append(f"{key} {value if isinstance(value, str) else _text(np.atleast_1d(value).tolist())}".rstrip())
        lines.append(f"nv {len(self.vertices)}")
        lines += map(_text, self.vertices.tolist())
        lines.append(f"ne {len(self.edges)}")
        lines += map(_text, self.edges.tolist())
        lines.append(f"nf {len(self.faces)}")
        lines += [f"{len(face)} {_text(face.tolist())}" for face in self.faces]
        lines.append(">")


def shapes(path):
    """Returns the shapes of a shape-file by name, in the order of the file."""
    words = []
    for line in _read(path).split("\n"):
        for word in line.split():
            if word[0] in "#!/":
                break
            words.append(word)
    found, inside, at = {}, None, 0

    def take(n, kind):
        nonlocal at
        at += n
        return np.array(words[at - n:at], kind)

    while at < len(words):
        word = words[at]
        at += 1
        if word == "<":
            inside = {"values": {}, "name": None, "vertices": ()}
        elif word == ">" and inside is not None:
            values = inside.pop("values")
            found[inside["name"]] = Shape(**inside, **values)
            inside = None
        elif inside is None:
            continue
        elif word == "name":
            inside["name"] = words[at]
            at += 1
        elif word == "nv":
            inside["vertices"] = take(3 * int(take(1, int)[0]), float)
        elif word == "ne":
            inside["edges"] = take(2 * int(take(1, int)[0]), int)
        elif word == "nf":
            inside["faces"] = [take(int(take(1, int)[0]), int) for _ in range(int(take(1, int)[0]))]
        else:
            begin = at
            while at < len(words) and _is_number(words[at]):
                at += 1
            numbers = np.array(words[begin:at], float)
            if word == "preCompDone":
                inside["values"][word] = words[at]
                at += 1
            else:
                inside["values"][word] = numbers[0] if len(numbers) == 1 else numbers
    return found


def save_shapes(library, path):
    """Writes shapes, given as a list or as the result of shapes(). One whose vertices were changed needs shapeSurvey compute."""
    lines = []
    for shape in library.values() if isinstance(library, dict) else library:
        shape.save(lines)
    _write(path, "\n".join(lines) + "\n")


def table(path):
    """Returns the columns of a table (csv, tsv, txt, json, jsonl) by name, as arrays of numbers or of text."""
    text = _read(path)
    if text.lstrip()[:1] == "{":
        try:
            whole = json.loads(text)
            names, rows = whole["columns"], whole["rows"]
        except (json.JSONDecodeError, KeyError):
            records = [json.loads(line) for line in text.splitlines() if line.strip()]
            names = list(records[0]) if records else []
            rows = [[record[name] for name in names] for record in records]
    else:
        lines = [line for line in text.splitlines() if line.strip()]
        comments = [line for line in lines if line[0] == "#"]
        lines = [line for line in lines if line[0] != "#"]
        head = lines[0] if lines else ""
        mark = "\t" if "\t" in head else "," if "," in head else None
        rows = [[cell.strip() for cell in line.split(mark)] for line in lines]
        if rows and not any(map(_is_number, rows[0])):
            names, rows = rows[0], rows[1:]
        else:
            names = comments[-1].lstrip("# ").split() if comments else []
            if rows and len(names) != len(rows[0]):
                names = [f"c{k}" for k in range(len(rows[0]))]
    columns = {}
    for k, name in enumerate(names):
        cells = [np.nan if row[k] in (None, "") else row[k] for row in rows]
        try:
            columns[name] = np.array(cells, float)
        except (TypeError, ValueError):
            columns[name] = np.array(cells, object)
    return columns


def frame(path):
    """Returns a table as a DataFrame of pandas, which must be installed."""
    import pandas
    return pandas.DataFrame(table(path))


def _is_number(word):
    try:
        float(word)
        return True
    except ValueError:
        return False


def _text(values):
    """Shortest text that reads back to the same numbers."""
    return " ".join(repr(v)[:-2] if isinstance(v, float) and repr(v).endswith(".0") else str(v) for v in values)


def _table(array):
    columns = [array[name].reshape(len(array), max(1, array[name][:1].size)).tolist() for name in array.dtype.names]
    return [_text([value for cells in row for value in cells]) for row in zip(*columns)]


def _read(path):
    with open(path, "rb") as file:
        data = file.read()
    return (_zstd(data, False) if data[:4] == _MAGIC else data).decode()


def _write(path, text):
    data = text.encode()
    if str(path).endswith(".zst"):
        data = _zstd(data, True)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)  # readers see the old file or the whole new one


def _zstd(data, compress):
    try:
        import zstandard
        return zstandard.ZstdCompressor().compress(data) if compress else zstandard.ZstdDecompressor().decompressobj().decompress(data)
    except ImportError:
        pass
    try:
        return subprocess.run(["zstd", "-qc" if compress else "-dqc"], input=data, stdout=subprocess.PIPE, check=True).stdout
    except FileNotFoundError:
        raise RuntimeError("compressed files need the module zstandard (Debian: python3-zstandard) or the program zstd") from None
