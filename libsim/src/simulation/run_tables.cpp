// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_tables.hpp"

#include "growing_file.hpp"

#include "scree/base/error.hpp"
#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace scree::sim {

RunTables::RunTables(const std::string& folder, const std::vector<ScriptedExtractor>& extractors,
                     const Simulation& simulation, bool resumed, Existing existing)
    : folder_(folder), extractors_(extractors) {
  for (const ScriptedExtractor& e : extractors_) {
    const std::filesystem::path name(e.file);
    // Tables stay in the folder of the run: no line of an input file may write elsewhere.
    if (name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end())
      throw ParseError(
          e.where,
          fmt::format("'{}': expected the name of a file inside the folder of the run", e.file));
    const std::string path = (std::filesystem::path(folder) / name).string();
    if (resumed) {
      writeFile(path, linesUpTo(path, simulation.time()), Existing::replace);
      continue;
    }
    TextWriter header;
    header.put("#");
    for (const Column& c : columnsOf(e.extractor)) header.put(c.name);
    header.endLine();
    writeFile(path, header.text(), existing);
  }
}

void RunTables::write(const Simulation& simulation) {
  const auto due = [&](const ScriptedExtractor& e) {
    return (simulation.stepIndex() - 1) % e.period == 0;
  };
  if (std::none_of(extractors_.begin(), extractors_.end(), due)) return;
  const Conf conf = simulation.conf();
  const Snapshot snapshot = snapshotOf(conf, simulation.shapes());
  for (const ScriptedExtractor& e : extractors_) {
    if (!due(e)) continue;
    TextWriter out;
    for (const Row& row : rowsOf(e.extractor, snapshot)) {
      for (const Cell& cell : row) std::visit([&](const auto& value) { out.put(value); }, cell);
      out.endLine();
    }
    appendTo(folder_, e.file, out.text());
  }
}

}  // namespace scree::sim
