// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_line.hpp"

#include "verb.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace scree::tools {
namespace {

std::vector<const CLI::App*> verbsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> verbNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbsOf(app))
    if (!verb->get_group().empty()) names.push_back(verb->get_name());
  return names;
}

/// The verb that the command line names; the tool itself without one.
const CLI::App& ownerOf(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? app : *named.front();
}

/// With dashes.
std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The first option of the command line that neither the tool nor its verb has.
std::optional<std::string> unknownOption(const CLI::App& app, const std::vector<std::string>& known,
                                         int argc, const char* const* argv) {
  const auto name = [](const std::string& word) { return word.substr(0, word.find('=')); };
  for (const std::string& word : app.remaining(true))
    if (word.size() > 1 && word[0] == '-' && word != "--" && !parseNumber(word)) return name(word);
  // The parser may have given up before it came to a word.
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    if (word == "--") break;
    if (word.size() > 2 && word.starts_with("--") && !contains(known, name(word)))
      return name(word);
  }
  return std::nullopt;
}

/// Where else the option exists, or which one may be meant.
std::string adviceFor(const CLI::App& app, const std::string& option,
                      const std::vector<std::string>& known) {
  std::vector<std::string> owners;
  for (const CLI::App* verb : verbsOf(app))
    if (contains(optionNames(*verb), option)) owners.push_back(verb->get_name());
  if (!owners.empty()) return fmt::format("; it is an option of {}", fmt::join(owners, ", "));
  if (!option.starts_with("--")) return {};
  const std::vector<std::string_view> words(known.begin(), known.end());
  return suggestion(option, words);
}

/// Why `word` is no value of an option for whole numbers; empty where it is one. The parser takes
/// -1 for the largest number, and too large a number for the largest that fits.
std::string wrongNumber(const std::string& word, bool mayBeNegative) {
  const std::string expected =
      mayBeNegative ? "expected a whole number" : "expected a whole number, 0 or more";
  if (!mayBeNegative && word.find('-') != std::string::npos)
    return fmt::format("{}, found {}", expected, shown(word));
  errno = 0;
  if (mayBeNegative)
    (void)std::strtoll(word.c_str(), nullptr, 0);
  else
    (void)std::strtoull(word.c_str(), nullptr, 0);
  const auto most = mayBeNegative ? static_cast<std::uint64_t>(INT64_MAX) : UINT64_MAX;
  return errno == ERANGE ? fmt::format("{}, {} at most, found {}", expected, most, shown(word))
                         : std::string();
}

/// What stands between `before` and `after` in `text`, and what stands ahead of `before`.
struct Parts {
  std::string_view ahead, between, behind;
};
std::optional<Parts> partsOf(std::string_view text, std::string_view before,
                             std::string_view after) {
  const std::size_t from = text.find(before);
  if (from == std::string_view::npos) return std::nullopt;
  const std::size_t middle = from + before.size();
  const std::size_t to = text.rfind(after);
  if (to == std::string_view::npos || to < middle) return std::nullopt;
  return Parts{text.substr(0, from), text.substr(middle, to - middle),
               text.substr(to + after.size())};
}

std::string valuesText(std::string_view count) {
  return count == "1" ? "one value" : fmt::format("{} values", count);
}

