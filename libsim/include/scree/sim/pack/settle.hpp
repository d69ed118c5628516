// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/check/rest.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/run_input.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// At rest under a pressure without gravity: loose bodies keep flying, so that energy is allowed.
inline RestRule restUnderPressure() { return {1e-3, 0.05, -1.0}; }

/// When a packing that settles, or is pressed, is done.
struct SettleOptions {
  double longest = 1.0;          ///< [T] at most
  std::optional<RestRule> rest;  ///< done, too, once it is at rest and its drives in balance
  /// [F L] The kinetic energy is compared with this where contacts hold less elastic energy. Stiff
  /// contacts hold hardly any, and without this no packing would count as being at rest.
  double leastElastic = 0.0;
  Progress progress;  ///< time over `longest`
};

struct Settled {
  RestRatios ratios;       ///< at the end
  double imbalance = 0.0;  ///< [-] of the drives: largest resultant over an imposed force or stress
  bool atRest = false;
  double time = 0.0;  ///< [T] simulated
  std::uint64_t steps = 0;
  /// Critical step of the contacts, where the time step was above 0.8 of it, which ended the run.
  std::optional<CriticalStep> tooLong;
};

/// Runs the simulation until it is done. The same bits on any number of threads.
/// @param drives  those of the simulation
Settled settle(Simulation& simulation, const Drives& drives, const SettleOptions& options);

/// The state as the beginning of a run: time and steps count from 0, contacts keep their history,
/// accelerations stand in the file. The first step of a run is to the bit the next one here.
Conf asBeginning(const Simulation& simulation);

/// Multiplies all stiffnesses of contacts, or Young's moduli, by one factor f, viscosities by √f,
/// and the time step by 1/√f, rounded down to two digits, so that loads cause overlaps of at most
/// the share `overlap` of a size. Parameters of bonds stay.
/// @param pressure  [F/L²] that walls or cell will press by; weight counts as it stands
/// @returns what was changed and why; empty: nothing
std::string stiffen(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                    double overlap);
/// The same, so that an overlap `found` becomes `overlap` [-] under the same force F. For linear
/// laws δ ~ F/k, for HertzMindlin δ ~ (F/E)^(2/3). @returns f
double stiffenFor(Conf& conf, double found, double overlap);

/// Options of a packing that its drives, or a pressure of its walls or its cell, bring to rest.
struct PressOptions {
  std::string name;                 ///< of the packing, for messages
  double pressure = 0.0;            ///< [F/L²]
  std::optional<PressedAxes> axes;  ///< pressed by `pressure`; empty: the drives of the input act
  std::optional<Vec3> gravity;      ///< empty: that of the packing, or 0 under a pressure
  std::optional<RestRule> rest;     ///< empty: ends after the longest time, at rest or not
  std::optional<double> until;      ///< [T] longest time; empty: chosen
  double overlap = 0.005;           ///< [-] allowed; contacts are stiffened for it
  bool keepStiffness = false;
  std::optional<DrivePlan> drive;               ///< of a run of the result
  std::optional<double> duration, interConf;    ///< [T] of a run of the result
  std::map<std::string, PairSetting> contacts;  ///< of a run of the result, see changeContacts()
  int threads = 1;
  Progress progress;
  std::function<void(const std::string&)> note;  ///< called with each choice
};
struct PressedPacking {
  Conf conf;  ///< as asBeginning() gives it
  std::vector<shape::Shape> shapes;
  DriveFiles drive;  ///< as heldBy() gives it
  Settled settled;
  Overlaps overlaps;
  Vec3 stress = Vec3::Zero();  ///< [F/L²] inside, along x, y and z, compression positive
  double solidFraction = 0.0;
};
/// Drives of the result: those of `options.drive`, or the lines of its pressure. Empty texts where
/// the drives of the input stay. @throws ModelError where the scene cannot be driven so
DriveFiles heldBy(const PressOptions& options, Conf conf, std::span<const shape::Shape> shapes);
/// Refuses a periodic cell that would become narrower than twice its largest body, at a solid
/// fraction of 0.64 and after the strain of a triaxial drive.
/// @param solid  [L³] volume of the bodies
/// @param largest  [L] size of the largest
/// @throws ModelError
void requireRoomToPress(const PressOptions& options, const PeriodicCell& cell, double solid,
                        double largest);
/// Runs a packing until it is done. If few contacts carry the load, and the deepest overlaps by
/// more than twice what is allowed, it is repeated with contacts that much stiffer, four times at
/// most. Warns of overlaps above 1 %, and of a stress that is off the pressure by more than 1 %
/// and the weight.
/// @throws ModelError where it does not come to rest
PressedPacking pressedPacking(RunInput input, const PressOptions& options,
                              Diagnostics& diagnostics);

}  // namespace scree::sim
