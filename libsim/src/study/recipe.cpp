// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/study/recipe.hpp"

#include "study/generator.hpp"

#include "scree/base/condition.hpp"
#include "scree/base/files.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace scree::sim {
namespace {

/// Lines that one recipe may run, with those of its loops, and how deep loops may be nested.
constexpr std::size_t mostLines = 1'000'000, mostLoops = 100;

/// A word of a line, without its quotes, and its place in the text.
struct RecipeWord {
  std::string text;
  std::string_view at;
};
using RecipeLine = std::vector<RecipeWord>;
using Texts = std::vector<std::string>;

/// The lines that hold words. A `#` begins a comment. A backslash keeps the next character as it
/// is; at the end of a line it joins the next line.
/// @param quotes  characters that keep blanks between two of them; '$' itself stays in the word
std::vector<RecipeLine> recipeLines(const TextReader& in, std::string_view quotes) {
  const std::string_view text = in.rest();
  std::vector<RecipeLine> lines(1);
  std::string word;
  std::size_t begin = text.npos;
  char quote = 0;
  for (std::size_t k = 0; k <= text.size(); ++k) {
    const char c = k < text.size() ? text[k] : '\n';
    const bool joins = c == '\\' && (text.substr(k + 1).starts_with('\n') ||
                                     text.substr(k + 1).starts_with("\r\n"));
    if (c == '\n' || joins || (!quote && (c == '#' || c == ' ' || (c >= '\t' && c <= '\r')))) {
      if (quote)
        throw in.errorAt(text.substr(begin, 0),
                         fmt::format("expected a closing {} on this line", quote));
      if (begin != text.npos)
        lines.back().push_back({std::move(word), text.substr(begin, k - begin)});
      word.clear();
      begin = text.npos;
      if (c == '#') k = std::min(text.find('\n', k), text.size()) - 1;
      if (joins) k = text.find('\n', k);
      if (c == '\n' && !lines.back().empty()) lines.emplace_back();
      continue;
    }
    if (begin == text.npos) begin = k;
    const bool turns = quote ? c == quote : quotes.find(c) != quotes.npos;
    if (turns) quote = quote ? '\0' : c;
    if (c == '\\' && k + 1 < text.size())
      word += text[++k];
    else if (!turns || c == '$')
      word += c;
  }
  lines.pop_back();
  return lines;
}

/// A number as sweepable prints it, with six digits; other words as they are.
std::string printed(const std::string& word) {
  char* end = nullptr;
  const double number = std::strtod(word.c_str(), &end);  // takes 0x10, too
  const bool whole = !word.empty() && end == word.data() + word.size();
  return whole && std::isfinite(number) ? fmt::format("{:g}", number) : word;
}

bool inName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Runs recipes of lines, with variables and loops: verbs of packgen, or the commands of sweepable,
/// which copy a text and replace lines of it.
class Script {
 public:
  using S = Script;
  using W = const Texts&;

  Script(const TextReader& in, const RecipeOptions& options, RecipeResult& result, bool sweeps)
      : in_(in),
        options_(options),
        result_(result),
        sweeps_(sweeps),
        open_(sweeps_ ? ".foreach" : "for"),
        close_(sweeps_ ? ".endforeach" : "end"),
        lines_(recipeLines(in, sweeps_ ? "\"" : "\"'$")),
        ends_(lines_.size()) {}

  struct Command {
    std::string_view name;
    std::size_t words;       ///< that it needs
    void (*run)(S& s, W w);  ///< with the words behind it
  };
  static const std::array<Command, 17> commands;

