// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"
#include "kind.hpp"
#include "run_tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <vector>

namespace scree::tools {

std::string commandLine(int argc, char** argv) {
  std::string line;
  for (int k = 0; k < argc; ++k) {
    const std::string word = k == 0 ? std::filesystem::path(argv[0]).filename().string() : argv[k];
    line += (k > 0 ? " " : "") + shellWord(word);
  }
  return line;
}

void addOptions(CLI::App& app, ExtractOptions& options) {
  app.add_option("inputs", options.words,
                 "KIND, then conf-files, folders of them, quoted patterns, @LIST. '-' is standard "
                 "input")
      ->option_text("KIND CONF...");
  app.add_option(
      "-o,--output", options.output,
      "Table to write, default standard output; with --script the folder for the tables");
  app.add_option(
      "--format", options.format,
      "csv, tsv, txt (default with --script), json, jsonl. Default: what the name of -o ends in, "
      "else csv");
  app.add_option("--script", options.script,
                 "Take the extractors, and the files they write, from a dataExtractors.txt");
  app.add_option("--postpro", options.postpro,
                 "Compute what a command file of Rockable's postpro requests, in the folder of -o");
  app.add_option(
      "--compat", options.compat,
      "With --postpro: 'rockable' uses the formulas of that program, its errors included");
  app.add_option("--plot", options.plot,
                 "Draw the table as FILE.svg or FILE.png with gnuplot. The script is written, too. "
                 "With --columns, the first column is x")
      ->option_text("FILE");
  app.add_option("--add", options.add,
                 "NAME=VALUE: one more column with this value; may be repeated")
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all();
  app.add_option("--columns", options.columns, "Names of the columns to print, such as t,x,y");
  app.add_option("--digits", options.digits,
                 "Significant digits of numbers except t (default: as many as read back to the "
                 "same number)")
      ->check(CLI::Range(1, 17));
  app.add_flag(
      "--append", options.append,
      "Add rows to the table of -o: those of files later than its last row. It needs column "
      "t");
  app.add_flag("--follow", options.follow,
               "Continue while a run writes, until it is done or a signal arrives. Rows are added "
               "to the table "
               "of -o as with --append");
  app.add_flag("--list", options.list, "Print all kinds with their options");
  // Kinds share options of one name: one row of the help holds what each of them does with it.
  struct Meaning {
    std::string help;
    std::vector<std::string> kinds;
  };
  struct Shared {
    bool flag = false;
    std::vector<Meaning> meanings;
    std::string text() const {
      std::string all;
      for (const Meaning& m : meanings)
        all += fmt::format("{}[{}] {}", all.empty() ? "" : ". ", fmt::join(m.kinds, ", "), m.help);
      return all;
    }
  };
  std::map<std::string, Shared> shared;
  for (const KindEntry& kind : allKinds())
    for (const KindOption& o : kind.options) {
      Shared& own = shared[std::string(o.name)];
      own.flag = o.value.empty();
      const auto same = std::ranges::find(own.meanings, o.help, &Meaning::help);
      if (same != own.meanings.end())
        same->kinds.emplace_back(kind.name);
      else
        own.meanings.push_back({std::string(o.help), {std::string(kind.name)}});
    }
  for (const std::string_view everywhere : {selectOption.name, drivenOption.name})
    shared[std::string(everywhere)].meanings.front().kinds = {"several kinds"};
  for (const auto& [name, own] : shared) {
    const std::string option = fmt::format("--{}", name);
    if (own.flag) {
      app.add_flag_callback(
             option, [&options, key = name] { options.parameters[key] = ""; }, own.text())
          ->group("Options of kinds");
      continue;
    }
    app.add_option_function<std::string>(
           option,
           [&options, key = name](const std::string& value) { options.parameters[key] = value; },
           own.text())
        ->group("Options of kinds");
  }
}

}  // namespace scree::tools
