// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_file.hpp"

#include "config_value.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

const CLI::App* verbNamed(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    if (verb->get_name() == name) return verb;
  return nullptr;
}

/// The names of an option in a file: its long ones, without dashes, or that of a positional.
std::vector<std::string> namesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  if (!option.get_configurable()) return names;
  names = option.get_lnames();
  if (names.empty() && option.get_positional()) names.push_back(option.get_name(true));
  return names;
}

bool isFlag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }
/// `--walls [MARGIN]`.
bool mayLackValue(const CLI::Option& option) {
  return !isFlag(option) && option.get_expected_min() == 0;
}

class StrictConfig : public CLI::ConfigTOML {
 public:
  explicit StrictConfig(const CLI::App& app) : app_(app) {}

  /// An option that the file sets, where the command line does not.
  struct Setting {
    const CLI::Option* option;
    SourcePlace value;
  };
  const std::vector<Setting>& settings() const { return settings_; }

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const CLI::Option* option = app_.get_config_ptr();
    file_ = option->empty() ? "--config" : option->as<std::string>();
    settings_.clear();
    constexpr std::size_t mostBytes = std::size_t{64} * 1024;  // a file of options is short
    std::string text(mostBytes + 1, '\0');
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    if (text.size() <= mostBytes && isCompressed(text)) text = decompressed(text, file_, mostBytes);
    if (text.size() > mostBytes)
      refuse(0, fmt::format("expected a file of options of at most {} kB; this one is larger",
                            mostBytes / 1024));
    const TextReader whole(file_, std::move(text));  // refuses binary data
    return itemsOf(whole.rest());
  }

 private:
  [[noreturn]] void refuse(std::size_t line, const std::string& message,
                           std::size_t column = 1) const {
    throw ParseError({file_, line, column}, message);
  }

  std::vector<CLI::ConfigItem> itemsOf(std::string_view text) const {
    std::vector<CLI::ConfigItem> all;
    std::vector<std::pair<const CLI::Option*, std::size_t>> seen;  // with their lines
    const CLI::App* section = &app_;
    std::size_t line = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view whole = text.substr(begin, end - begin);
      begin = end + 1;
      ++line;
      const std::string_view words = trimmed(whole);
      if (words.empty() || words[0] == '#' || words[0] == ';') continue;
      if (words[0] == '[') {
        section = sectionOf(words, line);
        continue;
      }
      const std::size_t equals = whole.find('=');
      std::string name(trimmed(whole.substr(0, equals)));
      if (equals == std::string_view::npos || name.empty())
        refuse(line,
               fmt::format("expected 'option = value' or '[verb]', found '{}'", shown(words)));
      const CLI::App* owner = section;
      if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
        owner = verbNamed(app_, name.substr(0, dot));
        if (!owner) refuse(line, fmt::format("no verb '{}'", shown(name.substr(0, dot))));
        name = name.substr(dot + 1);
      }
      const CLI::Option& option = optionNamed(*owner, name, line);
      for (const auto& [known, first] : seen)
        if (known == &option)
          refuse(line, fmt::format("'{}' is set twice, first in line {}", name, first));
      seen.emplace_back(&option, line);

      std::vector<std::string> values;
      const std::size_t value =
          std::min(whole.find_first_not_of(configBlanks, equals + 1), whole.size()) + 1;
      try {
        values = configValues(whole, equals + 1);
      } catch (const ConfigRefusal& refusal) {
        refuse(line, refusal.message, refusal.at + 1);
      }
      const bool used = owner == &app_ || owner->parsed();
      if (!used || !option.empty()) continue;  // the command line wins
      if (isFlag(option) || mayLackValue(option)) {
        if (values.size() != 1) refuse(line, fmt::format("{}: expected one value", name), value);
        if (!flagValue(option, name, values.front(), line, value)) continue;
      }
      settings_.push_back({&option, {file_, line, value}});
      CLI::ConfigItem item;
      if (owner != &app_) item.parents = {owner->get_name()};
      item.name = name;
      item.inputs = std::move(values);
      all.push_back(std::move(item));
    }
    return all;
  }

  const CLI::App* sectionOf(std::string_view words, std::size_t line) const {
    const std::size_t close = std::min(words.find(']'), words.size());
    const std::string_view behind = trimmed(words.substr(std::min(close + 1, words.size())));
    if (close == words.size() || (!behind.empty() && behind[0] != '#'))
      refuse(line, fmt::format("expected 'option = value' or '[verb]', found '{}'", shown(words)));
    const std::string name(trimmed(words.substr(1, close - 1)));
    if (name == "default") return &app_;
    const CLI::App* verb = verbNamed(app_, name);
    if (!verb) refuse(line, fmt::format("no verb '{}'", shown(name)));
    return verb;
  }

  const CLI::Option& optionNamed(const CLI::App& owner, const std::string& name,
                                 std::size_t line) const {
    std::vector<std::string> all;
    for (const CLI::Option* option : owner.get_options())
      for (const std::string& known : namesOf(*option)) {
        if (known == name) return *option;
        all.push_back(known);
      }
    const std::vector<std::string_view> known(all.begin(), all.end());
    refuse(line, fmt::format("unknown option '{}'{}", shown(name), suggestion(name, known)));
  }

  /// Checks the value of a flag, or brings it to what the parser takes. @returns whether it counts
  /// as given
  bool flagValue(const CLI::Option& option, const std::string& name, std::string& value,
                 std::size_t line, std::size_t column) const {
    if (mayLackValue(option)) {
      if (value == "true") value.clear();
      return value != "false";
    }
    const bool isOn = value == "true";
    if (!isOn && value != "false")
      refuse(line, fmt::format("{}: expected true or false, found '{}'", name, shown(value)),
             column);
    return isOn || !option.get_fnames().empty();  // --no-edges
  }

  const CLI::App& app_;
  mutable std::string file_;  // the parser calls a const function
  mutable std::vector<Setting> settings_;
};

