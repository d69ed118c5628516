// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_file.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

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

/// What stands to the right of the equals sign: a text, or a list of texts between brackets.
/// Texts may stand in quotes: "..." with the escapes of TOML, or '...' without. Without quotes and
/// brackets, commas or blanks separate several.
class ValueReader {
 public:
  struct Refusal {
    std::string message;
    std::size_t at;  ///< byte of the line
  };

  ValueReader(std::string_view line, std::size_t at) : line_(line), at_(at) {}

  /// @throws Refusal
  std::vector<std::string> values() {
    skipBlanks();
    std::vector<std::string> all;
    if (next() == '[') {
      const std::size_t open = at_++;
      for (bool more = true; more;) {
        skipBlanks();
        if (next() == ']') break;
        all.push_back(quoted() ? quotedText() : bareText(",]#"));
        skipBlanks();
        more = next() == ',';
        if (more) ++at_;
      }
      if (next() != ']')
        throw Refusal{fmt::format("expected ']' at the end of the list, found '{}'; write the "
                                  "whole list on one line, or the value in quotes",
                                  shown(trimmed(line_.substr(open)))),
                      open};
      ++at_;
    } else if (quoted()) {
      all.push_back(quotedText());
    } else {
      all = separated(bareText("#"));
    }
    skipBlanks();
    if (at_ < line_.size() && next() != '#')
      throw Refusal{fmt::format("expected the end of the line after the value, found '{}'",
                                shown(line_.substr(at_))),
                    at_};
    return all;
  }

 private:
  char next() const { return at_ < line_.size() ? line_[at_] : '\0'; }
  bool quoted() const { return next() == '"' || next() == '\''; }
  void skipBlanks() { at_ = std::min(line_.find_first_not_of(blanks, at_), line_.size()); }

  std::string bareText(std::string_view ends) {
    const std::size_t begin = at_;
    at_ = std::min(line_.find_first_of(ends, at_), line_.size());
    return std::string(trimmed(line_.substr(begin, at_ - begin)));
  }

