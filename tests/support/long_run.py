#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Watches a long run of rockable, and checks that it ends as it began.

    long_run.py BUILD CONF OUTPUT [--steady T] [--rows NAME]

Prints a row "WHAT | ok or FAILED | figure" for each promise: memory stays flat, the budget of energy closes, the files are
as many and as large as `rockable --check` predicts, and a step at the end takes as long as one at the start.

Processor time (user time alone) and memory in use are read each time a new conf-file appears. Steps compare only where
the bodies do the same at both ends: from the time T (--steady) on, when they have come to rest. The first fifth of the
conf-files after T is compared with the last, by medians.
"""
import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import time

MOST_SLOWER = 0.05  # of user time a step
MOST_GROWTH = 0.02  # of memory in use
TICK = os.sysconf("SC_CLK_TCK")
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
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    looks = watch(process, options.output)
    failed = process.wait() != 0
    report = json.load(open(os.path.join(options.output, "run.json")))

    def row(what, good, figure):
        nonlocal failed
        failed |= not good
        print(f"{options.rows}: {what} | {'ok' if good else 'FAILED'} | {figure}", flush=True)

    steps = report["steps"]
    row("end", report["end"] == "tmax" and not failed, f"{steps} steps in {time.monotonic() - begin:.0f} s, {report['end']}")
    first_time, last_time, between = speeds(looks, report, options)
    row("time of a step", last_time <= (1 + MOST_SLOWER) * first_time,
        f"{last_time:.3f} us of user time at the end, {first_time:.3f} at the start: {100 * (last_time / first_time - 1):+.1f} %, "
        f"quartiles of {between[3]} windows {between[0]:.3f} and {between[2]:.3f}")
    early = max(memory for _, _, memory in looks[len(looks) // 10:len(looks) // 5])
    late = max(memory for _, _, memory in looks[-len(looks) // 10:])
    row("memory", late <= (1 + MOST_GROWTH) * early, f"{late / 1e6:.2f} MB at the end, {early / 1e6:.2f} MB after a tenth")
    quality = report["quality"]
    row("budget of energy", quality["energyResidual"] is not None and quality["energyResidual"] <= quality["bounds"]["energyResidual"],
        f"residual {100 * (quality['energyResidual'] or 0):.2g} % of what was exchanged, bound {100 * quality['bounds']['energyResidual']:.2g} %")
    files = [path for path in glob.glob(os.path.join(options.output, "conf*")) if os.path.basename(path)[4:].isdigit()]
    sizes = sorted(os.path.getsize(path) for path in files)
    last = max(files, key=lambda path: int(os.path.basename(path)[4:]))
    # What a file holds grows with the contacts; the state at the end predicts its own file.
    predicted = predicted_bytes(rockable, last)
    row("conf-files", len(files) in (check["confFiles"], check["confFiles"] + 1) and abs(os.path.getsize(last) - predicted) <= 0.01 * predicted,
        f"{len(files)} files, {check['confFiles']} predicted; the last has {os.path.getsize(last)} bytes, {predicted} predicted; "
        f"{sizes[0]} to {sizes[-1]} bytes")
    sys.exit(failed)


def watch(process, folder):
    """(conf-files there, user time in ticks, memory in bytes) each time a conf-file was written."""
    looks, seen = [], -1
    path = os.path.join(folder, "conf%d")
    while process.poll() is None:
        time.sleep(0.002)
        count = seen
        while os.path.exists(path % (count + 1)):
            count += 1
        if count == seen:
            continue
        seen = count
        try:
            fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
            memory = int(open(f"/proc/{process.pid}/statm").read().split()[1]) * PAGE
        except (FileNotFoundError, ProcessLookupError, IndexError):
            break
        looks.append((count, int(fields[11]), memory))
    return looks


def speeds(looks, report, options):
    """[us] of user time a step: at the start, at the end, and quartiles of all windows."""
    steps_a_file = report["interConf"] / (report["time"] / report["steps"])
    steady = [look for look in looks if look[0] * report["interConf"] >= options.steady]
    # A tick is 10 ms: windows of half a second have it to 2 %.
    windows, before = [], steady[0]
    for look in steady[1:]:
        ticks = look[1] - before[1]
        if ticks >= TICK / 2:
            windows.append(1e6 * ticks / TICK / ((look[0] - before[0]) * steps_a_file))
            before = look
    if len(windows) < 5:
        sys.exit(f"long_run.py: {len(windows)} windows of half a second: the run is too short to compare its ends")
    fifth = len(windows) // 5
    return statistics.median(windows[:fifth]), statistics.median(windows[-fifth:]), statistics.quantiles(windows, n=4) + [len(windows)]


def predicted_bytes(rockable, conf):
    text = subprocess.run([rockable, conf, "--check", "--json", "-j", "1"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    return json.loads(text)["confFileBytes"]


main()
