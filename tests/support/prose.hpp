// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences, table cells and phrases of pages, help texts and comments, for tests of their
// language.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace scree::testing {

/// Words that do not belong in pages, help, messages or comments, and what to write instead.
struct Phrase {
  std::string_view phrase, instead;
};
inline constexpr std::array forbiddenPhrases{
    Phrase{"told", "reported"},
    Phrase{"anew", "again"},
    Phrase{"taken up", "included, absorbed"},
    Phrase{"has a say", "affects"},
    Phrase{"have a say", "affect"},
    Phrase{"in the manner of", "as in"},
    Phrase{"asked for", "requested"},
    Phrase{"begun again", "restarted"},
    Phrase{"lists outrun", "skin exceeded"},
    Phrase{"look-out", "run monitor"},
    Phrase{"crowded row", "many-contact pair"},
    Phrase{"number that is none", "NaN"},
    Phrase{"that is no number", "NaN"},
};

/// Lower case, each run of blanks as one blank.
inline std::string flattened(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

/// The forbidden phrases of a text, as whole words, each with some of what stands around it.
inline std::vector<std::string> forbiddenIn(std::string_view text) {
  const std::string flat = flattened(text);
  const auto isLetter = [&](std::size_t k) {
    return k < flat.size() && std::isalpha(static_cast<unsigned char>(flat[k]));
  };
  std::vector<std::string> found;
  for (const Phrase& p : forbiddenPhrases)
    for (std::size_t at = flat.find(p.phrase); at != std::string::npos;
         at = flat.find(p.phrase, at + 1))
      if ((at == 0 || !isLetter(at - 1)) && !isLetter(at + p.phrase.size()))
        found.push_back("'" + std::string(p.phrase) + "' (write: " + std::string(p.instead) +
                        ") in: " + flat.substr(at < 40 ? 0 : at - 40, 100));
  return found;
}

/// Words of a sentence: what lies between blanks and holds a letter or a digit. Code between
/// backticks counts as one word, as does a link without its address.
inline std::size_t wordCount(std::string_view sentence) {
  std::size_t words = 0;
  bool inWord = false, counts = false, code = false;
  const auto close = [&] {
    words += inWord && counts;
    inWord = counts = false;
  };
  for (std::size_t k = 0; k < sentence.size(); ++k) {
    const auto c = static_cast<unsigned char>(sentence[k]);
    if (c == '`') code = !code;
    if (c == ']' && k + 1 < sentence.size() && sentence[k + 1] == '(') {
      const std::size_t end = sentence.find(')', k);
      if (end != std::string_view::npos) k = end;
      continue;
    }
    if (!code && std::isspace(c)) {
      close();
      continue;
    }
    inWord = true;
    counts = counts || std::isalnum(c) || c >= 0x80;
  }
  close();
  return words;
}

/// Splits running text into sentences: each ends with . ? or ! before a blank that a capital, a
/// digit, code or a bracket follows.
inline std::vector<std::string> sentencesOf(std::string_view paragraph) {
  std::vector<std::string> sentences;
  std::string now;
  bool code = false;
  for (std::size_t k = 0; k < paragraph.size(); ++k) {
    const char c = paragraph[k];
    now += c;
    if (c == '`') code = !code;
    if (code || (c != '.' && c != '?' && c != '!')) continue;
    std::size_t next = k + 1;
    while (next < paragraph.size() &&
           std::string_view(")*\"'").find(paragraph[next]) != std::string_view::npos)
      ++next;
    if (next < paragraph.size() && !std::isspace(static_cast<unsigned char>(paragraph[next])))
      continue;
    while (next < paragraph.size() && std::isspace(static_cast<unsigned char>(paragraph[next])))
      ++next;
    const auto after = next < paragraph.size() ? static_cast<unsigned char>(paragraph[next]) : 'A';
    if (std::islower(after)) continue;  // "e.g. this"
    sentences.push_back(now);
    now.clear();
  }
  if (wordCount(now) > 0) sentences.push_back(now);
  return sentences;
}

struct Prose {
  std::vector<std::string> paragraphs;  ///< running text: list items are paragraphs of their own
  std::vector<std::string> cells;       ///< of tables
};

/// The running text and the table cells of a page in Markdown, without code and headings.
inline Prose proseOf(const std::string& page) {
  Prose prose;
  std::istringstream lines(page);
  std::string paragraph;
  bool fenced = false;
  const auto close = [&] {
    if (wordCount(paragraph) > 0) prose.paragraphs.push_back(paragraph);
    paragraph.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::string_view text =
        first == std::string::npos ? std::string_view() : std::string_view(line).substr(first);
    if (text.starts_with("```")) {
      close();
      fenced = !fenced;
      continue;
    }
    if (fenced) continue;
    if (text.empty() || text[0] == '#' || text.starts_with("<!--") || text.starts_with("---")) {
      close();
      continue;
    }
    if (paragraph.empty() && first >= 4) continue;  // indented code
    if (text[0] == '|') {
      close();
      std::string cell;
      bool code = false;
      for (std::size_t k = 1; k < text.size(); ++k) {
        if (text[k] == '`') code = !code;
        if (text[k] == '|' && text[k - 1] != '\\' && !code) {
          prose.cells.push_back(cell);
          cell.clear();
        } else {
          cell += text[k];
        }
      }
      continue;
    }
    const bool item = text.starts_with("- ") || text.starts_with("* ") ||
                      (std::isdigit(static_cast<unsigned char>(text[0])) && text.size() > 2 &&
                       text[1] == '.' && text[2] == ' ');
    if (item) close();
    paragraph += std::string(item ? text.substr(text.find(' ') + 1) : text) + ' ';
  }
  close();
  return prose;
}

/// The comments of a source in C++, one text a block of lines.
inline std::vector<std::string> commentsOf(const std::string& source) {
  std::vector<std::string> comments;
  std::istringstream lines(source);
  bool goesOn = false;
  for (std::string line; std::getline(lines, line);) {
    std::size_t at = std::string::npos;
    bool quoted = false;
    for (std::size_t k = 0; k + 1 < line.size(); ++k) {
      if (line[k] == '\\') {
        ++k;
      } else if (line[k] == '"') {
        quoted = !quoted;
      } else if (!quoted && line[k] == '/' && line[k + 1] == '/') {
        at = k;
        break;
      }
    }
    if (at == std::string::npos) {
      goesOn = false;
      continue;
    }
    const bool alone = line.find_first_not_of(' ') == at;
    std::string text = line.substr(line.find_first_not_of('/', at) == std::string::npos
                                       ? line.size()
                                       : line.find_first_not_of('/', at));
    if (text.starts_with("<")) text.erase(0, 1);
    if (goesOn && alone)
      comments.back() += ' ' + text;
    else
      comments.push_back(text);
    goesOn = true;
  }
  return comments;
}

/// The running text of a comment: a tag (@param) begins a paragraph, the line of the licence and
/// sources of formulas are left out.
inline std::vector<std::string> paragraphsOf(const std::string& comment) {
  constexpr std::string_view licence = "SPDX-License-Identifier: GPL-3.0-or-later";
  std::vector<std::string> paragraphs(1);
  for (std::size_t k = 0; k < comment.size(); ++k) {
    const std::string_view rest = std::string_view(comment).substr(k);
    if (rest.starts_with(licence)) {
      k += licence.size() - 1;
      continue;
    }
    const bool tag = rest.size() > 1 && rest[0] == '@' && (k == 0 || comment[k - 1] == ' ') &&
                     std::isalpha(static_cast<unsigned char>(rest[1]));
    if (tag || rest.starts_with("Source:") || rest.starts_with("Sources:"))
      paragraphs.emplace_back();
    paragraphs.back() += comment[k];
  }
  std::erase_if(paragraphs, [](const std::string& p) { return p.starts_with("Source"); });
  return paragraphs;
}

/// The string literals of a source in C++, adjacent ones joined, a blank between others.
inline std::string literalsOf(const std::string& source) {
  std::string out;
  bool quoted = false;
  for (std::size_t k = 0; k < source.size(); ++k) {
    const char c = source[k];
    if (!quoted && c == '/' && k + 1 < source.size() && source[k + 1] == '/') {
      k = std::min(source.find('\n', k), source.size());
    } else if (!quoted && c == '\'' && k + 2 < source.size()) {
      k += source[k + 1] == '\\' ? 3 : 2;  // a character
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      if (c == '\\') ++k;
      out += c == '\\' ? ' ' : c;
    } else if (!std::isspace(static_cast<unsigned char>(c))) {
      if (!out.empty() && out.back() != ' ') out += ' ';
    }
  }
  return out;
}

}  // namespace scree::testing