/// The parser's message in the words of the other messages.
std::string plainWords(const CLI::App& app, const std::string& message) {
  if (const auto p = partsOf(message, ": At least ", " required but received "))
    return fmt::format("{}: expected at least {}, found {}", p->ahead, valuesText(p->between),
                       p->behind);
  if (const auto p = partsOf(message, ": At Most ", " required but received "))
    return fmt::format("{}: expected {}{}, found {}", p->ahead, p->between == "1" ? "" : "at most ",
                       valuesText(p->between), p->behind);
  if (const auto p = partsOf(message, ": ", " required "); p && p->behind.ends_with(" missing"))
    return fmt::format("{}: expected {}, found none or too few", p->ahead, valuesText(p->between));
  if (const auto p = partsOf(message, ": Value ", " not in range "))
    return fmt::format("{}: expected a number from {}, found '{}'", p->ahead, p->behind,
                       shown(p->between));
  if (const auto p = partsOf(message, ": ", " not in {"); p && p->behind.ends_with('}')) {
    std::string words(p->behind.substr(0, p->behind.size() - 1));
    for (std::size_t at = 0; (at = words.find(',', at)) != std::string::npos; at += 2)
      words.replace(at, 1, ", ");
    return fmt::format("{}: expected one of {}, found '{}'", p->ahead, words, shown(p->between));
  }
  constexpr std::string_view start = "Could not convert: ";
  const auto p = partsOf(message, start, " = ");
  if (!p) return message;
  const std::string name(p->between);
  const CLI::Option* option = ownerOf(app).get_option_no_throw(name);
  if (!option) option = app.get_option_no_throw(name);
  const std::string type = option ? option->get_type_name() : "";
  const bool whole = type.starts_with("INT") || type.starts_with("UINT");
  if (option && option->get_items_expected_max() == 0)
    return fmt::format("{}: expected no value, or true or false, found '{}'", name,
                       shown(p->behind));
  if (!whole && !type.starts_with("FLOAT")) return message;
  return fmt::format("{}: expected a {}number, found '{}'", name, whole ? "whole " : "", p->behind);
}

}  // namespace

void checkWholeNumbers(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool isSigned = type.starts_with("INT");
    if (isSigned || type.starts_with("UINT"))
      option->check([isSigned](const std::string& word) { return wrongNumber(word, isSigned); },
                    "");
  }
  for (CLI::App* verb : app.get_subcommands([](CLI::App*) { return true; }))
    checkWholeNumbers(*verb);
}

std::string helpHint(const CLI::App& app) {
  const CLI::App& owner = ownerOf(app);
  return fmt::format("{}{} --help lists the options", app.get_name(),
                     &owner == &app ? "" : " " + owner.get_name());
}

std::string usageComplaint(CLI::App& app, const CLI::ParseError& error, int argc,
                           const char* const* argv) {
  const CLI::App& owner = ownerOf(app);
  if (&owner == &app && !verbsOf(app).empty())
    for (const std::string& word : app.remaining()) {
      if (word.starts_with('-')) continue;
      const std::vector<std::string> names = verbNames(app);
      const std::vector<std::string_view> known(names.begin(), names.end());
      return fmt::format("unknown verb '{}'{}; verbs are {}; {} --help lists the options",
                         shown(word), suggestion(word, known), verbList(app), app.get_name());
    }
  std::vector<std::string> known = optionNames(app);
  if (&owner != &app)
    for (const std::string& name : optionNames(owner)) known.push_back(name);
  if (const auto option = unknownOption(app, known, argc, argv))
    return fmt::format("unknown option {}{}; {}", *option, adviceFor(app, *option, known),
                       helpHint(app));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
    if (const auto rest = app.remaining(true); !rest.empty())
      return fmt::format("unexpected argument '{}'; {}", shown(rest.front()), helpHint(app));
  return fmt::format("{}; {}", plainWords(app, error.what()), helpHint(app));
}

std::string verbList(const CLI::App& app) {
  return fmt::format("{}", fmt::join(verbNames(app), ", "));
}

void refuseWithoutVerb(const CLI::App& app) {
  throw UsageError(
      fmt::format("expected a verb: {}; {} --help describes them", verbList(app), app.get_name()));
}

int runVerbs(CLI::App& app, int argc, char** argv, CommonOptions& options,
             const std::vector<Verb>& verbs, const std::function<int()>& noVerb) {
  return runTool(app, argc, argv, options, [&] {
    for (const Verb& verb : verbs)
      if (verb.app->parsed()) return verb.run();
    if (!noVerb) refuseWithoutVerb(app);
    return noVerb();
  });
}

}  // namespace scree::tools
