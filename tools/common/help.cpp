// SPDX-License-Identifier: GPL-3.0-or-later
#include "help.hpp"

#include <sstream>
#include <string_view>

namespace scree::tools {
namespace {

constexpr std::size_t mostColumns = 100;

/// Where the description stands in a line of an option or verb; npos in other lines. In the help of
/// all verbs it stands two columns further to the right.
std::size_t descriptionIn(std::string_view line, std::size_t column) {
  for (const std::size_t at : {column, column + 2}) {
    if (line.size() <= at || !line.starts_with("  ") || line[at] == ' ' || line[at - 1] != ' ')
      continue;
    const std::size_t first = line.find_first_not_of(' ');
    if (first == at || (first < 8 && line.substr(first, at - first).find("  ") < at)) return at;
  }
  return std::string_view::npos;
}

/// Breaks the description of one line at blanks. A word that is too long stays whole.
void wrap(std::string line, std::size_t column, std::string& out) {
  while (line.size() > mostColumns) {
    std::size_t blank = line.rfind(' ', mostColumns);
    if (blank == std::string::npos || blank <= column) blank = line.find(' ', mostColumns);
    if (blank == std::string::npos) break;
    out.append(line, 0, blank) += '\n';
    line = std::string(column, ' ') + line.substr(blank + 1);
  }
  out += line;
  out += '\n';
}

/// `{a,b}` of `TEXT:{a,b}`, and `INT in [0, 9]` of `INT:INT in [0 - 9]`.
std::string plainValues(std::string text) {
  if (const std::size_t at = text.find(":{"); at != std::string::npos) {
    const std::size_t type = text.rfind(' ', at) + 1;
    return text.erase(type, at + 1 - type);
  }
  const std::size_t colon = text.find(':'), in = text.find(" in [");
  if (colon == std::string::npos || in == std::string::npos || colon > in) return text;
  if (const std::size_t dash = text.find(" - ", in); dash != std::string::npos)
    text.replace(dash, 3, ", ");
  return text.erase(colon, in - colon);
}

}  // namespace

std::string HelpText::make_help(const CLI::App* app, std::string name,
                                CLI::AppFormatMode mode) const {
  std::istringstream lines(CLI::Formatter::make_help(app, std::move(name), mode));
  std::string out;
  bool afterBlank = true;
  for (std::string line; std::getline(lines, line);) {
    const bool blank = line.find_first_not_of(' ') == std::string::npos;
    if (blank && afterBlank) continue;
    if (line.starts_with("Usage:") && !afterBlank) out += '\n';
    afterBlank = blank;
    if (blank)
      out += '\n';
    else if (const std::size_t at = descriptionIn(line, get_column_width());
             at != std::string::npos)
      wrap(line, at, out);
    else
      out += line + '\n';
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string HelpText::make_subcommand(const CLI::App* verb) const {
  const std::string text = verb->get_description();
  std::ostringstream out;
  CLI::detail::format_help(out, verb->get_display_name(true), text.substr(0, text.find('\n')),
                           get_column_width());
  return out.str();
}

std::string HelpText::make_option_opts(const CLI::Option* option) const {
  return plainValues(CLI::Formatter::make_option_opts(option));
}

}  // namespace scree::tools
