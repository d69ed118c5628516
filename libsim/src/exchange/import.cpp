// SPDX-License-Identifier: GPL-3.0-or-later
// States that LAMMPS and exaDEM have written, as conf-files.
#include "scree/sim/exchange/exchange.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/measure/instant.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace scree::sim {
namespace {

/// Values of a row, in the order of the names of their columns below.
struct Value {
  enum : std::size_t { id, mass, pos, vel, vrot, orient };
};
using Names = std::array<std::string_view, 6>;
constexpr Names lammpsNames{"mol", "mass", "xu", "vx", "omegax", "quatw"},
    exademNames{"id", "mass", "pos", "vel", "vrot", "orient"};

/// Builds the states, one after the other.
class States {
 public:
  States(const RunInput& like, bool isLammps, const std::function<void(Conf&&)>& take)
      : input_(like), isLammps_(isLammps), take_(take) {
    if (like_.cell.used) inverse_ = like_.cell.h.inverse();
  }

  void begin() {
    conf_ = like_;
    conf_.interactions.clear();
    conf_.boundaryTouches.clear();
    conf_.interfaces.clear();
    conf_.saved.reset();
    seen_.assign(conf_.particles.size(), 0);
  }

  void takeRows(TextReader& in, const std::vector<std::string>& names, std::size_t count) {
    for (std::size_t k = 0; k < at_.size(); ++k) {
      const std::string_view name = (isLammps_ ? lammpsNames : exademNames)[k];
      at_[k] = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      const std::size_t size = k < Value::pos ? 1 : k < Value::orient ? 3 : 4;
      const bool mayLack = k == Value::mass || (k == Value::orient && isLammps_);
      if (at_[k] + size > names.size() && !(mayLack && at_[k] == names.size()))
        throw in.error(fmt::format("there is no column {}", name));
    }
    cells_.resize(names.size());
    const bool isText = names.front() == "species";  // the first cell
    for (; count > 0; --count) {
      if (isText) in.word("species");
      for (std::size_t k = isText; k < cells_.size(); ++k) cells_[k] = in.number("value");
      if (in.nextOnSameLine()) throw in.errorAtNext("more values in this row than columns");
      takeRow(in);
    }
  }

  /// @param lengths  [L] of the periodic cell
  void requireBox(const Vec3& lengths, const TextReader& in) const {
    const Vec3 ours = like_.cell.h.diagonal();
    if (like_.cell.used && !((lengths - ours).norm() <= 1e-6 * ours.norm()))
      throw in.error(fmt::format("the box measures {} {} {}, which is not the cell of {}",
                                 lengths.x(), lengths.y(), lengths.z(), like_.source));
  }

  void end(double t, const TextReader& in) {
    const auto missing = std::find(seen_.begin() + like_.nDriven, seen_.end(), 0);
    if (missing != seen_.end())
      throw in.error(
          fmt::format("body {} of {} is not in this state", missing - seen_.begin(), like_.source));
    if (count_ > 0 && !(t > last_))
      throw in.error(fmt::format("the time {} does not follow {}", t, last_));
    conf_.t = last_ = t;
    conf_.iconf = like_.iconf + count_++;
    findSprings();
    take_(std::move(conf_));
  }

 private:
  bool has(std::size_t value) const { return at_[value] < cells_.size(); }
  const double* data(std::size_t value) const { return cells_.data() + at_[value]; }

  void takeRow(const TextReader& in) {
    const double number = *data(Value::id) + (isLammps_ ? -1.0 : like_.nDriven),
                 last = static_cast<double>(like_.particles.size()) - 1.0;
    if (!(number >= like_.nDriven && number <= last && number == std::floor(number)))
      throw in.error(fmt::format("expected a free body of {}, {} to {}; found {}", like_.source,
                                 like_.nDriven, last, number));
    const auto k = static_cast<std::size_t>(number);
    if (std::exchange(seen_[k], 1)) throw in.error(fmt::format("body {} comes twice", k));
    if (const double ours = instant_.masses()[k];
        has(Value::mass) && !(std::abs(*data(Value::mass) - ours) <= 1e-6 * ours))
      throw in.error(fmt::format("body {} has another mass than in {}, {}", k, like_.source, ours));
    ParticleRecord& p = conf_.particles[k];
    p.pos = Vec3(data(Value::pos));
    p.pos -= like_.cell.h * Vec3((inverse_ * p.pos).array().floor());
    p.vel = Vec3(data(Value::vel));
    p.vrot = Vec3(data(Value::vrot));
    p.acc = p.arot = Vec3::Zero();
    if (count_ == 0 && isLammps_) {
      Vec3 way = p.pos - like_.particles[k].pos;
      if (like_.cell.used) way -= Lattice(like_.cell.h).nearest(way);
      if (!(way.norm() <= 1e-6 * boundingRadius(shapes_[p.shapeName]) * p.homothety))
        throw in.error(fmt::format("body {} is off its place in {}, the state of the first frame",
                                   k, like_.source));
    }
    if (!has(Value::orient)) return;  // a sphere
    // A body of LAMMPS has axes of its own: Q(t) = q(t) q(0)^-1 Q0.
    const double* w = data(Value::orient);
    Quat q(w[0], w[1], w[2], w[3]);
    if (!(std::abs(q.norm() - 1.0) < 1e-4)) throw in.error("expected a unit quaternion");
    q.normalize();
    if (count_ == 0 && isLammps_) turns_[k] = q.conjugate() * p.q;
    p.q = (q * turns_[k]).normalized();
  }

