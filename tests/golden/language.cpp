// SPDX-License-Identifier: GPL-3.0-or-later
// Pages, help texts and comments are plain English: no forbidden phrases, short sentences, short
// table cells.
#include "catch.hpp"
#include "command.hpp"
#include "prose.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostWords = 25;      ///< of a sentence
constexpr std::size_t mostCellWords = 40;  ///< of a table cell

/// Pages that may hold longer ones: CHANGELOG.md grows line by line.
const std::set<std::string> pagesWithLongSentences{"CHANGELOG.md"};
/// Tools whose help does.
const std::set<std::string> helpWithLongSentences{};

fs::path root() { return fs::path(docsFolder()).parent_path(); }

std::vector<std::string> filesBelow(const std::string& folder, const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder))
    if (entry.is_regular_file() && entry.path().extension() == ending)
      files.push_back(fs::relative(entry.path(), root()).generic_string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string textOf(const std::string& file) { return readFile((root() / file).string()); }

std::vector<std::string> longSentencesOf(const std::vector<std::string>& paragraphs) {
  std::vector<std::string> found;
  for (const std::string& paragraph : paragraphs)
    for (const std::string& sentence : sentencesOf(paragraph))
      if (const std::size_t words = wordCount(sentence); words > mostWords)
        found.push_back(std::to_string(words) + " words: " + sentence);
  return found;
}

void fail(const std::string& where, const std::vector<std::string>& findings) {
  for (const std::string& finding : findings) FAIL_CHECK(where << ": " << finding);
}

/// Help texts of a tool: the opening and the help of each option are paragraphs.
std::vector<std::string> helpParagraphs(const std::string& help) {
  std::vector<std::string> paragraphs(1);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) {
      paragraphs.emplace_back();
      continue;
    }
    // An option or a verb begins a paragraph; its text stands in the second column.
    if (first < 20) paragraphs.emplace_back();
    std::string text = line.substr(first);
    if (const std::size_t column = text.find("  "); first < 20 && column != std::string::npos)
      text = text.substr(text.find_first_not_of(' ', column));
    paragraphs.back() += text + ' ';
  }
  return paragraphs;
}

}  // namespace

TEST_CASE("pages hold short sentences, short table cells and no forbidden phrases",
          "[golden][docs][language]") {
  std::vector<std::string> pages = filesBelow("docs", ".md");
  for (const std::string& page : filesBelow("data", ".md")) pages.push_back(page);
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    pages.emplace_back(page);
  REQUIRE(pages.size() > 35);
  for (const std::string& page : pages) {
    const std::string text = textOf(page);
    const Prose prose = proseOf(text);
    fail(page, forbiddenIn(text));
    if (pagesWithLongSentences.contains(page)) continue;
    fail(page, longSentencesOf(prose.paragraphs));
    for (const std::string& cell : prose.cells)
      if (const std::size_t words = wordCount(cell); words > mostCellWords)
        FAIL_CHECK(page << ": a table cell of " << words << " words: " << cell);
  }
}

TEST_CASE("help texts hold short sentences and no forbidden phrases", "[golden][docs][language]") {
  const Folder folder;
  for (const char* tool :
       {"shapeSurvey", "packgen", "clumpify", "rockable", "conf2vtk", "extract"}) {
    const Outcome help = run(folder, std::string(tool) + " --help-all");
    REQUIRE(help.code == 0);
    REQUIRE(help.out.size() > 1000);
    fail(tool, forbiddenIn(help.out));
    if (!helpWithLongSentences.contains(tool))
      fail(tool, longSentencesOf(helpParagraphs(help.out)));
  }
  for (const char* list :
       {"laws", "keywords", "state", "servos", "extractors", "integrators", "commands"})
    fail(list, forbiddenIn(run(folder, std::string("rockable --list ") + list).out));
}

TEST_CASE("comments hold short sentences, comments and messages no forbidden phrases",
          "[golden][docs][language]") {
  // These two name the phrases.
  const std::set<std::string> ofLanguage{"tests/support/prose.hpp", "tests/golden/language.cpp"};
  std::size_t sources = 0;
  for (const char* folder : {"libshape", "libsim", "tools", "tests", "examples"})
    for (const char* ending : {".hpp", ".cpp"})
      for (const std::string& source : filesBelow(folder, ending)) {
        ++sources;
        const std::string text = textOf(source);
        for (const std::string& comment : commentsOf(text)) {
          fail(source, longSentencesOf(paragraphsOf(comment)));
          if (!ofLanguage.contains(source)) fail(source, forbiddenIn(comment));
        }
        if (!ofLanguage.contains(source)) fail(source, forbiddenIn(literalsOf(text)));
      }
  REQUIRE(sources > 700);
}

TEST_CASE("sentences are counted as a reader counts them", "[golden][language]") {
  CHECK(wordCount("Two words - and `code that counts once` of [a link](with its address).") == 7);
  CHECK(sentencesOf("One at 0.5 m, e.g. here. Two? `Three` stands. (Four.) five").size() == 4);
  const Prose prose = proseOf(
      "# Heading that does not count\n\nFirst line\nsecond line.\n- An item.\n- Another.\n\n"
      "| a | b `|` c |\n|---|---|\n\n```\ncode\n```\n\n    code\n");
  CHECK(prose.paragraphs ==
        std::vector<std::string>{"First line second line. ", "An item. ", "Another. "});
  CHECK(prose.cells[1] == " b `|` c ");
  CHECK(forbiddenIn("This is\n asked  for, and untold").size() == 1);
  CHECK(paragraphsOf("One. @param a  two Source: three").size() == 2);
  CHECK(commentsOf("int a;  // one\n// two\n/// three\nchar b[] = \"// no\";\n").size() == 1);
}
