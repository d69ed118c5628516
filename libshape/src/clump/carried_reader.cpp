// SPDX-License-Identifier: GPL-3.0-or-later
#include "carried_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace scree::clump {
namespace {

constexpr std::string_view blanks = " \t\v\f";
constexpr std::array<std::string_view, 9> keys{
    "id", "density", "radius", "volume", "mass", "position", "inertia", "group", "pebble-group"};

/// The key that an unknown one resembles or abbreviates; empty if it is likely a user's own.
std::string_view meantKey(std::string_view word) {
  const std::string near = nearestWord(word, keys);
  for (const std::string_view key : keys)
    if (key == near || (word.size() > 2 && key.starts_with(word))) return key;
  return {};
}

std::vector<std::string_view> wordsBehindMark(std::string_view line) {
  std::vector<std::string_view> words;
  line.remove_prefix(2);
  for (;;) {
    const auto from = line.find_first_not_of(blanks);
    if (from == std::string_view::npos) return words;
    const auto to = std::min(line.find_first_of(blanks, from), line.size());
    words.push_back(line.substr(from, to - from));
    line.remove_prefix(to);
  }
}

/// Numbers of a comma-separated list.
class Numbers {
 public:
  Numbers(const TextReader& in, std::string_view key, std::string_view value)
      : in_(in), key_(key), value_(value) {}

  /// As many as there are, at least one.
  std::vector<double> list() const { return parsed("a finite number or several with commas"); }
  std::vector<double> list(std::size_t n) const {
    std::vector<double> out = parsed(fmt::format("{} finite number(s)", n));
    if (out.size() != n)
      throw in_.errorAt(value_, fmt::format("{}: expected {} number(s) with commas between them, "
                                            "found {}",
                                            key_, n, out.size()));
    return out;
  }
  double positive() const {
    const double number = list(1)[0];
    if (!(number > 0.0))
      throw in_.errorAt(
          value_, fmt::format("{}: expected a number above 0, found '{}'", key_, shown(value_)));
    return number;
  }

 private:
  std::vector<double> parsed(const std::string& expected) const {
    std::vector<double> out;
    std::string_view rest = value_;
    for (;;) {
      const auto comma = rest.find(',');
      const std::string_view word = rest.substr(0, comma);
      const auto number = parseNumber(word);
      if (!number || !std::isfinite(*number))
        throw in_.errorAt(
            value_, fmt::format("{}: expected {}, found '{}'", key_, expected, shown(value_)));
      out.push_back(*number);
      if (comma == std::string_view::npos) return out;
      rest.remove_prefix(comma + 1);
    }
  }

  const TextReader& in_;
  std::string_view key_, value_;
};

}  // namespace

std::optional<std::int64_t> carriedLineId(std::string_view comment) {
  if (!comment.starts_with("#@ ") && !comment.starts_with("#@\t")) return std::nullopt;
  for (const std::string_view word : wordsBehindMark(comment))
    if (word.starts_with("id=")) return parseInteger(word.substr(3));
  return std::nullopt;
}

bool isBrokenCarriedLine(std::string_view comment) {
  if (!comment.starts_with("#@") || carriedLineId(comment)) return false;
  const auto words = wordsBehindMark(comment);
  return std::any_of(words.begin(), words.end(), [](std::string_view word) {
    const auto equals = word.find('=');
    return equals != std::string_view::npos &&
           std::find(keys.begin(), keys.end(), word.substr(0, equals)) != keys.end();
  });
}

void readCarried(const TextReader& in, Diagnostics& diagnostics, std::string_view line,
                 Carried& carried, std::vector<double>& roundings,
                 std::set<std::string_view>& seen) {
  std::optional<double> volume, mass;
  std::optional<Vec3> position;
  std::optional<Mat3> inertia;
  seen.erase("id");  // each line names its particle
  std::string_view inertiaWord = line, massWord = line;
  for (const std::string_view word : wordsBehindMark(line)) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw in.errorAt(word, fmt::format("#@ line: expected key=value, found '{}'", shown(word)));
    const std::string_view key = word.substr(0, equals), value = word.substr(equals + 1);
    const Numbers numbers(in, key, value);
    const bool group = key == "group" || key == "pebble-group";
    if (!group && !seen.insert(key).second)
      diagnostics.warn(
          in.errorAt(word, fmt::format("{} given twice; the later value counts", key)));
    if (key == "id") continue;
    if (group) {
      const auto parsed = parsedGroup(value);
      if (!parsed)
        throw in.errorAt(
            value, fmt::format("{}: expected NAME or NAME:SLOT, found '{}'", key, shown(value)));
      (key == "group" ? carried.groups : carried.pebbleGroups).push_back(*parsed);
    } else if (key == "density") {
      carried.density = numbers.positive();
    } else if (key == "radius") {
      roundings = numbers.list();
      if (*std::min_element(roundings.begin(), roundings.end()) < 0.0)
        throw in.errorAt(
            value, fmt::format("radius: expected numbers not below 0, found '{}'", shown(value)));
    } else if (key == "volume") {
      volume = numbers.positive();
    } else if (key == "mass") {
      mass = numbers.positive();
      massWord = value;
    } else if (key == "position") {
      const auto list = numbers.list(3);
      position = Vec3(list[0], list[1], list[2]);
    } else if (key == "inertia") {
      inertia = symmetricTensor(numbers.list(6));
      inertiaWord = value;
      if (const std::string problem = inertiaProblem(*inertia); !problem.empty())
        throw in.errorAt(value, "inertia: the tensor e11,e22,e33,e12,e13,e23 " + problem);
    } else {
      if (const std::string_view near = meantKey(key); !near.empty())
        diagnostics.warn(
            in.errorAt(word, fmt::format("unknown key '{}' (did you mean '{}'?); it is "
                                         "kept as it is",
                                         shown(key), near)));
      carried.others.emplace_back(word);
    }
  }
  // A given mass stays what it is: without a density the particle has density 1.
  if (mass && !carried.density) carried.density = volume ? *mass / *volume : 1.0;
  if (mass && !volume) volume = *mass / *carried.density;
  if (mass && std::fabs(*mass - *carried.density * *volume) > 1e-6 * *mass)
    throw in.errorAt(massWord,
                     fmt::format("mass: expected density times volume, {:.9g}, found '{}'",
                                 *carried.density * *volume, shown(massWord)));
  if (!volume && !position && !inertia) return;
  if (!volume || !position || !inertia)
    throw in.errorAt(inertiaWord,
                     "given mass properties need volume= (or mass=), position= and inertia= "
                     "together");
  carried.given = GivenMass{*volume, *position, *inertia};
}

}  // namespace scree::clump