  /// Contacts by the poses, with the force of their springs.
  void findSprings() {
    findContacts(conf_, shapes_);
    std::vector<double> forces;
    const auto set = [&](auto& contacts, std::size_t first) {
      for (auto& contact : contacts) {
        contact.fn = forces[first++];
        contact.ft = contact.mom = Vec3::Zero();
      }
    };
    const Instant instant(conf_, shapes_);
    const LawValues law(instant);
    for (const Link& link : instant.links()) forces.push_back(law.springs(link).force);
    set(conf_.interactions, 0);
    set(conf_.boundaryTouches, conf_.interactions.size());
  }

  const RunInput& input_;
  const Conf& like_ = input_.conf;
  const std::vector<shape::Shape>& shapes_ = input_.shapes;
  const Instant instant_{like_, shapes_};
  const bool isLammps_;
  const std::function<void(Conf&&)>& take_;
  Conf conf_;
  std::array<std::size_t, 6> at_{};  ///< places of the values in a row; beyond it: none
  std::vector<double> cells_;        ///< of the row
  std::vector<char> seen_;
  /// From the body frame of LAMMPS to ours; none for exaDEM.
  std::vector<Quat> turns_ = std::vector<Quat>(like_.particles.size(), Quat::Identity());
  Mat3 inverse_ = Mat3::Zero();
  int count_ = 0;      ///< of states so far
  double last_ = 0.0;  ///< [T] time of the last one
};

/// Reads a frame of a dump of LAMMPS. @returns its time
double readFrame(TextReader& in, States& states) {
  const auto item = [&](const std::string& name) {
    const std::string line = in.word("frame") == "ITEM:" ? std::string(in.restOfLine()) : "";
    if (!(line + ' ').starts_with(name + ' '))
      throw in.error(fmt::format("expected ITEM: {}, as the dumps of case.in have it", name));
    return line;
  };
  item("TIME");
  const double time = in.number("time");
  item("TIMESTEP");
  in.integer("step", 0, INT64_MAX);
  const bool isLocal = item("NUMBER OF").ends_with("ENTRIES");
  const std::size_t rows = in.count("rows", 2);
  item("BOX BOUNDS");
  Vec3 lengths;
  for (double& length : lengths) {
    const double low = in.number("low end");
    length = in.number("high end") - low;
  }
  states.requireBox(lengths, in);
  TextReader line("", item(isLocal ? "ENTRIES" : "ATOMS"));
  line.word("item");
  std::vector<std::string> names;
  while (!line.atEnd()) names.emplace_back(line.word("name"));
  if (isLocal)  // it numbers its columns, which are those of case.in
    names = {"index", "mol",   "mass", "xu", "", "",       "vx", "",
             "",      "quatw", "",     "",   "", "omegax", "",   ""};
  states.takeRows(in, names, rows);
  return time;
}

void importLammps(std::vector<TextReader> dumps, double start, States& states) {
  std::optional<double> first;
  while (std::ranges::any_of(dumps, [](TextReader& in) { return !in.atEnd(); })) {
    states.begin();
    std::optional<double> time;
    for (TextReader& in : dumps)
      if (const double now = readFrame(in, states); now != time.value_or(now))
        throw in.error(fmt::format("a frame of t = {}, but {} in the other dump", now, *time));
      else
        time = now;
    if (!first) first = time;
    states.end(start + (*time - *first), dumps.back());
  }
}

/// The value of `NAME=VALUE` or `NAME="VALUE"` in the second line of an extended XYZ file.
std::string valueOf(std::string_view line, std::string_view name, const TextReader& in) {
  const std::size_t at = line.find(name);
  if (at == std::string_view::npos)
    throw in.error(fmt::format("expected an extended XYZ file, with {} in its second line", name));
  const std::string_view rest = line.substr(at + name.size());
  return std::string(rest.starts_with('"') ? rest.substr(1, rest.find('"', 1) - 1)
                                           : rest.substr(0, rest.find(' ')));
}

void importExadem(TextReader in, States& states) {
  states.begin();
  const std::size_t rows = in.count("bodies", 2);
  in.skipLine();
  in.peek();
  const std::string_view line = in.restOfLine();
  TextReader lattice(in.name() + ": Lattice", valueOf(line, "Lattice=", in));
  states.requireBox(lattice.mat3("Lattice").diagonal(), in);
  TextReader time(in.name() + ": Time", valueOf(line, "Time=", in));
  std::string properties = valueOf(line, "Properties=", in);
  std::ranges::replace(properties, ':', ' ');
  std::vector<std::string> names;
  for (TextReader p(in.name() + ": Properties", properties); !p.atEnd();) {
    names.emplace_back(p.word("name"));
    p.word("type");
    names.resize(names.size() - 1 + static_cast<std::size_t>(p.integer("count", 1, 9)));
  }
  states.takeRows(in, names, rows);
  if (!in.atEnd()) throw in.errorAtNext("expected the end of the file");
  states.end(time.number("Time"), in);
}

}  // namespace

void imported(const std::vector<TextReader>& dumps, Target target, const RunInput& like,
              const std::function<void(Conf&&)>& take) {
  const bool isLammps = target == Target::lammps;
  States states(like, isLammps, take);
  for (const TextReader& in : dumps)  // the last number of a text that was cut may be another one
    if (!in.rest().empty() && !in.rest().ends_with('\n'))
      throw ModelError(fmt::format("{}: ends within a line", in.name()));
  if (isLammps) return importLammps(dumps, like.conf.t, states);
  for (const TextReader& in : dumps) importExadem(in, states);
}

}  // namespace scree::sim
