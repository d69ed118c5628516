#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Watches a long run of rockable, and checks that it ends as it began.

    long_run.py BUILD CONF OUTPUT [--steady T] [--rows NAME]

Prints a row "WHAT | ok or FAILED | figure" for each promise: memory stays flat, the budget of energy closes, the files are
as many and as large as `rockable --check` predicts, and a step at the end takes as long as one at the start.

Processor time and memory in use are read each time a new conf-file appears. Steps compare only where the bodies do the
same at both ends: from the time T (--steady) on, when they have come to rest. The first fifth of the conf-files after T
is compared with the last.

How long a step takes depends on what else the machine does. So the run is held again and again, for a short run that
starts from the state at T: the same work each time. A window of the long run counts in units of the short run before it.
"""
import argparse
import glob
import json
import math
import os
import resource
import signal
import statistics
import subprocess
import sys
import time

MOST_SLOWER = 0.05  # of processor time a step
REFERENCE_SECONDS = 0.1
MOST_GROWTH = 0.02  # of memory in use
PAGE = os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build"), parser.add_argument("conf"), parser.add_argument("output")
    parser.add_argument("--steady", type=float, default=0.0), parser.add_argument("--rows", default="run")
    options = parser.parse_args()
    rockable = os.path.join(options.build, "bin", "rockable")
    check = json.loads(subprocess.run([rockable, options.conf, "--check", "--json", "-j", "1"], check=True, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL, text=True).stdout)
    command = [rockable, options.conf, "-o", options.output, "-q", "-j", "1", "--force"]
    begin = time.monotonic()
    interval = value_of(options.conf, "interConf")
    marks = numbers_of_marks(math.ceil(options.steady / interval), check["confFiles"])
    reference = Reference(rockable, options.output + "-reference")
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    looks, windows = watch(process, options.output, marks, reference, interval / value_of(options.conf, "dt"))
    failed = process.wait() != 0
    report = json.load(open(os.path.join(options.output, "run.json")))

    def row(what, good, figure):
        nonlocal failed
        failed |= not good
        print(f"{options.rows}: {what} | {'ok' if good else 'FAILED'} | {figure}", flush=True)

    steps = report["steps"]
    row("end", report["status"] == "tmax" and not failed, f"{steps} steps in {time.monotonic() - begin:.0f} s, {report['status']}")
    first, last = ([ratio for end, ratio in windows if end == which] for which in (0, 1))
    if min(len(first), len(last)) < 5:
        sys.exit(f"long_run.py: {len(first)} and {len(last)} windows: the run is too short to compare its ends")
    slower = statistics.median(last) / statistics.median(first) - 1
    row("time of a step", slower <= MOST_SLOWER,
        f"{100 * slower:+.1f} % at the end, in steps of a short run beside it; medians of {len(last)} and {len(first)} windows; "
        f"a step of the short run took {1e6 * min(reference.times):.2f} to {1e6 * max(reference.times):.2f} us of processor time")
    early = max(look.memory for look in looks[len(looks) // 10:len(looks) // 5])
    late = max(look.memory for look in looks[-len(looks) // 10:])
    row("memory", late <= (1 + MOST_GROWTH) * early, f"{late / 1e6:.2f} MB at the end, {early / 1e6:.2f} MB after a tenth")
    quality = report["quality"]
    row("budget of energy", quality["energyResidual"] is not None and quality["energyResidual"] <= quality["bounds"]["energyResidual"],
        f"residual {100 * (quality['energyResidual'] or 0):.2g} % of what was exchanged, bound {100 * quality['bounds']['energyResidual']:.2g} %")
    files = [path for path in glob.glob(os.path.join(options.output, "conf*")) if os.path.basename(path)[4:].isdigit()]
    row("conf-files", len(files) in (check["confFiles"], check["confFiles"] + 1), f"{len(files)} files, {check['confFiles']} predicted")
    sys.exit(failed)


class Reference:
    """A short run from the state at T: how long a step takes on this machine at this moment."""

    def __init__(self, rockable, folder):
        self.rockable, self.folder, self.state, self.times = rockable, folder, None, []

    def measure(self, state, step):
        """[s] of processor time a step. The first call sets the state, and how many steps of some `step` seconds to run."""
        if self.state is None:
            self.state, self.steps = state, max(1, round(REFERENCE_SECONDS / step))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.rockable, self.state, "-o", self.folder, "-q", "-j", "1", "--force", "--steps", str(self.steps)],
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.times.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / self.steps)
        return self.times[-1]


class Look:
    """What was seen once a conf-file was written: its number, processor time [s] and memory [bytes] so far."""

    def __init__(self, number, seconds, memory):
        self.number, self.seconds, self.memory = number, seconds, memory


def watch(process, folder, marks, reference, steps_a_file):
    """The looks, one for each conf-file, and [(end, steps of the run in steps of the reference)] between marks.

    marks: for each end of the run the numbers of conf-files at which the reference runs, while the process waits.
    """
    looks, windows, seen, before = [], [], -1, None
    left = [(mark, end) for end, numbers in enumerate(marks) for mark in numbers]
    path = os.path.join(folder, "conf%d")
    while process.poll() is None:
        time.sleep(0.002)
        count = seen
        while os.path.exists(path % (count + 1)):
            count += 1
        if count == seen:
            continue
        seen = count
        due = left and count >= left[0][0]
        if due:
            process.send_signal(signal.SIGSTOP)
        try:
            seconds = 1e-9 * int(open(f"/proc/{process.pid}/schedstat").read().split()[0])
            memory = int(open(f"/proc/{process.pid}/statm").read().split()[1]) * PAGE
        except (FileNotFoundError, ProcessLookupError, IndexError):
            break
        looks.append(Look(count, seconds, memory))
        if not due:
            continue
        end = left[0][1]
        while left and count >= left[0][0]:
            left.pop(0)
        fast = reference.measure(path % count, seconds / (count * steps_a_file) if count else 1e-4)
        process.send_signal(signal.SIGCONT)
        if before is not None and before[0] == end:
            step = (seconds - before[1].seconds) / ((count - before[1].number) * steps_a_file)
            windows.append((end, step / (0.5 * (fast + before[2]))))  # the machine may change its speed in between
        before = (end, looks[-1], fast)
    return looks, windows


def numbers_of_marks(steady, files):
    """Up to 60 numbers in the first fifth of the conf-files from `steady` on, and in the last."""
    fifth = (files - steady) // 5
    return [sorted({first + round(k * fifth / 60) for k in range(61)}) for first in (steady, files - fifth)]


def value_of(conf, keyword):
    """The number that stands behind a keyword of a conf-file."""
    return float(next(line.split()[1] for line in open(conf) if line.split()[:1] == [keyword]))


main()
