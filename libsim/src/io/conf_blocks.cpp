// SPDX-License-Identifier: GPL-3.0-or-later
#include "conf_values.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace scree::sim {
namespace {

template <class Key>
void readSubElements(TextReader& in, Key& key) {
  readValue(in, "type of contact (0 vertex-vertex, 1 vertex-edge, 2 vertex-face, 3 edge-edge)",
            key.pairing);
  readValue(in, "index of a sub-element", key.iSub);
  readValue(in, "index of a sub-element", key.jSub);
}

/// Words of a particle line: name, group, cluster, homothety, five vectors, a quaternion.
constexpr std::size_t particleWords = 23;

bool isKeyword(std::string_view word) {
  const auto is = [word](const ConfKeyword& k) {
    return k.name == word || std::find(k.aliases.begin(), k.aliases.end(), word) != k.aliases.end();
  };
  return word == "EOF" || std::any_of(confKeywords().begin(), confKeywords().end(), is);
}

bool beginsNumber(std::string_view word) {
  return !word.empty() && (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '+' ||
                           word[0] == '-' || word[0] == '.' || word[0] == '$');
}

void skipComments(TextReader& in) {
  while (!in.atEnd() && in.peek()[0] == '#') {
    in.word("");
    in.skipLine();
  }
}

/// Skips comments; complains where the list of `block` ends before its count is reached.
void expectLine(TextReader& in, std::string_view block, std::size_t announced, std::size_t found) {
  skipComments(in);
  if (in.atEnd() || !beginsNumber(in.peek()))
    throw in.errorAtNext(fmt::format("{}: {} announced, found {}", block, announced, found));
}

/// [bytes] of a file that a line of Particles or Interactions takes at least.
constexpr std::size_t leastRecordBytes = 46;

/// The beginning of a line: its first byte, and its number.
struct LineStart {
  std::size_t at, line;
};

/// Beginnings of lines 0, each, 2 each ... of a list of `n` lines that comes next in a text, and of
/// the line behind it; fewer if the text ends before. Comments and blank lines do not count.
std::vector<LineStart> startsOfLines(TextReader& in, std::size_t n, std::size_t each) {
  const std::string_view rest = in.rest();
  std::vector<LineStart> starts;
  std::size_t at = 0, line = in.line();
  for (std::size_t k = 0; at < rest.size() && k < n; ++line) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    const std::size_t first = rest.find_first_not_of(" \t\v\f\r", at);
    if (first < end && rest[first] != '#' && k++ % each == 0) starts.push_back({at, line});
    at = std::min(end + 1, rest.size());
    if (k == n) starts.push_back({at, line + 1});
  }
  return starts;
}

/// Reads a list of `n` lines on several threads, read(reader, k) line k each.
/// @returns false, and leaves `in` where it is, unless each line is an item that read() takes; then
/// the list is to be read in its order, which finds the first error
template <class F>
bool readLines(TextReader& in, std::size_t n, F&& read) {
  constexpr std::size_t each = 1024;
  const int threads = availableThreads();
  if (threads == 1 || n < 2 * each) return false;
  const std::string_view rest = in.rest();
  const std::vector<LineStart> starts = startsOfLines(in, n, each);
  if (starts.size() != (n - 1) / each + 2) return false;
  TextReader end = in;
  try {
    parallelFor(threads, starts.size() - 1, [&](std::size_t b) {
      const auto [from, line] = starts[b];
      TextReader part = in.part(rest.substr(from, starts[b + 1].at - from), line);
      for (std::size_t k = b * each; k < std::min(n, (b + 1) * each); ++k) {
        skipComments(part);
        read(part, k);
      }
      skipComments(part);  // behind the last line
      if (!part.atEnd()) throw part.errorAtNext("");
      if (b + 2 == starts.size()) end = part;
    });
  } catch (const ParseError&) {
    return false;
  }
  in.goOnBehind(end);
  return true;
}

}  // namespace