  static std::vector<std::string> separated(const std::string& text) {
    const std::string_view separators = text.find(',') != std::string::npos ? "," : blanks;
    std::vector<std::string> all;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
      const std::string_view word = trimmed(std::string_view(text).substr(at, end - at));
      if (!word.empty()) all.emplace_back(word);
      at = end + 1;
    }
    if (all.empty()) all.emplace_back();
    return all;
  }

  std::string quotedText() {
    const std::size_t open = at_;
    const char quote = line_[at_++];
    std::string out;
    while (at_ < line_.size() && line_[at_] != quote) {
      if (quote == '"' && line_[at_] == '\\')
        escaped(out);
      else
        out += line_[at_++];
    }
    if (at_ == line_.size())
      throw Refusal{
          fmt::format("expected {} at the end of the text {}", quote, shown(line_.substr(open))),
          open};
    ++at_;
    return out;
  }

  void escaped(std::string& out) {
    constexpr std::string_view names = "\"\\btnfr", characters = "\"\\\b\t\n\f\r";
    const std::size_t begin = at_++;
    const char name = next();
    if (const std::size_t known = names.find(name); at_ < line_.size() && known < names.size()) {
      out += characters[known];
      ++at_;
      return;
    }
    const std::size_t digits = name == 'u' ? 4 : name == 'U' ? 8 : 0;
    const std::string code(line_.substr(std::min(at_ + 1, line_.size()), digits));
    const bool hexadecimal = std::all_of(code.begin(), code.end(), [](char c) {
      return std::isxdigit(static_cast<unsigned char>(c)) != 0;
    });
    const unsigned long c =
        digits > 0 && code.size() == digits && hexadecimal ? std::stoul(code, nullptr, 16) : 0UL;
    if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      throw Refusal{fmt::format("unknown escape '{}' in a text; write \\\\ for a backslash",
                                shown(line_.substr(begin, 2 + digits))),
                    begin};
    at_ += 1 + digits;
    const auto tail = [&](unsigned shift) {
      out += static_cast<char>(0x80 | ((c >> shift) & 0x3f));
    };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xc0 | (c >> 6));
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xe0 | (c >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | (c >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view line_;
  std::size_t at_;
};

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
          std::min(whole.find_first_not_of(blanks, equals + 1), whole.size()) + 1;
      try {
        values = ValueReader(whole, equals + 1).values();
      } catch (const ValueReader::Refusal& refusal) {
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

  /// The value of a flag as the parser takes it. @returns whether it counts as given
  bool flagValue(const CLI::Option& option, const std::string& name, std::string& value,
                 std::size_t line, std::size_t column) const {
    if (mayLackValue(option)) {
      if (value == "true") value.clear();
      return value != "false";
    }
    std::int64_t number = 0;
    try {
      number = CLI::detail::to_flag_value(value);
    } catch (const std::exception&) {
      refuse(line, fmt::format("{}: expected true or false, found '{}'", name, shown(value)),
             column);
    }
    const bool isOn = number > 0;
    value = !isOn ? "false" : number == 1 ? "true" : std::to_string(number);
    return isOn || !option.get_fnames().empty();  // --no-edges
  }

  const CLI::App& app_;
  mutable std::string file_;  // the parser calls a const function
  mutable std::vector<Setting> settings_;
};

/// Whether a file may hold `text` without quotes: a number of TOML.
bool isPlainNumber(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  const auto digits = [&] {
    std::size_t n = 0;
    while (n < text.size() && isDigit(text[n])) ++n;
    text.remove_prefix(n);
    return n;
  };
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

std::string itemText(const std::string& item) {
  if (isPlainNumber(item)) return item;
  std::string out = "\"";
  for (const char c : item) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\u{:04x}", byte);
    else
      out += c;
  }
  return out + '"';
}

std::string listText(const std::vector<std::string>& items) {
  if (items.size() == 1) return itemText(items.front());
  std::vector<std::string> texts;
  for (const std::string& item : items) texts.push_back(itemText(item));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

/// The value of an option that was given.
std::string valueText(const CLI::Option& option) {
  const std::vector<std::string>& results = option.results();
  if (mayLackValue(option) && results.size() == 1 && results.front().empty()) return "true";
  if (!isFlag(option)) return listText(results);
  if (results.size() == 1 || !option.get_fnames().empty()) return results.back();
  return std::to_string(results.size());  // -v -v
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
      out += fmt::format("# {} = {}\n", names.front(), itemText(standard));
    else
      out += fmt::format("# {} =\n", names.front());
  }
  return out;
}

}  // namespace

void readConfigStrictly(CLI::App& app) {
  app.config_formatter(std::make_shared<StrictConfig>(app));
}

std::optional<SourcePlace> placeInConfig(const CLI::App& app, const std::string& complaint) {
  const auto config = std::dynamic_pointer_cast<StrictConfig>(app.get_config_formatter());
  if (!config) return std::nullopt;
  const auto names = [&](const std::string& name) {
    const auto part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    };
    for (std::size_t at = complaint.find(name); at != std::string::npos;
         at = complaint.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !part(complaint[at - 1])) &&
          (end == complaint.size() || !part(complaint[end])))
        return true;
    }
    return false;
  };
  for (const StrictConfig::Setting& setting : config->settings())
    for (const std::string& name : namesOf(*setting.option))
      if (names(setting.option->get_lnames().empty() ? name : "--" + name)) return setting.value;
  return std::nullopt;
}

std::string optionsInForce(const CLI::App& app) {
  std::string out = optionLines(app);
  for (const CLI::App* verb : app.get_subcommands())
    out += fmt::format("\n[{}]\n{}", verb->get_name(), optionLines(*verb));
  return out;
}

}  // namespace scree::tools
