// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_file.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

namespace scree::tools {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

const CLI::App* verbNamed(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

std::vector<std::string> optionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* o : app.get_options()) {
    if (!o->get_configurable()) continue;
    for (const std::string& name : o->get_lnames()) names.push_back(name);
    if (o->get_positional()) names.push_back(o->get_name(true));
  }
  return names;
}

class StrictConfig : public CLI::ConfigTOML {
 public:
  explicit StrictConfig(const CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    // The parser takes some 30 bytes of memory a byte of the file: a file of options is short.
    constexpr std::size_t mostBytes = std::size_t{64} * 1024;
    std::string text(mostBytes + 1, '\0');
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    if (text.size() > mostBytes)
      refuse(0, fmt::format("expected a file of options of at most {} kB; this one is larger",
                            mostBytes / 1024));
    check(text);
    std::istringstream again(text);
    return CLI::ConfigTOML::from_config(again);
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& message,
                           std::size_t column = 1) const {
    const CLI::Option* option = app_.get_config_ptr();
    const std::string file = option->empty() ? "--config" : option->as<std::string>();
    throw ParseError({file, line, column}, message);
  }

  void check(const std::string& text) const {
    const CLI::App* section = &app_;
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::size_t lineBegin = begin;
      const std::string_view words = trimmed(std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      ++line;
      if (words.empty() || words[0] == '#' || words[0] == ';') continue;
      if (words[0] == '[' && words.back() == ']') {
        const std::string name(trimmed(words.substr(1, words.size() - 2)));
        section = name == "default" ? &app_ : verbNamed(app_, name);
        if (!section) refuse(line, fmt::format("no verb '{}'", shown(name)));
        continue;
      }
      const std::size_t equals = words.find('=');
      std::string name(trimmed(words.substr(0, equals)));
      if (equals == std::string_view::npos || name.empty())
        refuse(line,
               fmt::format("expected 'option = value' or '[verb]', found '{}'", shown(words)));
      const CLI::App* owner = section;
      if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
        owner = verbNamed(app_, name.substr(0, dot));
        if (!owner) refuse(line, fmt::format("no verb '{}'", shown(name.substr(0, dot))));
        name = name.substr(dot + 1);
      }
      const std::vector<std::string> names = optionNames(*owner);
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        // The parser would read on to the next line that ends with a bracket.
        const std::string_view value =
            trimmed(words.substr(equals + 1, words.find('#', equals) - equals - 1));
        if (value.starts_with('[') && (value.size() < 2 || !value.ends_with(']')))
          refuse(
              line,
              fmt::format("expected ']' at the end of the list, found '{}'; write the whole list "
                          "on one line, or the value in quotes",
                          shown(value)),
              static_cast<std::size_t>(value.data() - text.data()) - lineBegin + 1);
        continue;
      }
      const std::vector<std::string_view> known(names.begin(), names.end());
      refuse(line, fmt::format("unknown option '{}'{}", shown(name), suggestion(name, known)));
    }
  }

  const CLI::App& app_;
};

/// A line that CLI11 printed: it leaves a number without quotes that has blanks before it, and
/// would read it without the blanks.
std::string withQuotes(const std::string& line) {
  std::size_t at = line.find('=') + 1;
  const bool list = at < line.size() && line[at] == '[';
  if (list) ++at;
  std::string out = line.substr(0, at);
  while (at < line.size()) {
    const char first = line[at];
    const bool quoted = first == '"' || first == '\'';
    std::size_t end =
        quoted ? line.find(first, at + 1) : line.find_first_of(list ? ",]" : "\n", at);
    end = end == std::string::npos ? line.size() : end + (quoted ? 1U : 0U);
    const std::string item = line.substr(at, end - at);
    const bool blanks = first == ' ' || (first >= '\t' && first <= '\r');
    out += blanks ? '"' + item + '"' : item;
    const bool more = list && line.compare(end, 2, ", ") == 0;
    out += more ? ", " : line.substr(end);
    at = more ? end + 2 : line.size();
  }
  return out;
}

}  // namespace

void readConfigStrictly(CLI::App& app) {
  app.config_formatter(std::make_shared<StrictConfig>(app));
}

std::string optionsInForce(const CLI::App& app) {
  std::istringstream all(app.config_to_str(true, false));
  std::string out, line;
  while (std::getline(all, line))
    if (!line.ends_with("=\"\"") && !line.starts_with("print-config=") &&
        !line.starts_with("version="))
      out += withQuotes(line) + "\n";
  return out;
}

}  // namespace scree::tools
