// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/conf_records.hpp"
#include "scree/sim/model/contact_key.hpp"
#include "scree/sim/model/energy.hpp"
#include "scree/sim/model/surroundings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

struct PairValue {
  std::uint32_t group1 = 0, group2 = 0;  ///< group1 <= group2
  double value = 0.0;
};
using PairValues = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;  ///< lower first
using GroupValues = std::map<std::uint32_t, double>;

/// One line of the Particles block. Units follow the file (SI as a rule); vectors are global.
struct ParticleRecord {
  std::uint32_t shapeName = 0;  ///< index into Conf::shapeNames
  std::uint32_t group = 0;      ///< row and column of the parameter tables
  std::int32_t cluster = 0;     ///< number of the group of bonded particles
  double homothety = 1.0;       ///< scale of the shape, > 0
  Vec3 pos = Vec3::Zero();      ///< [L] centre of mass
  Vec3 vel = Vec3::Zero();      ///< [L/T]
  Vec3 acc = Vec3::Zero();      ///< [L/T²]
  Quat q = Quat::Identity();    ///< body frame -> global frame; unit
  Vec3 vrot = Vec3::Zero();     ///< [1/T] angular velocity
  Vec3 arot = Vec3::Zero();     ///< [1/T²] angular acceleration
};

/// One line of the Interactions block.
struct InteractionRecord {
  ContactKey key;
  Vec3 n = Vec3::Zero();    ///< unit normal, from j to i
  double dn = 0.0;          ///< [L] gap, negative = overlap
  Vec3 pos = Vec3::Zero();  ///< [L] contact point, global
  Vec3 vel = Vec3::Zero();  ///< [L/T] of j relative to i at the point
  double fn = 0.0;          ///< [F] on i along n
  Vec3 ft = Vec3::Zero();   ///< [F] on i, across n
  Vec3 mom = Vec3::Zero();  ///< [F L] on i
  double damp = 0.0;        ///< [M/T] normal viscosity

  /// Exchanges i and j of a contact of two vertices or two edges if i > j: files have the lower
  /// body first. Other contacts stay as they are: in them, i is the body that has the vertex.
  void putLowerFirst();
};

/// A line that is kept, and written again, as it stands.
struct OtherLine {
  std::string keyword, arguments;
  SourcePlace where;  ///< of the keyword
};

/// A processing command (io/commands.hpp): carried out once the file is read, not written again.
struct PendingCommand {
  std::string keyword;
  TextReader arguments;  ///< at their place in the file
};

struct RunState {
  double t0 = 0.0;         ///< [T] time at step 0 of the run
  std::uint64_t step = 0;  ///< steps made since; t = t0 + step dt
};

/// Marks of a state whose bodies packgen has changed.
struct EditMark {
  bool viscosityApart = false;   ///< ft of bonds is without viscosity, as in states of a run
  bool contactsMissing = false;  ///< those of changed bodies are not listed
};

/// Values that a law and the bodies take from tables. Courses in time (Tempo) change them in a run.
struct Parameters {
  GroupValues density;                              ///< [M/L³]
  std::map<std::string, PairValues> lawParameters;  ///< by name
  /// Parameters of laws that hold for one group, by name.
  std::map<std::string, GroupValues, std::less<>> groupParameters;
  double numericalDampingCoeff = 0.0;  ///< [-]

  /// Value of a law parameter for two groups, in any order; 0 where the file has none.
  double lawParameter(const std::string& name, std::uint32_t g1, std::uint32_t g2) const;
  /// Value of a law parameter where the file has it, else null.
  const double* findLawParameter(const std::string& name, std::uint32_t g1, std::uint32_t g2) const;
  /// Sets a law parameter for two groups, in any order.
  void setLawParameter(const std::string& name, std::uint32_t g1, std::uint32_t g2, double value);
  /// Value of a law parameter for one group; 0 where the file has none.
  double groupParameter(std::string_view name, std::uint32_t group) const;
  void setGroupParameter(std::string_view name, std::uint32_t group, double value) {
    groupParameters[std::string(name)][group] = value;
  }
  double densityOf(std::uint32_t group) const;  ///< 0 where the file has none
  void setDensity(std::uint32_t group, double value) { density[group] = value; }
};

/// Contacts of one body at the largest force of an impact so far.
struct ImpactPeak {
  Vec3 force = Vec3::Zero(), place = Vec3::Zero();  ///< [F] on it; [L] centre of normal forces
  double speed = 0.0;                               ///< [L/T] of the body
  BodyId other = 0;  ///< the one whose contact has the largest normal force
};

/// State of a run beyond its bodies and contacts: the lines `#scree` of a conf-file, which other
/// programs skip. A run continued from all of them ends in the same bits as one that never stopped.
struct SavedState {
  std::optional<RunState> runState;
  std::optional<EnergyLedger> energy;        ///< of the run so far
  std::vector<EarlierMotion> earlierMotion;  ///< of each body, for Beeman; empty: not known
  std::vector<BodyId> order;  ///< in which the run keeps its bodies; empty: that of the file
  std::optional<SummedClock> summedClock;  ///< of a run whose time is a sum of steps
  std::vector<InteractionRecord> idle;     ///< of such a run: listed, not touching; sorted by key
  std::optional<BondedArea> bondedArea;    ///< of a run with bonds, since its start
  std::vector<ImpactPeak> impacts;         ///< in progress, one for each extractor of impacts
  std::optional<EditMark> edit;