  void run() {
    std::vector<std::string_view> known{open_, close_, "let"};
    known.insert(known.end(), options_.verbs.begin(), options_.verbs.end());
    for (const Command& command : commands) known.push_back(command.name);
    std::vector<std::size_t> loops;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      const RecipeWord& first = lines_[k].front();
      if (passedOver(first)) continue;
      if (std::ranges::find(known, first.text) == known.end())
        fail(first, fmt::format("unknown {} '{}'{}", sweeps_ ? "command" : "verb",
                                shown(first.text), suggestion(first.text, known)));
      if (first.text == open_) loops.push_back(k);
      if (loops.size() > mostLoops) fail(first, "more than 100 loops in one another");
      if (first.text != close_) continue;
      if (loops.empty()) fail(first, fmt::format("{} without {}", close_, open_));
      if (lines_[k].size() > 1)
        fail(lines_[k][1], fmt::format("more than {} on this line", close_));
      ends_[loops.back()] = k;
      loops.pop_back();
    }
    if (!loops.empty())
      fail(lines_[loops.back()].front(), fmt::format("{} without {}", open_, close_));
    runLines(0, lines_.size());
  }

 private:
  [[noreturn]] void fail(const RecipeWord& at, const std::string& message) const {
    throw in_.errorAt(at.at, message);
  }
  bool passedOver(const RecipeWord& first) const { return sweeps_ && !first.text.starts_with('.'); }