void readParticles(TextReader& in, Conf& conf, Diagnostics&) {
  if (!conf.particles.empty()) throw in.error("Particles: given twice");
  const std::size_t n = in.count("Particles", leastRecordBytes);
  std::vector<std::string_view> names(n);
  conf.particles.resize(n);
  conf.particleLines.resize(n);
  const auto read = [&](TextReader& from, std::size_t k) {
    names[k] = from.word("Particles");
    ParticleRecord& p = conf.particles[k];
    conf.particleLines[k] = static_cast<std::uint32_t>(from.line());
    p.group = group(from);
    p.cluster = static_cast<std::int32_t>(from.integer("cluster", INT32_MIN, INT32_MAX));
    p.homothety = from.positive("homothety");
    p.pos = from.vec3("position");
    p.vel = from.vec3("velocity");
    p.acc = from.vec3("acceleration");
    p.q = from.quaternion("orientation");
    if (!(p.q.squaredNorm() > 1e-18))
      throw from.error("orientation: expected a unit quaternion w x y z, found one of length 0");
    p.vrot = from.vec3("angular velocity");
    p.arot = from.vec3("angular acceleration");
  };
  const auto readLine = [&](TextReader& from, std::size_t k) {
    read(from, k);
    if (names[k][0] == '!' || from.line() != conf.particleLines[k] || from.nextOnSameLine())
      throw from.error("");
  };
  std::size_t found = n, disabled = 0;
  std::set<std::string_view> known;
  if (!readLines(in, n, readLine))
    for (found = 0; found + disabled < n;) {
      const std::string_view word = in.peek();
      const bool skipped = !word.empty() && (word[0] == '#' || word[0] == '!');
      const bool isNew =
          !skipped && (found == 0 || word != names[found - 1]) && known.insert(word).second;
      // A shape may have the name of a keyword; the length of its line decides what it is.
      if (word.empty() || (isNew && isKeyword(word) && in.valuesOnLine() != particleWords))
        throw in.errorAtNext(fmt::format("Particles: {} announced, found {}", n, found + disabled));
      if (!skipped) {
        read(in, found++);
        continue;
      }
      in.word("Particles");
      in.skipLine();
      disabled += word[0] == '!';
    }
  conf.particles.resize(found);
  conf.particleLines.resize(found);
  std::map<std::string_view, std::uint32_t> numbers;
  for (std::size_t k = 0; k < found; ++k) {
    if (k > 0 && names[k] == names[k - 1]) {  // as neighbours in the list mostly have one shape
      conf.particles[k].shapeName = conf.particles[k - 1].shapeName;
      continue;
    }
    const auto [at, isNew] =
        numbers.emplace(names[k], static_cast<std::uint32_t>(conf.shapeNames.size()));
    if (isNew) conf.shapeNames.emplace_back(names[k]);
    conf.particles[k].shapeName = at->second;
  }
}

void readInteractions(TextReader& in, Conf& conf, Diagnostics&) {
  if (!conf.interactions.empty()) throw in.error("Interactions: given twice");
  const std::size_t n = in.count("Interactions", leastRecordBytes);
  reserveOnThreads(conf.interactions, n);
  conf.interactions.resize(n);
  conf.interactionLines.resize(n);
  const auto read = [&](TextReader& from, std::size_t k) {
    expectLine(from, "Interactions", n, k);
    InteractionRecord& r = conf.interactions[k];
    readValue(from, "body i", r.key.i);
    conf.interactionLines[k] = static_cast<std::uint32_t>(from.line());
    readValue(from, "body j", r.key.j);
    if (r.key.i == r.key.j) throw from.error("body j: a body cannot touch itself");
    readSubElements(from, r.key);
    r.n = from.vec3("n");
    r.dn = from.number("dn");
    r.pos = from.vec3("position");
    r.vel = from.vec3("relative velocity");
    r.fn = from.number("fn");
    r.ft = from.vec3("ft");
    r.mom = from.vec3("mom");
    r.damp = from.number("damp");
  };
  if (readLines(in, n, read)) return;
  for (std::size_t k = 0; k < n; ++k) read(in, k);
}

void passOverInteractions(TextReader& in) {
  const std::size_t n = in.count("Interactions", leastRecordBytes);
  if (n == 0) return;
  const std::vector<LineStart> starts = startsOfLines(in, n, n);
  if (starts.size() < 2)
    throw in.error(fmt::format("Interactions: expected {} lines, found fewer up to the end", n));
  in.goOnBehind(in.part(in.rest().substr(starts.back().at), starts.back().line));
}

void readInterfaces(TextReader& in, Conf& conf, Diagnostics&) {
  if (!conf.interfaces.empty()) throw in.error("Interfaces: given twice");
  const std::size_t n = in.count("Interfaces", 6);
  conf.interfaces.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    expectLine(in, "Interfaces", n, k);
    InterfaceRecord face;
    readValue(in, "body i", face.i);
    conf.interfaceLines.push_back(static_cast<std::uint32_t>(in.line()));
    readValue(in, "body j", face.j);
    if (face.i == face.j) throw in.error("body j: a body cannot be glued to itself");
    const std::size_t bonds = in.count("number of bonds", 6);
    // Five layouts have been in use; the number of words left on the line decides.
    const std::size_t words = in.nextOnSameLine() ? in.valuesOnLine() : 0;
    const std::size_t extra = words >= 3 * bonds ? words - 3 * bonds : 99;
    const bool hasDn0 = extra == 1 || extra == 8 || extra == 9;
    const std::size_t params = extra == 7 || extra == 8 ? 7 : extra == 9 ? 8 : 0;
    if (extra != 0 && extra != 1 && params == 0)
      throw in.error(
          fmt::format("Interfaces: {} bonds need {} more numbers on this line, or 1, 7, 8 or 9 "
                      "beyond that; found {}",
                      bonds, 3 * bonds, words));
    if (hasDn0) face.dn0 = in.number("dn0");
    if (params > 0) {
      BondParameters& p = face.params.emplace();
      for (double* value : {&p.kn, &p.kt, &p.kr, &p.fn0, &p.ft0, &p.mom0, &p.power})
        *value = in.notNegative("parameter of an interface");
      if (params == 8) p.gc = in.notNegative("Gc of an interface");
    }
    for (std::size_t b = 0; b < bonds; ++b) readSubElements(in, face.bonds.emplace_back());
    conf.interfaces.push_back(std::move(face));
  }
}

