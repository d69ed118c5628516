# SPDX-License-Identifier: GPL-3.0-or-later
"""Run by YADE: reads a pack that `clumpify convert --to yade` wrote and prints what YADE makes of its clump.
The snippet beside the pack is run as it stands."""
import os

exec(open(os.environ["CLUMP_SNIPPET"]).read())
for body in O.bodies:
    if body.isClump:
        numbers = [body.state.mass, *body.state.pos, *sorted(body.state.inertia)]
        print("CLUMP", *(repr(float(x)) for x in numbers))