/// The value of an option that was given.
std::string valueText(const CLI::Option& option) {
  const std::vector<std::string>& results = option.results();
  if (mayLackValue(option) && results.size() == 1 && results.front().empty()) return "true";
  if (!isFlag(option)) return configText(results);
  return CLI::detail::to_flag_value(results.back()) > 0 ? "true" : "false";  // of -v -v, too
}

std::string optionLines(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string> names = namesOf(*option);
    if (names.empty()) continue;
    const std::string& standard = option->get_default_str();
    if (option->count() > 0)
      out += fmt::format("{} = {}\n", names.front(), valueText(*option));
    else if (isFlag(*option) && option->get_fnames().empty())
      out += fmt::format("# {} = false\n", names.front());
    else if (standard.starts_with('['))
      out += fmt::format("# {} = {}\n", names.front(), standard);
    else if (!standard.empty())
      out += fmt::format("# {} = {}\n", names.front(), configText({standard}));
    else
      out += fmt::format("# {} =\n", names.front());
  }
  return out;
}

/// The words of a text that look like options: "--name" and "-n".
std::vector<std::string_view> optionsIn(std::string_view text) {
  std::vector<std::string_view> found;
  const auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto isPart = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && isPart(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    if (const std::size_t name = word.find_first_not_of('-');
        name == 2 || (name == 1 && word.size() == 2))
      if (isLetter(word[name])) found.push_back(word);
    begin = end + 1;
  }
  return found;
}

/// @param part  of a message: all of it may be the name of an option without dashes
bool isNamed(const CLI::Option& option, const std::vector<std::string_view>& words,
             std::string_view part) {
  const auto among = [&](const std::string& word) {
    return std::ranges::find(words, word) != words.end();
  };
  const auto dashed = [&](const char* dashes, const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [&](const std::string& n) { return among(dashes + n); });
  };
  if (dashed("--", option.get_lnames()) || dashed("-", option.get_snames())) return true;
  return option.get_lnames().empty() && option.get_positional() && part == option.get_name(true);
}

}  // namespace

void readConfigStrictly(CLI::App& app) {
  app.config_formatter(std::make_shared<StrictConfig>(app));
}

std::optional<SourcePlace> placeInConfig(const CLI::App& app, std::string_view complaint) {
  const auto config = std::dynamic_pointer_cast<StrictConfig>(app.get_config_formatter());
  if (!config || config->settings().empty()) return std::nullopt;
  while (!complaint.empty()) {
    const std::size_t end = std::min(complaint.find_first_of(":;("), complaint.size());
    const std::string_view part = trimmed(complaint.substr(0, end));
    complaint.remove_prefix(std::min(end + 1, complaint.size()));
    const std::vector<std::string_view> named = optionsIn(part);
    for (const StrictConfig::Setting& setting : config->settings())
      if (isNamed(*setting.option, named, part)) return setting.value;
    if (!named.empty()) return std::nullopt;
  }
  return std::nullopt;
}

std::string optionsInForce(const CLI::App& app) {
  std::string out = optionLines(app);
  for (const CLI::App* verb : app.get_subcommands())
    out += fmt::format("\n[{}]\n{}", verb->get_name(), optionLines(*verb));
  return out;
}

}  // namespace scree::tools
