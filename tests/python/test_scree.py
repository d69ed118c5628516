# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares scree.py with the readers and writers of the programs, which are on the PATH."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(top, "python"))
import scree


def run(*command, code=0):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == code, (command, done.returncode, done.stderr)
    return done.stdout


def written(path):
    """The bytes that the C++ writer makes of a conf-file."""
    return run("packgen", "transform", path, "-q", "-o", "-")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.chdir(self.folder.name)
        for name in ("heap", "drum", "triaxial", "beam", "periodic-shear"):
            run("cp", "-r", f"{top}/data/{name}", ".")

    def test_what_is_saved_reads_back_to_the_same_bytes(self):
        for name in ("heap", "drum", "triaxial", "beam", "periodic-shear"):
            run("rockable", f"{name}/conf0", "-o", name + "-run", "--steps", "40", "-q")
            for path in (name + "/conf0", name + "-run/restart.conf"):
                copy = os.path.join(os.path.dirname(path), "copy.conf.zst")
                scree.Conf(path).save(copy)
                with open(copy, "rb") as file:
                    self.assertEqual(file.read(4), b"\x28\xb5\x2f\xfd")
                self.assertEqual(written(copy), written(path), path)

    def test_arrays_are_what_extract_prints(self):
        run("rockable", "heap/conf0", "-o", "run", "--until", "0.2", "-q")
        conf = scree.Conf("run/conf2")
        for form in ("csv", "tsv", "txt", "json", "jsonl"):
            run("extract", "bodies", "run/conf2", "--driven", "-q", "-o", "bodies." + form)
            bodies = scree.table("bodies." + form)
            for axis, name in enumerate("xyz"):
                np.testing.assert_array_equal(bodies[name], conf.bodies["pos"][:, axis])
            np.testing.assert_array_equal(bodies["qw"], conf.bodies["Q"][:, 0])
            self.assertEqual(list(bodies["shape"]), list(conf.bodies["name"]))
        run("extract", "contacts", "run/conf2", "-q", "-o", "contacts.csv")
        contacts = scree.table("contacts.csv")
        touching = conf.contacts[conf.contacts["dn"] < 0]
        np.testing.assert_array_equal(np.sort(contacts["fn"]), np.sort(touching["fn"]))
        energy = scree.table("run/energy.txt")
        self.assertEqual(len(energy["t"]), 2)
        self.assertGreater(energy["translation"][1], 0)

    def test_changed_bodies_run(self):
        run("rockable", "heap/conf0", "-o", "run", "--until", "0.2", "-q")
        conf = scree.Conf("run/conf2")
        self.assertEqual(conf["dt"], 1e-4)
        self.assertEqual(conf["muContact", 1, 0], 0.6)
        self.assertNotIn("VelocityBarrier2", conf)
        conf.bodies["vel"] = 0
        conf["muContact", 1, 0] = 0.25
        conf["tmax"] = 0.3
        more = scree.no_bodies(2)
        more["name"], more["group"], more["pos"] = "dodecahedron", 1, [[0, 9, 0], [3, 9, 0]]
        conf.bodies = np.concatenate([conf.bodies, more])
        conf.save("run/changed.conf")
        report = json.loads(run("rockable", "run/changed.conf", "--check", "--strict", "--json"))
        self.assertEqual(report["bodies"], len(conf.bodies))
        text = written("run/changed.conf")
        self.assertIn("\nmuContact 0 1 0.25\n", text)
        self.assertNotIn("#scree clock", text)
        self.assertIn("#scree clock", written("run/conf2"))

    def test_shapes_there_and_back(self):
        run("shapeSurvey", "make", "boulder", "--seed", "3", "-q", "-o", "raw.shp")
        for path in ("raw.shp", *(f"{top}/data/shapes/{n}.shp" for n in ("rods", "drum", "boulder", "brick"))):
            library = scree.shapes(path)
            scree.save_shapes(library, "copy.shp")
            with open(path) as a, open("copy.shp") as b:
                self.assertEqual(re.sub("#.*", "", a.read()).split(), b.read().split())
        shape = scree.Shape("tetra", [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
                            [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], radius=0.0)
        scree.save_shapes([shape], "tetra.shp")
        self.assertAlmostEqual(json.loads(run("shapeSurvey", "info", "tetra.shp", "--json"))["shapes"][0]["volume"], 1 / 6, 15)

    def test_bad_files_are_named(self):
        with open("short.conf", "w") as file:
            file.write("Rockable 21-08-2022\nshapeFile a.shp\nParticles 2\nA 0 0 1 0 0 0\n")
        with self.assertRaisesRegex(ValueError, "short.conf:4: Particles: expected 23 values"):
            scree.Conf("short.conf")

    def test_version(self):
        with open(os.path.join(top, "CMakeLists.txt")) as file:
            self.assertEqual(scree.__version__, re.search(r"VERSION (\d+\.\d+\.\d+) ", file.read())[1])


if __name__ == "__main__":
    unittest.main()