  /// Whether ft of bonds is without their viscosity. Files of a summed clock, and those of other
  /// programs, have it in ft.
  bool viscosityApart() const {
    return (runState && !summedClock) || (edit && edit->viscosityApart);
  }
};

/// The content of a conf-file, without loss. Defaults are those of the format.
struct Conf : Parameters {
  std::string date = "21-08-2022";  ///< version of the format, from the header

  // Options
  std::string forceLaw;  ///< empty where the file has none
  std::string integrator = "velocityVerlet";
  std::string contactPartnership = "None";

  // Timing [T]
  double t = 0.0, tmax = 1.0, dt = 1e-6;
  double interVerlet = 0.01, interConf = 0.25;

  // Neighbour lists [L]: used only in runs with the lists of Rockable; files keep them
  double DVerlet = 0.0, dVerlet = 0.0;
  int dynamicUpdateNL = 0;
  double dispUpdateNL = 1.0;
  std::optional<double> angleUpdateNL;  ///< [degrees]

  Vec3 gravity{0.0, -9.81, 0.0};  ///< [L/T²]
  std::optional<BodyForce> bodyForce;
  std::vector<SpringJoint> joints;
  int paramsInInterfaces = 0;
  bool glueWithWalls = false;  ///< commands that glue take driven bodies, too
  double velocityBarrier = 0.0, angularVelocityBarrier = 0.0;  ///< [L/T], [1/T]; 0: none
  double velocityBarrierExponent = 1.0, angularVelocityBarrierExponent = 1.0;
  PeriodicCell cell;
  std::vector<Boundary> boundaries;
  std::vector<Tempo> tempos;  ///< in the order of the file; of several on one value the last wins

  int iconf = 0;              ///< number of the conf-file
  std::uint32_t nDriven = 0;  ///< number of driven or fixed bodies, which come first
  std::string shapeFile;      ///< as the file names it; see resolvedPath
  int precision = -1;         ///< decimals of particles and interactions; < 0: shortest exact text

  std::vector<std::string> shapeNames;  ///< each name that particles use, once
  std::vector<ParticleRecord> particles;
  std::vector<InteractionRecord> interactions;  ///< sorted by key
  std::vector<InterfaceRecord> interfaces;
  std::vector<BoundaryTouch> boundaryTouches;  ///< by boundary, body, vertex
  std::optional<SavedState> saved;             ///< of a run; none without lines of it

  std::vector<OtherLine> others;
  std::vector<PendingCommand> commands;  ///< still to be carried out, in the order of the file
  std::uint64_t seed = 0;                ///< of the random numbers of commands; not in the file
  bool drewLots = false;                 ///< whether any command drew random numbers
  /// Pairs of groups whose en2Contact came from a damping rate, with that en2.
  std::vector<PairValue> en2FromRate;
  std::vector<double> restLengths;  ///< [L] while reading: of the joints in later lines

  /// Where each keyword, particle and interaction stood, for messages.
  std::map<std::string, SourcePlace> places;
  std::vector<std::uint32_t> particleLines, interactionLines, interfaceLines;

  /// Where the file was read from; "" for none. Paths in it are looked up beside it first.
  std::string source;
  /// The file that led here by `redirection`; "" for none.
  std::string redirectedFrom;

  const SavedState& state() const;  ///< saved, or an empty one
  SavedState& makeState() { return saved ? *saved : saved.emplace(); }

  /// A complaint about what the file says at a keyword, or about the whole file.
  ParseError errorAt(const std::string& keyword, const std::string& message) const;
  ParseError errorAtParticle(std::size_t k, const std::string& message) const;
  ParseError errorAtInteraction(std::size_t k, const std::string& message) const;
  ParseError errorAtInterface(std::size_t k, const std::string& message) const;

  const std::string& shapeNameOf(const ParticleRecord& p) const { return shapeNames[p.shapeName]; }
  /// Index of `name` in shapeNames, added where it is new.
  std::uint32_t internShapeName(const std::string& name);
};

/// Whether conf-files with this `Conf::precision` hold all digits, so that a run can continue from
/// them to the bit. A double needs 16 decimals after the first digit.
constexpr bool hasAllDigits(int precision) { return precision < 0 || precision >= 16; }

/// Parameters of the bonds between two groups, inside a cluster or between clusters. They are those
/// of the tables of the conf (knInnerBond and so on); 0 where a table has no value.
BondParameters bondParameters(const Parameters& parameters, bool inner, std::uint32_t g1,
                              std::uint32_t g2);

/// The next step after `step` at which an output of period `period` [T] is due: the first within
/// dt/2 of a multiple of the period, counted from the start of the run. With a period of one step
/// or less, each step. O(1).
std::uint64_t nextOutputStep(std::uint64_t step, double period, double dt);

}  // namespace scree::sim
