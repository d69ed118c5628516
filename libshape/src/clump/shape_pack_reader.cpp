// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/shape_pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

constexpr std::string_view blanks = " \t\v\f";
constexpr std::string_view userDataPrefix = "##USER-DATA::";

/// Words of a line up to its first '#', which may stand glued to a word.
struct Words {
  std::vector<std::string_view> words;
  std::string_view comment;  ///< from the '#' on
};
std::vector<std::string_view> splitWords(std::string_view line) {
  std::vector<std::string_view> words;
  for (;;) {
    const auto from = line.find_first_not_of(blanks);
    if (from == std::string_view::npos) return words;
    const auto to = std::min(line.find_first_of(blanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    line.remove_prefix(to);
  }
}
Words wordsOf(std::string_view line) {
  const auto hash = std::min(line.find('#'), line.size());
  return {splitWords(line.substr(0, hash)), line.substr(hash)};
}

constexpr std::array<std::string_view, 8> keys{"id",       "density", "radius", "volume",
                                               "position", "inertia", "group",  "pebble-group"};

/// Numbers of a comma-separated list. @param count  of them; 0: any
std::vector<double> numbersOf(const TextReader& in, std::string_view key, std::string_view value,
                              std::size_t count) {
  std::vector<double> out;
  bool good = true;
  for (std::string_view rest = value; good;) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto number = parseNumber(rest.substr(0, comma));
    good = number && std::isfinite(*number);
    if (good) out.push_back(*number);
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (!good || (count > 0 && out.size() != count))
    throw in.errorAt(
        value, fmt::format("{}: expected {} finite number(s) with commas between them, found "
                           "'{}'",
                           key, count > 0 ? std::to_string(count) : "one or more", shown(value)));
  return out;
}

double positiveNumber(const TextReader& in, std::string_view key, std::string_view value) {
  const double number = numbersOf(in, key, value, 1)[0];
  if (number > 0.0) return number;
  throw in.errorAt(value,
                   fmt::format("{}: expected a number above 0, found '{}'", key, shown(value)));
}

/// The ID of a comment line `#@ id=I ...`; nothing for any other comment.
std::optional<std::int64_t> carriedLineId(std::string_view comment) {
  if (!comment.starts_with("#@ ") && !comment.starts_with("#@\t")) return std::nullopt;
  for (const std::string_view word : splitWords(comment.substr(2)))
    if (word.starts_with("id=")) return parseInteger(word.substr(3));
  return std::nullopt;
}

/// Whether a comment is a `#@` line, well formed or not: it has at least one key that such lines
/// have.
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
  std::optional<double> volume;
  std::optional<Vec3> position;
  std::optional<Mat3> inertia;
  std::string_view inertiaWord = line;
  for (const std::string_view word : splitWords(line.substr(2))) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw in.errorAt(word, fmt::format("#@ line: expected key=value, found '{}'", shown(word)));
    const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
    const bool group = key == "group" || key == "pebble-group";
    if (key == "id") continue;
    if (group) {
      const auto parsed = parsedGroup(value);
      if (!parsed)
        throw in.errorAt(
            value, fmt::format("{}: expected NAME or NAME:SLOT, found '{}'", key, shown(value)));
      (key == "group" ? carried.groups : carried.pebbleGroups).push_back(*parsed);
    } else if (key == "density") {
      carried.density = positiveNumber(in, key, value);
    } else if (key == "radius") {
      roundings = numbersOf(in, key, value, 0);
      if (*std::min_element(roundings.begin(), roundings.end()) < 0.0)
        throw in.errorAt(
            value, fmt::format("radius: expected numbers not below 0, found '{}'", shown(value)));
    } else if (key == "volume") {
      volume = positiveNumber(in, key, value);
    } else if (key == "mass") {
      throw in.errorAt(word, "mass: expected volume=, with density= where that is not 1");
    } else if (key == "position") {
      const auto list = numbersOf(in, key, value, 3);
      position = Vec3(list[0], list[1], list[2]);
    } else if (key == "inertia") {
      inertia = symmetricTensor(numbersOf(in, key, value, 6));
      inertiaWord = value;
      if (const std::string problem = inertiaProblem(*inertia); !problem.empty())
        throw in.errorAt(value, "inertia: the tensor e11,e22,e33,e12,e13,e23 " + problem);
    } else {
      if (const std::string near = nearestWord(key, keys); !near.empty())
        diagnostics.warn(in.errorAt(
            word, fmt::format("unknown key '{}'; did you mean '{}'?", shown(key), near)));
      carried.others.emplace_back(word);
    }
  }
  if (!volume && !position && !inertia) return;
  if (!volume || !position || !inertia)
    throw in.errorAt(inertiaWord,
                     "given mass properties need volume=, position= and inertia= together");
  carried.given = GivenMass{*volume, *position, *inertia};
}

