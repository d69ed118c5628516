// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/shape_pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;
using Words = std::vector<std::string_view>;

constexpr std::string_view blanks = " \t\v\f";
constexpr std::string_view userDataPrefix = "##USER-DATA::";

Words splitWords(std::string_view line) {
  Words words;
  for (;;) {
    const auto from = line.find_first_not_of(blanks);
    if (from == std::string_view::npos) return words;
    const auto to = std::min(line.find_first_of(blanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    line.remove_prefix(to);
  }
}
/// Words up to the first '#', which may stand glued to a word.
Words wordsOf(std::string_view line) { return splitWords(line.substr(0, line.find('#'))); }

double finite(const TextReader& in, std::string_view word, std::string_view what) {
  const auto value = parseNumber(word);
  if (value && std::isfinite(*value)) return *value;
  throw unexpected(in, word, what, value ? "a finite number" : "a number");
}

double positive(const TextReader& in, std::string_view word, std::string_view what,
                bool orZero = false) {
  const double value = finite(in, word, what);
  if (value > 0.0 || (orZero && value == 0.0)) return value;
  throw unexpected(in, word, what, orZero ? "a number not below 0" : "a number above 0");
}

/// A key of a `#@` line whose value is a list of numbers.
struct NumberKey {
  std::string_view name;
  std::size_t count;  ///< of numbers; 0: one or more
  enum class Sign { any, notNegative, positive } sign;
};
constexpr std::array<NumberKey, 5> numberKeys{{{"density", 1, NumberKey::Sign::positive},
                                               {"radius", 0, NumberKey::Sign::notNegative},
                                               {"volume", 1, NumberKey::Sign::positive},
                                               {"position", 3, NumberKey::Sign::any},
                                               {"inertia", 6, NumberKey::Sign::any}}};
constexpr std::array<std::string_view, 8> keys{"id",       "density", "radius", "volume",
                                               "position", "inertia", "group",  "pebble-group"};

std::vector<double> numbersOf(const TextReader& in, const NumberKey& key, std::string_view value) {
  std::vector<double> out;
  for (std::string_view rest = value;;) {
    const std::string_view word = rest.substr(0, rest.find(','));
    out.push_back(key.sign == NumberKey::Sign::any
                      ? finite(in, word, key.name)
                      : positive(in, word, key.name, key.sign == NumberKey::Sign::notNegative));
    if (word.size() == rest.size()) break;
    rest.remove_prefix(word.size() + 1);
  }
  if (key.count > 0 && out.size() != key.count)
    throw unexpected(in, value, key.name,
                     fmt::format("{} number(s) with commas between them", key.count));
  return out;
}

/// The ID of a comment line `#@ id=I ...`; nothing for any other comment.
std::optional<std::int64_t> carriedLineId(std::string_view comment) {
  if (!comment.starts_with("#@ ") && !comment.starts_with("#@\t")) return std::nullopt;
  for (const std::string_view word : splitWords(comment.substr(2)))
    if (word.starts_with("id=")) return parseInteger(word.substr(3));
  return std::nullopt;
}

/// Whether a comment is a `#@` line, well formed or not: it has a key that such lines have.
bool isCarriedLine(std::string_view comment) {
  if (!comment.starts_with("#@")) return false;
  return std::ranges::any_of(splitWords(comment.substr(2)), [](std::string_view word) {
    return word.find('=') < word.size() &&
           std::ranges::find(keys, word.substr(0, word.find('='))) != keys.end();
  });
}

/// Adds the values of a `#@` line to `carried`, and sets `roundings` to its `radius=`: one number
/// for all tetrahedra, or one each. A key given again replaces the earlier value; groups add up.
/// @throws ParseError for a bad value, or for one of volume and inertia without the other
void readCarried(const TextReader& in, Diagnostics& diagnostics, std::string_view line,
                 Carried& carried, std::vector<double>& roundings) {
  std::map<std::string_view, std::vector<double>> numbers;
  for (const std::string_view word : splitWords(line.substr(2))) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw unexpected(in, word, "#@ line", "key=value");
    const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
    const auto known = std::ranges::find(numberKeys, key, &NumberKey::name);
    if (known != numberKeys.end()) {
      numbers[known->name] = numbersOf(in, *known, value);
    } else if (key == "group" || key == "pebble-group") {
      const auto group = parsedGroup(value);
      if (!group) throw unexpected(in, value, key, "NAME or NAME:SLOT");
      (key == "group" ? carried.groups : carried.pebbleGroups).push_back(*group);
    } else if (key == "mass") {
      throw in.errorAt(word, "mass: expected volume=, with density= where that is not 1");
    } else if (key != "id") {
      if (const std::string near = nearestWord(key, keys); !near.empty())
        diagnostics.warn(in.errorAt(
            word, fmt::format("unknown key '{}'; did you mean '{}'?", shown(key), near)));
      carried.others.emplace_back(word);
    }
    if (key != "inertia") continue;
    if (const auto problem = inertiaProblem(symmetricTensor(numbers[key])); !problem.empty())
      throw in.errorAt(value, "inertia: the tensor e11,e22,e33,e12,e13,e23 " + problem);
  }
  if (numbers.contains("density")) carried.density = numbers["density"][0];
  if (numbers.contains("radius")) roundings = numbers["radius"];
  const auto &volume = numbers["volume"], &position = numbers["position"],
             &inertia = numbers["inertia"];
  if (volume.empty() && position.empty() && inertia.empty()) return;
  if (volume.empty() || position.empty() || inertia.empty())
    throw in.errorAt(line, "given mass properties need volume=, position= and inertia= together");
  carried.given =
      GivenMass{volume[0], {position[0], position[1], position[2]}, symmetricTensor(inertia)};
}

class Reader {
 public:
  Reader(TextReader& in, Diagnostics& diagnostics, SharedNodes shared)
      : in_(in), diagnostics_(diagnostics), shared_(shared) {}

  ShapePack read() {
    while (!in_.atEnd()) {
      const std::string_view line = in_.restOfLine();
      if (line.starts_with(userDataPrefix))
        readUserData(line.substr(userDataPrefix.size()));
      else if (line.starts_with(periodicPrefix))
        pack_.cell = periodicCell(in_, line);
      else if (line.front() == '#')
        comments_.push_back(line);
      else
        readShape(line);
    }
    finishParticle();
    if (pack_.particles.empty())
      diagnostics_.warn(ParseError({in_.name(), 0, 0}, "no particle in this ShapePack"));
    for (const std::string_view comment : comments_) pack_.trailing.push_back(inert(comment));
    return std::move(pack_);
  }

 private:
  void readUserData(std::string_view text) {
    if (!text.empty()) text.remove_prefix(1);  // a blank
    pack_.userData = std::string(text);
  }

  void readShape(std::string_view line) {
    const Words words = wordsOf(line);
    if (words.size() < 6)
      throw in_.errorAt(words.size() > 2 ? words.back() : words.front(),
                        fmt::format("expected ID TYPE CX CY CZ R ... of a ShapePack, or a table of "
                                    "spheres whose header names x, y, z and r; found '{}'",
                                    shown(line)));
    PackParticle& particle = particleFor(words[0]);
    PackMember member;
    member.type = &typeNamed(words[1]);
    for (std::size_t c = 0; c < 3; ++c)
      member.centre[static_cast<Eigen::Index>(c)] = finite(in_, words[2 + c], "centre");
    member.radius = positive(in_, words[5], "bounding radius");
    readNumbers(member, words);
    if (const auto hash = line.find('#'); hash != std::string_view::npos)
      member.comment() = line.substr(hash);
    for (const std::string_view comment : comments_) {
      if (carriedLineId(comment) == particle.id && particle.members.empty()) {
        readCarried(in_, diagnostics_, comment, particle.carried(), roundings_);
        carriedLine_ = comment;
      } else {
        member.before().push_back(inert(comment));
      }
    }
    comments_.clear();
    if (particle.members.empty()) particle.line = in_.placeOf(line).line;
    particle.members.push_back(std::move(member));
  }

  /// The particle that a line with this ID belongs to, a new one where the ID changes.
  PackParticle& particleFor(std::string_view word) {
    const bool unclumped = word.size() > 1 && word.back() == 'u';
    const auto id = parseInteger(unclumped ? word.substr(0, word.size() - 1) : word);
    if (!id || *id < 0 || *id > mostId)
      throw unexpected(in_, word, "ID",
                       "a whole number of at least 0, with 'u' if members are not clumped");
    if (!pack_.particles.empty() && pack_.particles.back().id == *id) {
      PackParticle& last = pack_.particles.back();
      if (last.unclumped != unclumped)
        throw in_.errorAt(
            word, fmt::format("particle {} has 'u' on some of its lines and not on others", *id));
      return last;
    }
    if (!seen_.insert(*id).second && !std::exchange(repeatSeen_, true))
      diagnostics_.warn(in_.errorAt(
          word,
          fmt::format("ID {} returns after other IDs; this starts a second particle of that ID",
                      *id)));
    finishParticle();
    PackParticle& particle = pack_.particles.emplace_back();
    particle.id = *id;
    particle.unclumped = unclumped;
    return particle;
  }

  const MemberType& typeNamed(std::string_view word) {
    for (const MemberType& type : memberTypes())
      if (type.name == word) return type;
    const std::vector<std::string_view> known = namesOf(memberTypes());
    throw in_.errorAt(word, fmt::format("unknown type '{}'{}; there are {}", shown(word),
                                        suggestion(word, known), fmt::join(known, ", ")));
  }

  /// Reads the numbers behind the bounding sphere. A sphere takes no memory for them.
  void readNumbers(PackMember& member, const Words& words) {
    const MemberType& type = *member.type;
    const std::span rest = std::span(words).subspan(6);
    const std::size_t corners = type.kind == Kind::facet ? 3 : type.kind == Kind::tetra ? 4 : 0;
    // Nine numbers are what the published description of the format gives a facet.
    const bool flat = type.kind == Kind::facet && rest.size() == 9;
    if (rest.size() != type.numbers && !flat)
      throw in_.errorAt(rest.size() > type.numbers ? rest[type.numbers] : words.back(),
                        fmt::format("{}: expected {} numbers after the bounding sphere, found {}",
                                    type.name, type.numbers, rest.size()));
    for (std::size_t k = 0; k < rest.size(); ++k) {
      const double value = parseNumber(rest[k]).value_or(0.0);
      const bool marker = k < 3 * corners && std::isnan(value);
      member.raw().push_back(marker ? value : finite(in_, rest[k], type.name));
    }
    if (flat) member.raw().push_back(0.0);
    if (type.kind == Kind::capsule)
      if (const double shaft = capsuleHalfShaft(member).norm(); shaft >= member.radius)
        throw in_.errorAt(rest[0],
                          fmt::format("Capsule: half shaft {:.9g} leaves no radius within the "
                                      "bounding radius {:.9g}; thin ones need all digits",
                                      shaft, member.radius));
    for (std::size_t k = 3; type.kind == Kind::ellipsoid && k < 6; ++k)
      positive(in_, rest[k], "semi-axis");
    if (type.kind == Kind::facet && !flat) positive(in_, rest[9], "half thickness", true);
    if (corners > 0) fillNodes(member, corners, rest);
  }

  /// Resolves corners, where nan as x or y means "repeats node number z of this particle".
  void fillNodes(PackMember& member, std::size_t corners, std::span<const std::string_view> rest) {
    const bool byLine = shared_ == SharedNodes::line;
    const std::size_t first = byLine ? nodes_.size() : 0;
    for (std::size_t k = 0; k < corners; ++k) {
      double* const p = &member.raw()[3 * k];
      const std::string_view last = rest[3 * k + 2];
      if (!std::isnan(p[0]) && !std::isnan(p[1])) {
        if (std::isnan(p[2]))
          throw in_.errorAt(last, "a corner needs a finite z, or the number of a shared node");
        nodes_.push_back({p[0], p[1], p[2]});
        member.nodes().push_back(nodes_.back());
        continue;
      }
      const std::size_t count = nodes_.size() - first;
      if (!(p[2] >= 0.0) || p[2] != std::floor(p[2]) || p[2] >= static_cast<double>(count))
        throw unexpected(in_, last, "shared node",
                         fmt::format("a number from 0 to less than {}, the nodes of this {} so far",
                                     count, byLine ? "line" : "particle"));
      p[2] += static_cast<double>(first);
      member.nodes().push_back(nodes_[static_cast<std::size_t>(p[2])]);
    }
  }

  /// A comment that stays one wherever it is written: a `#@` line without effect must not come to
  /// stand before its particle. A warning tells of it.
  std::string inert(std::string_view comment) {
    if (isCarriedLine(comment))
      diagnostics_.warn(in_.errorAt(comment,
                                    "this #@ line has no effect; expected '#@ id=I key=value ...' "
                                    "directly before particle I"));
    return carriedLineId(comment) ? fmt::format("# {}", comment.substr(1)) : std::string(comment);
  }

  /// Ends the last particle: rounds its tetrahedra.
  /// @throws ParseError if `radius=` has neither one number nor one for each tetrahedron
  void finishParticle() {
    nodes_.clear();
    if (roundings_.empty()) return;
    std::vector<PackMember*> tetras;
    for (PackMember& m : pack_.particles.back().members)
      if (m.kind() == Kind::tetra) tetras.push_back(&m);
    if (tetras.empty() || (roundings_.size() > 1 && roundings_.size() != tetras.size()))
      throw in_.errorAt(
          carriedLine_,
          fmt::format("radius=: expected one number, or one for each of the {} Tetra lines of "
                      "particle {}, found {}",
                      tetras.size(), pack_.particles.back().id, roundings_.size()));
    for (std::size_t k = 0; k < tetras.size(); ++k)
      if (const double r = roundings_[std::min(k, roundings_.size() - 1)]; r != 0.0)
        tetras[k]->rounding() = r;
    roundings_.clear();
  }

  TextReader& in_;
  Diagnostics& diagnostics_;
  ShapePack pack_;
  SharedNodes shared_;
  std::vector<std::string_view> comments_;  ///< since the last shape
  std::vector<double> roundings_;           ///< radius= of the particle that is being read
  std::string_view carriedLine_;            ///< the last #@ line of it
  std::vector<Vec3> nodes_;                 ///< of the particle that is being read
  std::set<std::int64_t> seen_;
  bool repeatSeen_ = false;  ///< warns once
};

}  // namespace

ParseError unexpected(const TextReader& in, std::string_view word, std::string_view what,
                      std::string_view expected) {
  return in.errorAt(word, fmt::format("{}: expected {}, found '{}'", what, expected, shown(word)));
}

Vec3 periodicCell(const TextReader& in, std::string_view line) {
  const Words words = wordsOf(line.substr(periodicPrefix.size()));
  if (words.size() != 3)
    throw in.errorAt(line, fmt::format("##PERIODIC:: expected three edge lengths, found {} words",
                                       words.size()));
  Vec3 cell;
  for (std::size_t c = 0; c < 3; ++c)
    cell[static_cast<Eigen::Index>(c)] =
        positive(in, words[c], "edge of the periodic cell", true) + 0.0;
  return cell;
}

ShapePack readShapePack(TextReader& in, Diagnostics& diagnostics, SharedNodes shared) {
  return Reader(in, diagnostics, shared).read();
}

}  // namespace scree::clump