  void runLines(std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      const RecipeWord& first = lines_[k].front();
      if (++ran_ > mostLines) fail(first, fmt::format("more than {} lines run", mostLines));
      if (first.text == open_) {
        runLoop(k);
        k = ends_[k];
        continue;
      }
      runAt(in_, first.at, [&] { runLine(lines_[k]); });
    }
  }
  void runLoop(std::size_t k) {
    const Texts values = valuesOf(lines_[k]);
    const std::string& name = nameOf(lines_[k][1]);
    auto outer = variables_.extract(name);
    for (const std::string& value : values) {
      if (++ran_ > mostLines)
        fail(lines_[k].front(), fmt::format("more than {} lines run", mostLines));
      variables_[name] = value;
      runLines(k + 1, ends_[k]);
    }
    if (!sweeps_ || outer) variables_.erase(name);
    variables_.insert(std::move(outer));
  }

  /// The name that a line of verbs gives a value.
  const std::string& nameOf(const RecipeWord& word) const {
    const std::string& name = word.text;
    if (!sweeps_ && (name.empty() || !std::ranges::all_of(name, inName) || name[0] <= '9'))
      fail(word, fmt::format("'{}': expected a name of letters and digits", shown(name)));
    return name;
  }

  /// The values of a loop, whose line it is.
  Texts valuesOf(const RecipeLine& line) const {
    const std::size_t first = sweeps_ ? 2 : 3;
    if (line.size() <= first || (!sweeps_ && line[2].text != "in"))
      fail(line.front(), fmt::format("expected {} NAME {}VALUE...", open_, sweeps_ ? "" : "in "));
    Texts values;
    for (std::size_t k = first; k < line.size(); ++k)
      if (sweeps_)
        values.push_back(printed(line[k].text));
      else if (const std::string word = replaced(line[k]); !addRange(word, line[k], values))
        values.push_back(word);
    return values;
  }
  /// Adds the values of `A:B` or `A:B:STEP`. @returns whether the word is a range
  bool addRange(const std::string& word, const RecipeWord& at, Texts& values) const {
    std::vector<double> v;
    for (const std::string& part : partsOf(word, ':')) v.push_back(parseNumber(part).value_or(NAN));
    v.resize(std::max<std::size_t>(v.size(), 3), 1.0);
    const double steps = (v[1] - v[0]) / v[2];
    if (v.size() > 3 || word.find(':') == word.npos || std::isnan(v[0] + v[1] + v[2])) return false;
    if (!(steps >= 0.0 && steps <= static_cast<double>(mostLines)))
      fail(at, fmt::format("{}: expected a range of 0 to {} steps", shown(word), mostLines));
    // Twelve digits: 0:1:0.1 has the value 0.3.
    for (double k = 0.0; k <= steps + 1e-9; ++k)
      values.push_back(fmt::format("{:.12g}", v[0] + k * v[2]));
    return true;
  }

  double valueOf(std::string_view formula, const RecipeWord& at) const {
    std::vector<Condition::Name> names;
    Texts values;
    for (const auto& [name, value] : variables_) {
      names.push_back({name, !parseNumber(value)});
      values.push_back(value);
    }
    try {
      const double value = Condition(formula, names).number([&](std::size_t k) {
        return names[k].text ? Condition::Value(values[k]) : *parseNumber(values[k]);
      });
      if (!std::isfinite(value)) throw ExpressionError("the result is not a finite number", 0);
      return value;
    } catch (const ExpressionError& error) {
      fail(at, fmt::format("in '{}': {}", shown(formula), error.what()));
    }
  }

  /// A word with values in place of `$FORMULA$`; for sweepable of `$NAME` and `${NAME}`, if known.
  std::string replaced(const RecipeWord& word) const {
    const Texts parts = partsOf(word.text, '$');
    std::string out = parts[0];
    for (std::size_t k = 1; k < parts.size(); ++k) {
      const std::string& part = parts[k];
      const bool braced = sweeps_ && part.starts_with('{');
      std::size_t end = braced ? part.find('}') : part.size();
      if (sweeps_ && !braced) end = std::ranges::find_if_not(part, inName) - part.begin();
      const auto variable = variables_.find(part.substr(braced, end - braced));
      const bool isKnown = variable != variables_.end() && end <= part.size();
      if (sweeps_)
        out += isKnown ? variable->second + part.substr(end + braced) : '$' + part;
      else if (k % 2 == 0)
        out += part;
      else
        out += isKnown ? variable->second : fmt::format("{}", valueOf(part, word) + 0.0);
    }
    return out;
  }

  void runLine(const RecipeLine& line) {
    if (passedOver(line.front())) return;
    const bool lets = line.front().text == (sweeps_ ? ".set" : "let");
    Texts w;
    for (const RecipeWord& word : line) w.push_back(lets && sweeps_ ? word.text : replaced(word));
    if (sweeps_) {
      const Command& command = *std::ranges::find(commands, w.front(), &Command::name);
      w.erase(w.begin());
      if (w.size() < command.words)
        throw UsageError(fmt::format("expected {} word(s) behind {}", command.words, command.name));
      return command.run(*this, w);
    }
    if (!lets) return options_.runVerb(w);
    if (w.size() < 4 || w[2] != "=") throw UsageError("expected let NAME = FORMULA");
    w.erase(w.begin(), w.begin() + 3);
    const double value = valueOf(fmt::format("{}", fmt::join(w, " ")), line[3]);
    variables_[nameOf(line[1])] = fmt::format("{}", value + 0.0);
  }

  void read(const std::string& name) {
    const auto made = result_.files.find(name);
    const std::string path = (std::filesystem::path(options_.folder) / name).string();
    if (made == result_.files.end()) result_.inputs.push_back(path);
    const std::string text = made == result_.files.end() ? readFile(path) : made->second;
    text_ = partsOf(text, '\n');
    if (text_.back().empty()) text_.pop_back();
    chosen_.reset();
  }
  /// Number of the first line that begins with `prefix`; empty where none does and that is allowed.
  std::optional<std::size_t> lineWith(const std::string& prefix) const {
    for (std::size_t k = 0; k < text_.size(); ++k)
      if (text_[k].starts_with(prefix)) return k;
    if (!mayLack_) throw UsageError(fmt::format("no line begins with '{}'", shown(prefix)));
    return {};
  }
  /// Replaces `part` of the selected line, or all of it.
  void replace(const std::optional<std::string>& part, const std::string& by) {
    if (!chosen_ && !mayLack_) throw UsageError("no line is selected");
    if (!chosen_) return;
    std::string& line = text_[*chosen_];
    const std::size_t at = part ? line.find(*part) : 0;
    if (at != line.npos)
      line.replace(at, part ? part->size() : line.size(), by);
    else if (!mayLack_)
      throw UsageError(fmt::format("the selected line has no '{}'", shown(*part)));
  }
  void replaceAll(const std::string& prefix, const std::string& by) {
    if (!lineWith(prefix)) return;
    for (std::string& line : text_)
      if (line.starts_with(prefix)) line = by;
  }
  void insert(const std::string& prefix, const std::string& line) {
    const auto at = lineWith(prefix);
    if (!at) return;
    text_.insert(text_.begin() + static_cast<std::ptrdiff_t>(*at) + 1, line);
    if (chosen_ && *chosen_ > *at) ++*chosen_;  // still the same line
  }
  void write(const std::string& path, const Texts& lines) {
    std::string text;
    for (const std::string& line : lines) (text += line) += '\n';
    result_.files[pathBelow(path)] = std::move(text);
  }
  void save(const std::string& folder) {
    if (folder.empty()) throw UsageError("no folder is set");
    collection_.push_back(folder + '/' + name_);
    write(collection_.back(), text_);
  }

  const TextReader& in_;
  const RecipeOptions& options_;
  RecipeResult& result_;
  bool sweeps_;
  std::string_view open_, close_;  ///< words of a loop
  std::vector<RecipeLine> lines_;
  std::vector<std::size_t> ends_;  ///< of loops: the line that ends each
  std::size_t ran_ = 0;
  std::map<std::string, std::string, std::less<>> variables_;
  // State of the commands of sweepable.
  Texts text_, collection_;
  std::optional<std::size_t> chosen_;  ///< a line of the text
  std::string folder_, name_ = "input.txt";
  bool mayLack_ = false;
};

