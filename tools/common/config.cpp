// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tool.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <sstream>
#include <toml++/toml.h>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

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

class TomlConfig : public CLI::Config {
 public:
  explicit TomlConfig(const CLI::App& app) : app_(app) {}

  std::string to_config(const CLI::App* app, bool, bool, std::string) const override {
    return optionsInForce(*app);
  }

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const CLI::Option* option = app_.get_config_ptr();
    file_ = option->empty() ? "--config" : option->as<std::string>();
    constexpr std::size_t mostBytes = std::size_t{64} * 1024;  // a device may have no end
    std::string text(mostBytes + 1, '\0');
    input.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(input.gcount()));
    if (text.size() <= mostBytes && isCompressed(text)) text = decompressed(text, file_, mostBytes);
    if (text.size() > mostBytes)
      throw ParseError({file_}, "expected a file of options of at most 64 kB; this one is larger");
    std::vector<CLI::ConfigItem> all;
    try {
      take(app_, toml::parse(text), all);
    } catch (const toml::parse_error& error) {
      refuse(error.source(), std::string(error.description()));
    }
    return all;
  }

 private:
  [[noreturn]] void refuse(const toml::source_region& at, const std::string& message) const {
    throw ParseError({file_, at.begin.line, at.begin.column}, message);
  }

  void take(const CLI::App& owner, const toml::table& table,
            std::vector<CLI::ConfigItem>& all) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (const toml::table* part = node.as_table(); part && &owner == &app_) {
        const auto verbs =
            app_.get_subcommands([&](const CLI::App* v) { return v->get_name() == name; });
        if (verbs.empty()) refuse(key.source(), fmt::format("no verb '{}'", shown(name)));
        take(*verbs.front(), *part, all);
        continue;
      }
      const CLI::Option& option = optionNamed(owner, name, key.source());
      CLI::ConfigItem item;
      if (&owner != &app_) item.parents = {owner.get_name()};
      item.name = name;
      const bool used = &owner == &app_ || owner.parsed();
      if (!used || !option.empty()) continue;  // the command line wins
      if (!takeValues(option, name, node, item.inputs)) continue;
      all.push_back(std::move(item));
    }
  }

  const CLI::Option& optionNamed(const CLI::App& owner, const std::string& name,
                                 const toml::source_region& at) const {
    std::vector<std::string> all;
    for (const CLI::Option* option : owner.get_options())
      for (const std::string& known : namesOf(*option)) {
        if (known == name) return *option;
        all.push_back(known);
      }
    const std::vector<std::string_view> known(all.begin(), all.end());
    refuse(at, fmt::format("unknown option '{}'{}", shown(name), suggestion(name, known)));
  }

  /// Brings a value to what the parser takes. @returns whether the option counts as given
  bool takeValues(const CLI::Option& option, const std::string& name, const toml::node& node,
                  std::vector<std::string>& values) const {
    const auto isOn = node.value_exact<bool>();
    if (isFlag(option)) {
      if (!isOn) refuse(node.source(), fmt::format("{}: expected true or false", name));
      values = {*isOn ? "true" : "false"};
      return *isOn || !option.get_fnames().empty();  // --no-edges
    }
    if (isOn && mayLackValue(option)) {
      values = {""};
      return *isOn;
    }
    if (const toml::array* list = node.as_array())
      for (const toml::node& item : *list) values.push_back(textOf(item, name));
    else
      values.push_back(textOf(node, name));
    return true;
  }

  std::string textOf(const toml::node& node, const std::string& name) const {
    if (const auto text = node.value_exact<std::string>()) return *text;
    if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
    if (const auto number = node.value_exact<double>()) return fmt::format("{}", *number);
    if (const auto isOn = node.value_exact<bool>()) return *isOn ? "true" : "false";
    refuse(node.source(), fmt::format("{}: expected a number, a text or a list of them", name));
  }

  const CLI::App& app_;
  mutable std::string file_;  // the parser calls a const function
};

/// A number that TOML reads back as the same text stands as it is; all else in quotes.
std::string tomlText(const std::string& text) {
  const auto number = parseNumber(text);
  if (number && text != "-0" && fmt::format("{}", *number) == text) return text;
  const toml::value<std::string> value(text);
  std::ostringstream out;
  out << toml::toml_formatter{value, toml::format_flags::none};
  return out.str();
}

std::string valueText(const CLI::Option& option) {
  const std::vector<std::string>& results = option.results();
  if (mayLackValue(option) && results.size() == 1 && results.front().empty()) return "true";
  if (isFlag(option))
    return CLI::detail::to_flag_value(results.back()) > 0 ? "true" : "false";  // of -v -v, too
  if (results.size() == 1) return tomlText(results.front());
  std::vector<std::string> texts;
  for (const std::string& item : results) texts.push_back(tomlText(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
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
    else
      out += fmt::format("# {} ={}\n", names.front(),
                         standard.empty()            ? ""
                         : standard.starts_with('[') ? " " + standard
                                                     : " " + tomlText(standard));
  }
  return out;
}

}  // namespace

void readConfigStrictly(CLI::App& app) { app.config_formatter(std::make_shared<TomlConfig>(app)); }

std::string optionsInForce(const CLI::App& app) {
  std::string out = optionLines(app);
  for (const CLI::App* verb : app.get_subcommands())
    out += fmt::format("\n[{}]\n{}", verb->get_name(), optionLines(*verb));
  return out;
}

}  // namespace scree::tools
