// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree::sim {

/// Restitution coefficient e of a head-on collision with a linear spring and a dashpot that cannot
/// pull, for the nominal √en2: the collision ends where the force would turn, so e is larger than
/// √en2 (0.253 for en2 = 0.01), and even critical damping (en2 <= 0) leaves exp(-2) = 0.135. In the
/// limit of dt -> 0 and without other forces.
/// Source: T. Schwager & T. Pöschel, Granular Matter 9, 465-469, 2007.
double springDashpotRestitution(double en2);

}  // namespace scree::sim
