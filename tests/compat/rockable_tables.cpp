// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that Rockable wrote during its runs, and outputs of its postpro, against extract on the
// conf-files of the same instants. They are compared column by column, to half a unit of the sixth
// digit.
#include "tool_test.hpp"

#include <iterator>

namespace {

using Words = std::vector<std::vector<std::string>>;
using Numbers = std::vector<std::vector<double>>;

/// Rows of a blank-separated table, without blank lines and comments.
Words wordsOf(const std::string& text) {
  Words rows;
  for (const std::string& line : linesOf(text)) {
    std::istringstream words(line);
    rows.emplace_back(std::istream_iterator<std::string>(words),
                      std::istream_iterator<std::string>());
  }
  std::erase(rows, std::vector<std::string>());
  return rows;
}

/// The same as numbers; words count as nan.
Numbers numbersOf(const std::string& text) {
  Numbers rows;
  for (const auto& words : wordsOf(text)) {
    rows.emplace_back();
    for (const std::string& word : words)
      rows.back().push_back(parseNumber(word).value_or(std::nan("")));
  }
  return rows;
}

/// Half a unit of the sixth digit, and what values that are zero but for rounding reach: 1e-9 of
/// the largest value of the column.
bool agree(double ours, double theirs, double largest) {
  const double digit =
      theirs == 0.0 ? 0.0 : 0.50001 * std::pow(10.0, std::floor(std::log10(std::abs(theirs))) - 5);
  return std::abs(ours - theirs) <= std::max(digit, 1e-9 * largest + 1e-12);
}

double largestOf(const Numbers& rows, std::size_t column) {
  double largest = 0.0;
  for (const auto& row : rows)
    if (column < row.size() && std::isfinite(row[column]))
      largest = std::max(largest, std::abs(row[column]));
  return largest;
}

/// Row of `rows` at time t, which is printed with six digits there.
const std::vector<double>* rowAt(const Numbers& rows, double t) {
  for (const auto& row : rows)
    if (agree(t, row[0], 0.0)) return &row;
  return nullptr;
}

/// Compares each row of ours that has a row of theirs. @returns how many had one
std::size_t compareRows(const Numbers& ours, const Numbers& theirs) {
  std::size_t compared = 0;
  for (const auto& row : ours) {
    const auto* other = rowAt(theirs, row[0]);
    if (other == nullptr) continue;
    ++compared;
    REQUIRE(row.size() == other->size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      INFO("t " << row[0] << ", column " << k + 1 << ": " << row[k] << " against " << (*other)[k]);
      // Without contacts Rockable writes 1e20 or 0, extract nan.
      if (std::isnan(row[k]))
        CHECK((std::abs((*other)[k]) >= 1e20 || (*other)[k] == 0.0));
      else
        CHECK(agree(row[k], (*other)[k], largestOf(theirs, k)));
    }
  }
  return compared;
}

/// DuoBalance of Rockable: a line of time and counts, then one a contact, then a blank line.
struct Duo {
  std::vector<double> counts;
  Words contacts;
};
std::vector<Duo> duosOf(const std::string& text) {
  std::vector<Duo> all;
  for (const auto& row : wordsOf(text)) {
    if (row.size() == 5) {
      all.emplace_back();
      for (const std::string& word : row) all.back().counts.push_back(*parseNumber(word));
    } else {
      all.back().contacts.push_back(row);
    }
  }
  return all;
}

/// @returns how many lines of contacts were compared
std::size_t compareDuos(const std::string& oursText, const std::string& theirsText) {
  const auto ours = wordsOf(oursText);
  std::size_t compared = 0;
  for (const Duo& duo : duosOf(theirsText)) {
    std::vector<const std::vector<std::string>*> rows;
    for (const auto& row : ours)
      if (agree(*parseNumber(row[0]), duo.counts[0], 0.0)) rows.push_back(&row);
    if (rows.empty()) continue;
    INFO("t " << duo.counts[0]);
    for (std::size_t k = 1; k < 5; ++k) CHECK(*parseNumber((*rows.front())[k]) == duo.counts[k]);
    // The contacts stand in the order of the requested bodies; find each by its sub-elements.
    for (const auto& contact : duo.contacts) {
      const auto same = [&](const std::vector<std::string>* row) {
        for (std::size_t k = 1; k < 5; ++k)
          if ((*row)[5 + k] != contact[k]) return false;
        // vertex-face there is vf here.
        return (*row)[5] == std::string{contact[0][0], contact[0][contact[0].find('-') + 1]};
      };
      const auto found = std::ranges::find_if(rows, same);
      INFO("contact " << contact[0] << ' ' << contact[1] << ' ' << contact[2]);
      REQUIRE(found != rows.end());
      for (std::size_t k = 5; k < contact.size(); ++k) {
        INFO((**found)[5 + k] << " against " << contact[k]);
        CHECK(agree(*parseNumber((**found)[5 + k]), *parseNumber(contact[k]), 1e-3));
      }
      ++compared;
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("tables of Rockable come out of its conf-files, column by column", "[compat][extract]") {
  const std::string data = publicData("rockable-tables");
  if (data.empty()) return;
  std::size_t rows = 0, contacts = 0;
  for (const char* name : {"packing", "stack-number", "stack-overlap", "bonded", "rockfall-rests",
                           "rockfall-leaves"}) {
    const std::string from = data + '/' + name;
    const Folder folder;
    // The shape-file stands beside the input; conf-files name it without a folder.
    mustRun(folder, fmt::format("cp {0}/expected/conf* {0}/shapes.shp .", from));
    mustRun(folder, fmt::format("extract --script {}/dataExtractors.txt . -o ours -q", from));
    for (const auto& line : wordsOf(readFile(from + "/dataExtractors.txt"))) {
      const std::string file = line[line.size() - 2];
      INFO(name << ", " << line[0] << " in " << file);
      const std::string ours = folder.read("ours/" + file),
                        theirs = readFile(from + "/expected/" + file);
      if (line[0] == "DuoBalance")
        contacts += compareDuos(ours, theirs);
      else if (line[0] == "TrackDamage")
        // The areas at the start are not in conf-files of Rockable.
        for (const auto& row : numbersOf(ours)) CHECK(std::isnan(row[1]));
      else
        rows += compareRows(numbersOf(ours), numbersOf(theirs));
    }
  }
  CHECK(rows >= 140);
  CHECK(contacts >= 60);
}

TEST_CASE("the damage of Rockable comes out of its conf-files", "[compat][extract]") {
  const std::string data = publicData("rockable-tables");
  if (data.empty()) return;
  const Folder folder;
  mustRun(folder, fmt::format("cp {0}/bonded/expected/conf* {0}/bonded/shapes.shp .", data));
  // All interfaces have one area, so the share of the area is that of the interfaces.
  const Outcome damage =
      mustRun(folder, "extract damage . --columns t,interfaces,broken --format txt");
  const Numbers theirs = numbersOf(readFile(data + "/bonded/expected/damage.txt"));
  std::size_t compared = 0;
  for (const auto& row : numbersOf(damage.out))
    if (const auto* other = rowAt(theirs, row[0])) {
      CHECK(agree(row[2] / (row[1] + row[2]), (*other)[1], 1.0));
      ++compared;
    }
  CHECK(compared == 8);
}

TEST_CASE("postpro: ParticleStress takes arms from the centres of bodies",
          "[compat][extract][postpro]") {
  const std::string tables = publicData("rockable-tables"), data = publicData("rockable-postpro");
  if (tables.empty() || data.empty()) return;
  const Folder folder;
  mustRun(folder, fmt::format("cp {0}/packing/expected/conf* {0}/packing/shapes.shp .", tables));
  const Outcome right =
      mustRun(folder, fmt::format("extract --postpro {}/stress/postpro.txt . -o right -q", data));
  // Totals, as the page of the data has them.
  const double expected[2][9] = {
      {96.5414, 154.437, 10.3944, 73.4639, 44.8334, -48.7038, -192.469, -296.53, 896.355},
      {4151.73, -392.6, -4488.14, -333.453, 4052.75, 1331.82, -3476.41, 827.303, 10049.5}};
  std::string text = right.out;
  std::ranges::replace(text, ',', ' ');
  const Numbers totals = numbersOf(text);  // the names of columns first
  REQUIRE(totals.size() == 4);
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t c = 0; c < 9; ++c) CHECK(agree(totals[row + 2][2 + c], expected[row][c], 0.0));
  const Numbers bodies = numbersOf(folder.read("right/ParticleStress-conf8.txt"));
  REQUIRE(!bodies.empty());
  CHECK(bodies.front().size() == 13);
}

TEST_CASE("postpro: ClusterGranulo counts fragments, a chain of bonds as one",
          "[compat][extract][postpro]") {
  const std::string tables = publicData("rockable-tables"), data = publicData("rockable-postpro");
  if (tables.empty() || data.empty()) return;
  const Folder folder;
  mustRun(folder, fmt::format("cp {0}/bonded/expected/conf* {0}/bonded/shapes.shp .", tables));
  const Outcome o =
      mustRun(folder, fmt::format("extract --postpro {}/granulo/postpro.txt . -o out -q", data));
  for (int k = 0; k <= 8; ++k) {
    const std::string name = fmt::format("ClusterGranulo-conf{}.txt", k);
    const Numbers ours = numbersOf(folder.read("out/" + name)),
                  theirs = numbersOf(readFile(data + "/granulo/expected/" + name));
    REQUIRE(ours.size() == theirs.size());
    for (std::size_t row = 0; row < ours.size(); ++row) {
      INFO(name << ", class " << row + 1);
      CHECK(ours[row][0] == theirs[row][0]);
      CHECK(agree(ours[row][1], theirs[row][1], 0.0));
    }
  }
  // Five bonds make six bodies one fragment, where Rockable finds two of 3 and 4 bodies.
  const Outcome chain = mustRun(
      folder,
      fmt::format("extract --postpro {0}/chain/postpro.txt {0}/chain/conf0 -o chain -q", data));
  const Numbers one = numbersOf(folder.read("chain/ClusterGranulo-conf0.txt"));
  for (const auto& row : one) CHECK(row[1] == (row[0] == 6.0 ? 1.0 : 0.0));
}

TEST_CASE("a command file of postpro that cannot be used is refused with its place",
          "[golden][extract][postpro]") {
  const Folder folder;
  for (const char* text : {"firstConf 0\n", "PostProcesor ParticleStress",
                           "PostProcessor ParticleStres", "stepConf 0 PostProcessor ParticleStress",
                           "firstConf 3 lastConf 1 PostProcessor ParticleStress Volume 1",
                           "PostProcessor ParticleStress Volume -1", "PostProcessor ClusterGranulo",
                           "PostProcessor ClusterGranulo SievingSizes 3 1 2"}) {
    folder.write("commands.txt", text);
    expect(folder, "extract --postpro commands.txt", 3, {"commands.txt:1:"});
  }
}
