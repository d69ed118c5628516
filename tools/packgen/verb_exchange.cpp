// SPDX-License-Identifier: GPL-3.0-or-later
// export and import: cases for exaDEM and LAMMPS, and the states that these write.
#include "packgen.hpp"

#include "scree/sim/exchange/exchange.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

struct Options {
  std::string conf, target, folder;
  std::vector<std::string> dumps;
};

const std::map<std::string, sim::Target> targets{
    {"exadem", sim::Target::exadem}, {"lammps", sim::Target::lammps}, {"csv", sim::Target::csv}};

void checkFilesOf(const std::vector<std::string>& written, const sim::RunInput& scene,
                  std::vector<std::string> read, const CommonOptions& common) {
  for (const sim::InputFile& file : scene.files) read.push_back(file.path);
  checkNotInputs(written, read);
  for (const std::string& path : written) checkCanWrite(path, common.existing());
}

int exportTo(const Options& options, const CommonOptions& common) {
  requireFolder(options.folder);
  Diagnostics diagnostics(common.strict);
  std::vector<std::string> paths;
  const sim::RunInput scene = inputFrom(options.conf, diagnostics);
  const sim::Target target = targets.at(options.target);
  const auto files = sim::exported(scene, target, diagnostics);
  for (const auto& [name, text] : files) paths.push_back(options.folder + "/" + name);
  checkFilesOf(paths, scene, {}, common);
  printWarnings(diagnostics, common);
  for (const auto& [name, text] : files)
    writeFile(options.folder + "/" + name, text, common.existing());
  say(common, fmt::format("{}: {}", bodyCount(scene.conf.particles.size()), fmt::join(paths, " ")));
  if (!common.json) return 0;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("bodies", scene.conf.particles.size());
  json.key("losses").beginArray();
  for (const auto& [item, fate] : sim::lossesOf(scene, target)) {
    json.beginObject().member("item", item).member("fate", fate.name);
    json.member("text", fate.text).end();
  }
  json.end().key("files").list(paths).end();
  printResult(json.take() + "\n");
  return 0;
}

int importFrom(const Options& options, const CommonOptions& common) {
  requireFolder(options.folder);
  Diagnostics diagnostics(common.strict);
  std::vector<std::string> paths;
  const sim::RunInput like = inputFrom(options.conf, diagnostics);
  std::vector<TextReader> dumps;
  for (const std::string& path : options.dumps) dumps.push_back(TextReader::fromFile(path));
  const std::string shapeFile = sim::shapeFileFrom(options.folder, like.conf);
  if (const std::string refusal = sim::whyNoShapeFileName(shapeFile); !refusal.empty())
    throw UsageError(fmt::format("{}; choose another folder for -o", refusal));
  const auto pathOf = [&](int iconf) { return options.folder + "/" + sim::confName(iconf, false); };
  // All is read before anything is written.
  const sim::Target target = targets.at(options.target);
  std::string after;
  sim::imported(dumps, target, like, [&](sim::Conf&& conf) {
    paths.push_back(pathOf(conf.iconf));
    after = pathOf(conf.iconf + 1);
  });
  if (paths.empty()) throw ModelError(fmt::format("{}: no state", options.dumps.front()));
  checkFilesOf(paths, like, options.dumps, common);
  if (std::filesystem::exists(after))
    throw IoError(after + ": is of a longer run; choose another folder for -o");
  if (!like.conf.interfaces.empty()) diagnostics.warn("lost: Interfaces: glued bodies are loose");
  diagnostics.note("forces of contacts are those of their springs along the normal, friction is 0");
  printWarnings(diagnostics, common);
  sim::imported(dumps, target, like, [&](sim::Conf&& conf) {
    conf.shapeFile = shapeFile;
    writeFile(pathOf(conf.iconf), sim::confText(conf), common.existing());
  });
  say(common,
      fmt::format("{}, {} to {}", counted(paths.size(), "conf-file"), paths.front(), paths.back()));
  if (!common.json) return 0;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("bodies", like.conf.particles.size());
  json.key("files").list(paths).end();
  printResult(json.take() + "\n");
  return 0;
}

}  // namespace

Verb addExportVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb = addVerb(
      app, "export", "Write a case for exaDEM or LAMMPS, or a table of bodies",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --cells 3 3 3 --walls -o a/conf0\n"
      "  packgen export a/conf0 --to exadem -o mpi\n"
      "  packgen export a/conf0 --to csv -o table",
      "What the target has in another form, or not at all, is printed and stands in losses.txt. "
      "--strict refuses what is lost.");
  verb.add_option("CONF", options->conf, "Conf-file; its drivingSystem.txt goes with it")
      ->required();
  verb.add_option("--to", options->target, "exadem, lammps or csv")
      ->required()
      ->check(CLI::IsMember({"exadem", "lammps", "csv"}));
  verb.add_option("-o,--output", options->folder, "Folder of the files")->required();
  return {&verb, [options, &common] { return exportTo(*options, common); }};
}

Verb addImportVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb =
      addVerb(app, "import", "Turn states that exaDEM or LAMMPS has written into conf-files",
              "  shapeSurvey make sphere --radius 0.5 --name ball -o ball.shp\n"
              "  packgen lattice --shape ball.shp --cells 1 1 1 -o a/conf0\n"
              "  printf '1\\nLattice=\"9 0 0 0 9 0 0 0 9\" "
              "Properties=species:S:1:pos:R:3:vel:R:3:id:I:1:orient:R:4:vrot:R:3 Time=0.5\\n"
              "XX 1 2 3 0 0 0 0 1 0 0 0 0 0 0\\n' > case_1.xyz\n"
              "  packgen import case_1.xyz --from exadem --like a/conf0 -o back");
  verb.add_option("DUMP", options->dumps,
                  "LAMMPS: bodies.dump, atoms.dump; exaDEM: case_*.xyz, in the order of time")
      ->required();
  verb.add_option("--from", options->target, "exadem or lammps")
      ->required()
      ->check(CLI::IsMember({"exadem", "lammps"}));
  verb.add_option("--like", options->conf, "Conf-file that was exported")->required();
  verb.add_option("-o,--output", options->folder, "Folder of the conf-files")->required();
  return {&verb, [options, &common] { return importFrom(*options, common); }};
}

}  // namespace scree::tools