double numberIn(const TextReader& in, std::string_view word, std::string_view what,
                bool nanAllowed = false) {
  const auto value = parseNumber(word);
  if (!value)
    throw in.errorAt(word, fmt::format("{}: expected a number, found '{}'", what, shown(word)));
  if (!std::isfinite(*value) && !(nanAllowed && std::isnan(*value)))
    throw in.errorAt(word,
                     fmt::format("{}: expected a finite number, found '{}'", what, shown(word)));
  return *value;
}

class Reader {
 public:
  Reader(TextReader& in, Diagnostics& diagnostics, SharedNodes shared)
      : in_(in), diagnostics_(diagnostics), shared_(shared) {}

  ShapePack read() {
    while (!in_.atEnd()) {
      const std::string_view line = in_.restOfLine();
      if (line.starts_with(userDataPrefix))
        readUserData(line);
      else if (line.starts_with(periodicPrefix))
        pack_.cell = periodicCell(in_, line);
      else if (line.front() == '#')
        comments_.push_back(line);
      else
        readShape(line);
    }
    checkCarried();
    if (pack_.particles.empty())
      diagnostics_.warn(ParseError({in_.name(), 0, 0}, "no particle in this ShapePack"));
    for (const std::string_view comment : comments_) pack_.trailing.push_back(inert(comment));
    return std::move(pack_);
  }

 private:
  double number(std::string_view word, std::string_view what, bool nanAllowed = false) {
    return numberIn(in_, word, what, nanAllowed);
  }

  void readUserData(std::string_view line) {
    std::string_view text = line.substr(userDataPrefix.size());
    if (!text.empty()) text.remove_prefix(1);  // a blank
    pack_.userData = std::string(text);
  }