const std::array<Script::Command, 17> Script::commands{{
    {".set", 2, [](S& s, W w) { s.variables_[w[0]] = printed(w[1]); }},
    {".verbose", 0, [](S&, W) {}},
    {".mute", 0, [](S&, W) {}},
    {".quiet", 0, [](S&, W) {}},
    {".read", 1, [](S& s, W w) { s.read(w[0]); }},
    {".setOutputFilename", 1, [](S& s, W w) { s.name_ = w[0]; }},
    {".findLineStartingWith", 1, [](S& s, W w) { s.chosen_ = s.lineWith(w[0]); }},
    {".replaceBy", 1, [](S& s, W w) { s.replace({}, w[0]); }},
    {".replaceAllStartingWith", 2, [](S& s, W w) { s.replaceAll(w[0], w[1]); }},
    {".replaceInLine", 2, [](S& s, W w) { s.replace(w[0], w[1]); }},
    {".insertAfter", 2, [](S& s, W w) { s.insert(w[0], w[1]); }},
    {".appendLine", 1, [](S& s, W w) { s.text_.push_back(w[0]); }},
    {".createFolder", 1, [](S& s, W w) { s.folder_ = w[0]; }},
    {".saveInFolder", 0, [](S& s, W w) { s.save(w.empty() ? s.folder_ : w[0]); }},
    {".silentIfNotFound", 0, [](S& s, W w) { s.mayLack_ = w.empty() || w[0] != "false"; }},
    {".clearCollection", 0, [](S& s, W) { s.collection_.clear(); }},
    {".saveCollection", 1, [](S& s, W w) { s.write(w[0], s.collection_); }},
}};

}  // namespace

std::string pathBelow(std::string_view path) {
  const std::filesystem::path whole(path);
  if (path.empty() || whole.is_absolute() || std::ranges::find(whole, "..") != whole.end())
    throw UsageError(
        fmt::format("'{}': expected a path below the folder of the outputs", shown(path)));
  return whole.lexically_normal().string();
}

RecipeResult runRecipe(TextReader recipe, const RecipeOptions& options) {
  RecipeResult result;
  std::string_view word;  // the first one that a language knows, else the last one
  for (TextReader in = recipe; !in.atEnd(); in.skipLine()) {
    word = in.word("command");
    if (word.starts_with('.') || isGeneratorCommand(word) || word == "let" || word == "for" ||
        std::ranges::find(options.verbs, word) != options.verbs.end())
      break;
  }
  if (isGeneratorCommand(word))
    runGenerator(std::move(recipe), options, result);
  else
    Script(recipe, options, result, word.starts_with('.')).run();
  return result;
}

}  // namespace scree::sim
