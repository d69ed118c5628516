// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

#include "scree/sim/extract/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <string_view>

namespace scree::tools {

std::string commandLine(int argc, char** argv) {
  std::string line;
  for (int k = 0; k < argc; ++k) {
    std::string word = k == 0 ? std::filesystem::path(argv[0]).filename().string() : argv[k];
    const auto plain = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) ||
             std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
    };
    if (word.empty() || !std::all_of(word.begin(), word.end(), plain)) {
      std::string quoted = "'";
      for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
      word = quoted + "'";
    }
    line += (k > 0 ? " " : "") + word;
  }
  return line;
}

void addOptions(CLI::App& app, ExtractOptions& options) {
  app.add_option("inputs", options.words,
                 "KIND, then conf-files or folders of them; '-' is standard input")
      ->option_text("KIND CONF...");
  app.add_option(
      "-o,--output", options.output,
      "Table to write, default standard output; with --script the folder for the tables");
  app.add_option("--format", options.format,
                 "csv (default), tsv, txt (default with --script), json, jsonl");
  app.add_option("--script", options.script,
                 "Take the extractors, and the files they write, from a dataExtractors.txt");
  app.add_option("--add", options.add,
                 "NAME=VALUE: one more column with this value; may be repeated")
      ->expected(1)
      ->take_all();
  app.add_flag("--list", options.list, "Print the kinds there are, with their options");
  // Kinds share options of one name: one row of the help says what it means to each.
  std::map<std::string_view, std::string> help;
  for (const sim::ExtractorKind& kind : sim::extractorKinds())
    for (const sim::ExtractorParameter& p : kind.parameters) {
      std::string& text = help[p.name];
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", kind.name, p.help);
      if (!p.onFiles.empty()) text += fmt::format(" (default {})", p.onFiles);
    }
  for (const auto& [name, text] : help)
    app.add_option_function<std::string>(
           fmt::format("--{}", name),
           [&options, key = std::string(name)](const std::string& value) {
             options.parameters[key] = value;
           },
           text)
        ->group("Options of kinds");
}

}  // namespace scree::tools