  void readShape(std::string_view line) {
    const Words found = wordsOf(line);
    const auto& words = found.words;
    if (words.size() < 6)
      throw in_.errorAt(words.size() > 2 ? words.back() : words.front(),
                        fmt::format("expected ID TYPE CX CY CZ R ... of a ShapePack, or a table of "
                                    "spheres whose header names x, y, z and r; found '{}'",
                                    shown(line)));
    PackParticle& particle = particleFor(words[0]);
    PackMember member;
    member.type = &typeNamed(words[1]);
    for (std::size_t c = 0; c < 3; ++c)
      member.centre[static_cast<Eigen::Index>(c)] = number(words[2 + c], "centre");
    member.radius = number(words[5], "bounding radius");
    if (!(member.radius > 0.0))
      throw in_.errorAt(
          words[5],
          fmt::format("bounding radius: expected a number above 0, found '{}'", shown(words[5])));
    const std::vector<std::string_view> rest(words.begin() + 6, words.end());
    checkCount(member, words, rest.size());
    const bool markers = member.kind() == Kind::facet || member.kind() == Kind::tetra;
    for (std::size_t k = 0; k < rest.size(); ++k) {
      const bool coordinate = !(member.kind() == Kind::facet && k == 9);
      member.raw().push_back(number(rest[k], member.type->name, markers && coordinate));
    }
    // Only where it has numbers: a sphere takes no memory for what it does not have.
    if (member.type->numbers > 0)
      member.raw().resize(member.type->numbers, 0.0);  // a facet without its thickness has none
    switch (member.kind()) {
      case Kind::sphere:
        break;
      case Kind::capsule:
        checkCapsule(member, rest.front());
        break;
      case Kind::ellipsoid:
        checkEllipsoid(member, rest);
        break;
      case Kind::facet:
        if (member.raw()[9] < 0.0)
          throw in_.errorAt(rest[9],
                            fmt::format("half thickness: expected a number not below 0, found '{}'",
                                        shown(rest[9])));
        fillNodes(member, 3, rest);
        break;
      case Kind::tetra:
        fillNodes(member, 4, rest);
        break;
    }
    if (!found.comment.empty()) member.comment() = found.comment;
    for (const std::string_view comment : comments_) {
      if (carriedLineId(comment) == particle.id && particle.members.empty()) {
        readCarried(in_, diagnostics_, comment, particle.carried(), roundings_);
        carriedLine_ = comment;
      } else {
        member.before().push_back(inert(comment));
      }
    }
    comments_.clear();
    if (member.kind() == Kind::tetra) {
      const double rounding = roundingOf(tetras_++);
      if (rounding != 0.0) member.rounding() = rounding;
    }
    if (particle.members.empty()) particle.line = in_.placeOf(line).line;
    particle.members.push_back(std::move(member));
  }

  /// The particle that a line with this ID belongs to, a new one where the ID changes.
  PackParticle& particleFor(std::string_view word) {
    const bool unclumped = word.size() > 1 && word.back() == 'u';
    const auto id = parseInteger(unclumped ? word.substr(0, word.size() - 1) : word);
    if (!id || *id < 0 || *id > mostId)
      throw in_.errorAt(word, fmt::format("ID: expected a whole number of at least 0, followed by "
                                          "'u' if members are not clumped; found '{}'",
                                          shown(word)));
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
    nodes_.clear();
    checkCarried();
    PackParticle particle;
    particle.id = *id;
    particle.unclumped = unclumped;
    pack_.particles.push_back(std::move(particle));
    return pack_.particles.back();
  }

  const MemberType& typeNamed(std::string_view word) {
    std::vector<std::string_view> known;
    for (const MemberType& type : memberTypes()) {
      if (type.name == word) return type;
      known.push_back(type.name);
    }
    throw in_.errorAt(word, fmt::format("unknown type '{}'{}; there are {}", shown(word),
                                        suggestion(word, known), fmt::join(known, ", ")));
  }

  void checkCount(const PackMember& member, const std::vector<std::string_view>& words,
                  std::size_t n) {
    const MemberType& type = *member.type;
    // Nine numbers are what the published description of the format gives a facet.
    if (n == type.numbers || (type.kind == Kind::facet && n == 9)) return;
    throw in_.errorAt(n > type.numbers ? words[6 + type.numbers] : words.back(),
                      fmt::format("{}: expected {} numbers after the bounding sphere, found {}",
                                  type.name, type.numbers, n));
  }

  void checkCapsule(const PackMember& member, std::string_view at) {
    if (const double shaft = capsuleHalfShaft(member).norm(); shaft >= member.radius)
      throw in_.errorAt(at, fmt::format("Capsule: half shaft {:.9g} leaves no radius within the "
                                        "bounding radius {:.9g}; thin ones need all digits",
                                        shaft, member.radius));
  }

  void checkEllipsoid(const PackMember& member, const std::vector<std::string_view>& rest) {
    const Vec3 axes = ellipsoidSemiAxes(member);
    for (std::size_t c = 0; c < 3; ++c)
      if (!(axes[static_cast<Eigen::Index>(c)] > 0.0))
        throw in_.errorAt(
            rest[3 + c],
            fmt::format("semi-axis: expected a number above 0, found '{}'", shown(rest[3 + c])));
  }

