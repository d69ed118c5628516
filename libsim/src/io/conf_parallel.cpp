// SPDX-License-Identifier: GPL-3.0-or-later
// Long lists of conf-files, read by several threads.
//
// A scan of line ends, ten times faster than reading, cuts the list into pieces of whole lines. It
// also counts the lines that hold a record. Each piece is read by the code that reads the whole
// list. Suppose each gives just as many records as it has such lines, with nothing left over. Then
// one thread would have read the same: it comes to the first word of each piece at the start of a
// record.
#include "conf_values.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {
namespace {

/// Whole lines of a list.
struct Piece {
  std::string_view text;             ///< up to the end of the line of its last record
  std::size_t line = 1;              ///< that `text` begins on
  std::size_t first = 0, count = 0;  ///< records
};

/// The first character of a line that is no blank; 0 where there is none.
char firstCharacter(std::string_view line) {
  for (const char c : line)
    if (c != ' ' && !(c >= '\t' && c <= '\r')) return c;
  return '\0';
}

/// The lines of `text` with the next `n` records, in pieces of some `bytes`. None where a line
/// begins with `odd` or the text ends too soon.
std::vector<Piece> piecesOf(std::string_view text, std::size_t line, std::size_t n,
                            std::size_t bytes, char odd) {
  std::vector<Piece> pieces;
  std::size_t begin = 0, beginLine = line, counted = 0, first = 0;
  for (std::size_t at = 0; counted < n; ++line) {
    if (at >= text.size()) return {};
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const char c = firstCharacter(text.substr(at, end - at));
    if (c == odd && c != '\0') return {};
    at = end + 1;
    if (c == '\0' || c == '#') continue;
    ++counted;
    if (end - begin < bytes && counted < n) continue;
    pieces.push_back({text.substr(begin, end - begin), beginLine, first, counted - first});
    begin = end;  // the line end belongs to the next piece
    beginLine = line;
    first = counted;
  }
  return pieces;
}

/// Calls read(reader, piece index) on all threads, where `reader` stands at the start of the piece,
/// and takes `in` behind the last one. `read` returns whether the piece was as it looked.
/// @returns whether all were
template <class Read>
bool readPieces(TextReader& in, const std::vector<Piece>& pieces, int threads, Read&& read) {
  std::atomic<bool> odd{false};
  std::optional<TextReader> last;
  parallelJobs(threads, pieces.size(), [&](std::size_t k) {
    if (odd.load(std::memory_order_relaxed)) return;
    TextReader part = in.part(pieces[k].text, pieces[k].line);
    bool fine = false;
    try {
      fine = read(part, k);
    } catch (const ParseError&) {  // reported by the thread that reads it again
    }
    if (k + 1 == pieces.size()) last = part;
    if (!fine || !part.atEnd()) odd = true;
  });
  if (odd) return false;
  in.goOnBehind(*last);
  return true;
}

bool readParticles(TextReader& in, Conf& conf, const std::vector<Piece>& pieces, std::size_t n,
                   int threads) {
  conf.particles.resize(n);
  conf.particleLines.resize(n);
  std::vector<ParticleLines> lines(pieces.size());
  const bool done = readPieces(in, pieces, threads, [&](TextReader& part, std::size_t k) {
    for (std::size_t r = pieces[k].first, end = r + pieces[k].count; r < end;) {
      const auto kind = lines[k].read(part, conf.particles[r], conf.particleLines[r]);
      if (kind == ParticleLines::Kind::body)
        ++r;
      else if (kind != ParticleLines::Kind::comment)
        return false;
    }
    return true;
  });
  if (!done) {
    conf.particles = {};
    conf.particleLines = {};
    return false;
  }
  // Names are numbered as if one thread had met them: in the order of the list.
  std::map<std::string_view, std::uint32_t> numbers;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    std::vector<std::uint32_t> inConf;
    for (const std::string& name : lines[k].names()) {
      const auto [at, isNew] = numbers.emplace(name, static_cast<std::uint32_t>(numbers.size()));
      if (isNew) conf.shapeNames.push_back(name);
      inConf.push_back(at->second);
    }
    for (std::size_t r = pieces[k].first, end = r + pieces[k].count; r < end; ++r)
      conf.particles[r].shapeName = inConf[conf.particles[r].shapeName];
  }
  return true;
}

bool readInteractions(TextReader& in, Conf& conf, const std::vector<Piece>& pieces, std::size_t n,
                      int threads) {
  conf.interactions.resize(n);
  conf.interactionLines.resize(n);
  const bool done = readPieces(in, pieces, threads, [&](TextReader& part, std::size_t k) {
    for (std::size_t r = pieces[k].first, end = r + pieces[k].count; r < end; ++r)
      readInteraction(part, n, r, conf.interactions[r], conf.interactionLines[r]);
    return true;
  });
  if (!done) {
    conf.interactions = {};
    conf.interactionLines = {};
  }
  return done;
}

}  // namespace

bool readBlockInParallel(std::string_view block, TextReader& in, Conf& conf, int threads) {
  const bool particles = block == "Particles";
  if (threads < 2 ||
      !(particles ? conf.particles.empty() : block == "Interactions" && conf.interactions.empty()))
    return false;
  TextReader list = in;
  std::size_t n = 0;
  try {
    n = list.count(block, leastRecordBytes);
  } catch (const ParseError&) {
    return false;
  }
  if (list.rest().size() < leastParallelBytes) return false;
  // Some pieces a thread, since threads may get unequal shares of their cores.
  const std::size_t bytes = std::max(leastParallelBytes / 8,
                                     list.rest().size() / (8 * static_cast<std::size_t>(threads)));
  const auto pieces = piecesOf(list.rest(), list.line(), n, bytes, particles ? '!' : '\0');
  if (pieces.size() < 2) return false;
  if (!(particles ? readParticles(list, conf, pieces, n, threads)
                  : readInteractions(list, conf, pieces, n, threads)))
    return false;
  in = list;
  return true;
}

void passOverList(std::string_view block, TextReader& in) {
  const std::size_t n = in.count(block, leastRecordBytes);
  if (n == 0) return;
  const std::string_view rest = in.rest();
  const auto pieces = piecesOf(rest, in.line(), n, rest.size(), '\0');
  if (pieces.empty())
    throw in.error(fmt::format("{}: expected {} lines, found fewer up to the end", block, n));
  const std::string_view list = pieces.back().text;
  const auto end = static_cast<std::size_t>(list.data() - rest.data()) + list.size();
  const auto lines = static_cast<std::size_t>(std::ranges::count(list, '\n'));
  const TextReader last = in.part(rest.substr(end), pieces.back().line + lines);
  in.goOnBehind(last);
}

}  // namespace scree::sim
