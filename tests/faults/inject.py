#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the n-th call to the system fail in a short job of each tool, for each n, and checks what is left.

    inject.py BUILD [--tool NAME] [--jobs N]

Expected each time: exit code 0 or 4; with 4 one line on stderr; with 0 the results of a job without a fault. Files
that stood there before hold their old or their new content, each new file is whole, and no temporary file stays.
Tables that grow line by line end with a whole line. conf2vtk and extract name each file of a series that they cannot
read and go on with the others: so their lists and tables may be shorter then, and have a line on stderr for each such file.
What conf2vtk leaves then may also be what a call that names the other files alone writes: a body that stands still is drawn
once, in a piece named after the first file that could be read.
Prints a row "TOOL CALL HOW | ok or FAILED | figure" each.
"""
import argparse, concurrent.futures, os, shutil, subprocess, sys, tempfile

GROWING = {"kineticEnergy.txt", "staticBalance.txt", "energy.txt", "perf.txt", "ball.txt"}
TIMED = {"run.json", "perf.txt"}  # hold times on the wall
FAULTS = [("open", "EIO"), ("open", "EINTR"), ("read", "EIO"), ("read", "EINTR"), ("write", "ENOSPC"), ("write", "ENOSPC+"), ("write", "EINTR"),
          ("write", "SHORT"), ("fsync", "EIO"), ("fsync", "EINTR"), ("rename", "EIO"), ("close", "EIO"), ("close", "EINTR")]

LATTICE = "packgen lattice --shape ball.shp --cells 1 1 1 --walls 0 --dt 1e-4 --duration 0.02 --interconf 0.005 --gravity 0 {} 0 -q -o {}.conf"
PREPARE = ["shapeSurvey make sphere --size 0.2 --name Ball -q -o ball.shp", "shapeSurvey make boulder --faces 12 --seed 2 -q -o rock.shp",
           LATTICE.format(-10, "case"), LATTICE.format(-5, "before"), "rockable case.conf -o whole -q -j 1"]
JOBS = {  # what runs, with what stands there before
    "rockable": ("rockable case.conf -o out -q -j 1 --force --checkpoint 1e-9", "rockable before.conf -o out -q -j 1"),
    "extract": ("extract TrackBody --body 6 whole -o table.csv -q -j 1 --force", "extract MeanVelocity whole -o table.csv -q"),
    "extract --plot": ("extract TrackBody --body 6 whole -o table.csv --plot curve.svg -q -j 1 --force", "extract TrackBody --body 6 whole/conf1 -o table.csv --plot curve.svg -q"),
    "packgen": ("packgen lattice --shape ball.shp --cells 2 2 2 -q -o pack/conf0 --force", "packgen lattice --shape ball.shp --cells 1 2 2 -q -o pack/conf0"),
    "shapeSurvey": ("shapeSurvey compute rock.shp -o solid.shp -q -j 1 --force", "shapeSurvey make boulder --faces 8 --seed 3 -q -o solid.shp"),
    "clumpify": ("clumpify convert clump.txt --to shapepack -o clump.pack -q --force", "clumpify convert one.txt --to shapepack -o clump.pack -q"),
    "conf2vtk": ("conf2vtk whole/conf1 whole/conf2 -o vtk -q -j 1", "mkdir -p vtk"),
}
WITHOUT_ONE = {"conf2vtk": ("conf2vtk whole/conf1 -o vtk -q -j 1", "conf2vtk whole/conf2 -o vtk -q -j 1"),
               "extract --plot": ["extract TrackBody --body 6 " + " ".join(f"whole/conf{k}" for k in range(5) if k != left) +
                                  " -o table.csv --plot curve.svg -q -j 1 --force" for left in range(5)]}


def files(folder):
    found = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as f:
                content = f.read()
            if name.endswith(".gp"):  # begins with the command, which names other files where one is left out
                content = content[content.find(b"\n") + 1:]
            found[os.path.relpath(path, folder)] = content
    return found


def run(command, folder, build, fault=None, counts=None):
    environment = dict(os.environ, PATH=build + "/bin:" + os.environ["PATH"], LC_ALL="C")
    words = command.split()
    if fault:
        environment.update(LD_PRELOAD=build + "/tests/bin/scree_faults.so", SCREE_FAULT=fault)
        if counts:
            environment["SCREE_FAULT_COUNT"] = counts
    try:
        done = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return "no end", b"", ""


class Job:
    def __init__(self, tool, root, build):
        self.tool, self.build = tool, build
        self.series = tool.split()[0] in ("conf2vtk", "extract")
        self.start = os.path.join(root, tool)
        os.mkdir(self.start)
        write = lambda name, text: open(os.path.join(self.start, name), "w").write(text)
        write("clump.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n"), write("one.txt", "0 Sphere 0 0 0 1\n")
        for command in PREPARE:
            self.expect(command)
        write("dataExtractors.txt", "TrackBody 6 ball.txt 20\n")
        self.command, before = JOBS[tool]
        self.expect(before)
        self.old = files(self.start)
        self.reference = os.path.join(root, tool + "-reference")
        shutil.copytree(self.start, self.reference)
        code, self.printed, errors = run(self.command, self.reference, build)
        assert code == 0, self.command + ": " + errors
        self.new = files(self.reference)
        self.fewer = []  # results without one of the files of a series
        for k, command in enumerate(WITHOUT_ONE.get(tool, ())):
            folder = os.path.join(root, f"{tool}-without-{k}")
            shutil.copytree(self.start, folder)
            code, _, errors = run(command, folder, build)
            assert code == 0, command + ": " + errors
            self.fewer.append(files(folder))

    def expect(self, command):
        code, _, errors = run(command, self.start, self.build)
        assert code == 0, command + ": " + errors

    def whole(self, name, content, code):
        """What is wrong with a file that a job with a fault has left, or ''."""
        if ".tmp-" in name:
            return "a temporary file stays"
        base = os.path.basename(name)
        if base in TIMED and content:
            return "" if content.endswith(b"\n") else "is cut short"
        if name in self.new and content == self.new[name]:
            return ""
        if code == 0:
            return "is not as without a fault"
        if any(content == results.get(name) for results in [self.old] + self.fewer):
            return ""
        if base in GROWING and name in self.new:
            return "" if self.new[name].startswith(content) and (not content or content.endswith(b"\n")) else "is cut within a line"
        if self.series and name in self.new and name.endswith((".pvd", ".vtp", ".csv")):
            known = set(self.new[name].splitlines()) | set(self.old.get(name, b"").splitlines())
            lines = content.splitlines()
            return "" if content.endswith(b"\n") and known.issuperset(lines) else "has other lines"
        if base in ("restart.conf", "run.json"):
            return "" if content.endswith(b"\n") else "is cut short"
        return "is neither the old nor the new file"

    def check(self, call, n, how):
        with tempfile.TemporaryDirectory() as scratch:
            folder = os.path.join(scratch, "job")
            shutil.copytree(self.start, folder)
            code, printed, errors = run(self.command, folder, self.build, f"{call}:{n}:{how}")
            problems = []
            if code not in (0, 4):
                problems.append(f"ends with {code}")
            lines = errors.count("\n")
            if code == 4 and lines != 1 and not (self.series and how.endswith("+") and lines > 0):
                problems.append(f"{lines} lines on stderr")
            left = files(folder)
            for name, content in left.items():
                if problem := self.whole(name, content, code):
                    problems.append(f"{name} {problem}")
            if code == 0:
                problems += [f"{name} is not there" for name in self.new if name not in left]
                if printed != self.printed:
                    problems.append("prints something else")
            return code, [f"{call}:{n}:{how}: {p} ({errors.strip()[-200:]})" for p in problems]

    def count(self, call):
        with tempfile.TemporaryDirectory() as scratch:
            folder, counts = os.path.join(scratch, "job"), os.path.join(scratch, "count")
            shutil.copytree(self.start, folder)
            code, _, errors = run(self.command, folder, self.build, f"{call}:0:EIO", counts)
            assert code == 0, errors
            return int(open(counts).read())


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("build"), arguments.add_argument("--tool", action="append"), arguments.add_argument("--call")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    options = arguments.parse_args()
    build, failed = os.path.abspath(options.build), False
    with tempfile.TemporaryDirectory() as root, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for tool in options.tool or JOBS:
            job = Job(tool, root, build)
            for call, how in FAULTS:
                if options.call and call != options.call:
                    continue
                count = job.count(call)
                results = list(pool.map(lambda n: job.check(call, n, how), range(1, count + 1)))
                problems = [p for _, found in results for p in found]
                for problem in problems[:40]:
                    print("  " + problem, file=sys.stderr)
                failed |= bool(problems)
                ended = [code for code, _ in results]
                print(f"{tool}: {call} {how} | {'FAILED' if problems else 'ok'} | {count} calls, "
                      f"{ended.count(4)} ended with 4, {ended.count(0)} with 0" + (f", {len(problems)} problems" if problems else ""), flush=True)
    sys.exit(failed)


main()
