// SPDX-License-Identifier: GPL-3.0-or-later
#include "extract.hpp"

#include "scree/base/json_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace scree::tools {
namespace {

void addOptions(CLI::App& app, ExtractOptions& options) {
  app.add_option("-o,--output", options.output,
                 "Table to write, default standard output; with --script and --postpro the folder "
                 "for the tables");
  app.add_option("--format", options.format,
                 "csv, tsv, txt (default with --script), json, jsonl. Default: what the name of -o "
                 "ends in, else csv");
  CLI::Option* script =
      app.add_option("--script", options.script,
                     "Take the extractors, and the files they write, from a dataExtractors.txt");
  CLI::Option* postpro = app.add_option(
      "--postpro", options.postpro, "Compute what a command file of Rockable's postpro requests");
  CLI::Option* plot =
      app.add_option("--plot", options.plot,
                     "Draw the table as FILE.svg or FILE.png with gnuplot. The "
                     "script is written, too. With --columns, the first column is x")
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
  CLI::Option* append = app.add_flag(
      "--append", options.append,
      "Add rows to the table of -o: those of files later than its last row. It needs column t");
  CLI::Option* follow =
      app.add_flag("--follow", options.follow,
                   "Continue while a run writes, until it is done or a signal arrives. Rows are "
                   "added to the table of -o as with --append");
  app.add_flag("--one-series", options.oneSeries,
               "Take all files as one series. By default each folder is a run of its own, and a "
               "column run comes first")
      ->excludes(follow);
  app.add_flag("--list", options.list, "Print all kinds with their options");
  script->excludes(postpro)->excludes(plot);
  plot->excludes(append)->excludes(follow);
  for (CLI::Option* other : {append, follow, plot}) postpro->excludes(other);
}

std::string valueText(const sim::KindOption& o) {
  return o.value.empty() ? fmt::format("--{}", o.name) : fmt::format("--{} {}", o.name, o.value);
}

/// `extract KIND`, with the options of the kind.
Verb addKindVerb(CLI::App& app, const sim::Kind& kind, ExtractOptions& options,
                 const CommonOptions& common) {
  CLI::App& verb = *app.add_subcommand(std::string(kind.name), std::string(kind.help));
  verb.footer("extract --help lists the options of all kinds: -o, --format, --columns, --add ...");
  verb.add_option("inputs", options.inputs,
                  "Files, folders of them, quoted patterns, @LIST. '-' is standard input")
      ->option_text("CONF...");
  const auto call = std::make_shared<KindCall>(KindCall{kind, {}});
  for (const sim::KindOption& o : kind.options) {
    using Type = sim::KindOption::Type;
    const std::string_view byDefault =
        o.type == Type::word ? o.value.substr(0, o.value.find('|')) : o.otherwise;
    const auto take = [call, key = std::string(o.name)](const std::string& value) {
      call->given[key] = value;
    };
    CLI::Option* option =
        o.type == Type::flag
            ? verb.add_flag_callback(fmt::format("--{}", o.name), [take] { take(""); })
            : verb.add_option_function<std::string>(fmt::format("--{}", o.name), take)
                  ->option_text(std::string(o.value));
    if (o.value.ends_with(",...")) option->join(',');  // given twice: one list
    option->required(o.isNeeded)
        ->description(
            fmt::format("{}{}", o.help, byDefault.empty() ? "" : fmt::format(" ({})", byDefault)));
  }
  for (const sim::KindOption& o : kind.options)
    if (!o.excludes.empty())
      verb.get_option(fmt::format("--{}", o.name))
          ->excludes(verb.get_option(fmt::format("--{}", o.excludes)));
  return {&verb, [call, &options, &common] {
            if (!options.script.empty() || !options.postpro.empty())
              throw UsageError("--script and --postpro go without a kind");
            if (call->kind.measures()) return measureKind(*call, options, common);
            if (options.goesOn())
              throw UsageError(
                  fmt::format("--append and --follow: {} reads no series", call->kind.name));
            return runTables(*call, options, common);
          }};
}

std::string listText() {
  std::string text;
  for (const sim::Kind& kind : sim::kinds()) {
    std::string options;
    for (const sim::KindOption& o : kind.options)
      options += o.isNeeded ? ' ' + valueText(o) : fmt::format(" [{}]", valueText(o));
    text += fmt::format("{:<28} {}\n", fmt::format("{}{}", kind.name, options), kind.help);
  }
  return text;
}

std::string listJson() {
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("kinds").beginArray();
  for (const sim::Kind& kind : sim::kinds()) {
    json.newLine().beginObject().key("name").value(kind.name).key("options").beginArray();
    for (const sim::KindOption& o : kind.options) json.value(o.name);
    json.end().key("help").value(kind.help).end();
  }
  return json.newLine().end().end().take() + '\n';
}

int withoutKind(const ExtractOptions& options, const CommonOptions& common) {
  if (options.list) {
    printResult(common.json ? listJson() : listText());
    return 0;
  }
  if (!options.script.empty()) return measureScript(options, common);
  if (!options.postpro.empty()) return runPostpro(options, common);
  if (options.inputs.empty()) throw UsageError("no kind given; extract --list shows the kinds");
  sim::kindNamed(options.inputs.front());
  throw UsageError("the kind stands in front of the conf-files");
}

}  // namespace

}  // namespace scree::tools

int main(int argc, char** argv) {
  using namespace scree;
  using namespace scree::tools;
  CLI::App app{"Compute tables from a series of conf-files.", "extract"};
  CommonOptions common;
  ExtractOptions options;
  addCommonOptions(app, common,
                   "  extract --list\n"
                   "  extract stress --help\n"
                   "  extract TrackBody --body 12 run/conf* -o body12.csv\n"
                   "  extract ClusterAABB --cluster 3 run --format json\n");
  addOptions(app, options);
  app.add_option("inputs", options.inputs, "With --script and --postpro: conf-files")
      ->option_text("CONF...");
  std::vector<Verb> verbs;
  for (const sim::Kind& kind : sim::kinds())
    verbs.push_back(addKindVerb(app, kind, options, common));
  options.command = commandLine(argc, argv);
  // A word in place of a kind is named before its options are.
  const std::string first = argc > 1 ? argv[1] : "-";
  const auto scripted = [](std::string_view word) {
    return word.starts_with("--script") || word.starts_with("--postpro");
  };
  if (!first.starts_with('-') && std::none_of(argv + 1, argv + argc, scripted) &&
      std::ranges::find(sim::kinds(), first, &sim::Kind::name) == sim::kinds().end())
    return runTool(app, 1, argv, common, [&]() -> int {
      sim::kindNamed(first);
      return 2;
    });
  return runVerbs(app, argc, argv, common, verbs, [&] { return withoutKind(options, common); });
}