void refuseExcessLine(TextReader& in, std::string_view block, std::string_view word) {
  const std::size_t others = in.nextOnSameLine() ? in.valuesOnLine() : 0;
  if (block == "Particles" ? !beginsNumber(word) && others == particleWords - 1
                           : beginsNumber(word) && others >= 2)
    throw in.error(
        fmt::format("{0}: more lines than announced; the number after {0} counts all", block));
}

void writeParticles(TextWriter& out, const Conf& conf) {
  out.line("Particles", conf.particles.size());
  out.line(
      "#name group cluster homothety pos.x pos.y pos.z vel.x vel.y vel.z acc.x acc.y acc.z Q.w Q.x "
      "Q.y "
      "Q.z vrot.x vrot.y vrot.z arot.x arot.y arot.z");
  out.setDecimals(conf.precision);
  out.lines(conf.particles.size(), [&](TextWriter& to, std::size_t k) {
    const ParticleRecord& p = conf.particles[k];
    to.line(conf.shapeNameOf(p), p.group, p.cluster, p.homothety, p.pos, p.vel, p.acc, p.q, p.vrot,
            p.arot);
  });
  out.setDecimals(-1);
}

void writeInteractions(TextWriter& out, const Conf& conf) {
  out.line("Interactions", conf.interactions.size());
  out.setDecimals(conf.precision);
  out.lines(conf.interactions.size(), [&](TextWriter& to, std::size_t k) {
    const InteractionRecord& r = conf.interactions[k];
    to.line(r.key.i, r.key.j, static_cast<int>(r.key.pairing), r.key.iSub, r.key.jSub, r.n, r.dn,
            r.pos, r.vel, r.fn, r.ft, r.mom, r.damp);
  });
  out.setDecimals(-1);
}

void writeInterfaces(TextWriter& out, const Conf& conf) {
  out.line("Interfaces", conf.interfaces.size());
  for (const InterfaceRecord& face : conf.interfaces) {
    out.put(face.i).put(face.j).put(face.bonds.size()).put(face.dn0);
    if (face.params) {
      const BondParameters& p = *face.params;
      out.put(p.kn).put(p.kt).put(p.kr).put(p.fn0).put(p.ft0).put(p.mom0).put(p.power).put(p.gc);
    }
    for (const BondRecord& b : face.bonds)
      out.put(static_cast<int>(b.pairing)).put(b.iSub).put(b.jSub);
    out.endLine();
  }
  // Values for which the format has no place, by the number of the interface.
  for (std::size_t k = 0; k < conf.interfaces.size(); ++k) {
    const InterfaceRecord& face = conf.interfaces[k];
    const bool slips = std::any_of(face.bonds.begin(), face.bonds.end(),
                                   [](const BondRecord& b) { return !b.slip.isZero(0.0); });
    if (face.area || slips) {
      out.put("#scree").put("interface").put(k).put(face.area.value_or(-1.0));
      if (slips)
        for (const BondRecord& b : face.bonds) out.put(b.slip.x()).put(b.slip.y()).put(b.slip.z());
      out.endLine();
    }
    if (std::ranges::any_of(face.bonds, [](const BondRecord& b) { return b.extraGap != 0.0; })) {
      out.put("#scree").put("restGaps").put(k);
      for (const BondRecord& b : face.bonds) out.put(b.extraGap);
      out.endLine();
    }
  }
}

namespace {

/// The interface that a line `#scree` names.
InterfaceRecord& interfaceOf(TextReader& in, Conf& conf, const std::string& line) {
  if (conf.interfaces.empty()) throw in.error(line + ": expected after Interfaces");
  const auto last = static_cast<std::int64_t>(conf.interfaces.size()) - 1;
  return conf.interfaces[static_cast<std::size_t>(in.integer(line, 0, last))];
}

}  // namespace

void readInterfaceState(TextReader& in, Conf& conf) {
  InterfaceRecord& face = interfaceOf(in, conf, "#scree interface");
  if (const double area = in.number("area of an interface"); area >= 0.0) face.area = area;
  if (!in.nextOnSameLine()) return;
  for (BondRecord& b : face.bonds) b.slip = in.vec3("slip of a bond");
}

void readRestGaps(TextReader& in, Conf& conf) {
  for (BondRecord& b : interfaceOf(in, conf, "#scree restGaps").bonds)
    b.extraGap = in.number("#scree restGaps");
}

}  // namespace scree::sim