  /// Resolves corners, where nan as x or y means "repeats node number z of this particle".
  void fillNodes(PackMember& member, std::size_t corners,
                 const std::vector<std::string_view>& rest) {
    const std::size_t first = shared_ == SharedNodes::line ? nodes_.size() : 0;
    for (std::size_t k = 0; k < corners; ++k) {
      double* const p = &member.raw()[3 * k];
      if (!std::isnan(p[0]) && !std::isnan(p[1])) {
        if (std::isnan(p[2]))
          throw in_.errorAt(rest[3 * k + 2],
                            "a corner needs a finite z, or the number of a shared node");
        nodes_.push_back({p[0], p[1], p[2]});
        member.nodes().push_back(nodes_.back());
        continue;
      }
      const double index = p[2];
      if (!(index >= 0.0) || index != std::floor(index) ||
          index >= static_cast<double>(nodes_.size() - first))
        throw in_.errorAt(
            rest[3 * k + 2],
            fmt::format("shared node: expected a number from 0 to less than {}, the nodes of this "
                        "{} so far; found '{}'",
                        nodes_.size() - first, shared_ == SharedNodes::line ? "line" : "particle",
                        shown(rest[3 * k + 2])));
      p[2] = index + static_cast<double>(first);
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

  /// Rounding of the n-th tetrahedron of the particle that is being read.
  double roundingOf(std::size_t n) const {
    if (roundings_.empty()) return 0.0;
    return roundings_.size() == 1  ? roundings_.front()
           : n < roundings_.size() ? roundings_[n]
                                   : 0.0;
  }

  /// Ends the last particle.
  /// @throws ParseError if `radius=` has neither one number nor one for each tetrahedron
  void checkCarried() {
    if (roundings_.size() > 1 ? roundings_.size() != tetras_ : !roundings_.empty() && tetras_ == 0)
      throw in_.errorAt(
          carriedLine_,
          fmt::format("radius=: expected one number, or one for each of the {} Tetra lines of "
                      "particle {}, found {}",
                      tetras_, pack_.particles.back().id, roundings_.size()));
    roundings_.clear();
    tetras_ = 0;
  }

  TextReader& in_;
  Diagnostics& diagnostics_;
  ShapePack pack_;
  SharedNodes shared_;
  std::vector<std::string_view> comments_;  ///< since the last shape
  std::vector<double> roundings_;           ///< radius= of the particle that is being read
  std::size_t tetras_ = 0;                  ///< that it has so far
  std::string_view carriedLine_;            ///< the last #@ line of it
  std::vector<Vec3> nodes_;                 ///< of the particle that is being read
  std::set<std::int64_t> seen_;
  bool repeatSeen_ = false;  ///< warns once
};

}  // namespace

Vec3 periodicCell(const TextReader& in, std::string_view line) {
  const Words found = wordsOf(line.substr(periodicPrefix.size()));
  if (found.words.size() != 3)
    throw in.errorAt(line, fmt::format("##PERIODIC:: expected three edge lengths, found {} words",
                                       found.words.size()));
  Vec3 cell;
  for (std::size_t c = 0; c < 3; ++c) {
    const double length = numberIn(in, found.words[c], "edge of the periodic cell");
    if (length < 0.0)
      throw in.errorAt(
          found.words[c],
          fmt::format("edge of the periodic cell: expected a number not below 0, found '{}'",
                      shown(found.words[c])));
    cell[static_cast<Eigen::Index>(c)] = length + 0.0;
  }
  return cell;
}

ShapePack readShapePack(TextReader& in, Diagnostics& diagnostics, SharedNodes shared) {
  return Reader(in, diagnostics, shared).read();
}

}  // namespace scree::clump
