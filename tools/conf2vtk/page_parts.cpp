// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_parts.hpp"

// The assembler copies a file into the read-only data: quick, whatever its size.
#define SCREE_FILE(name, path)                                                   \
  __asm__(".pushsection .rodata\n.global scree_" #name                           \
          "_begin\n"                                                             \
          ".global scree_" #name "_end\nscree_" #name                            \
          "_begin:\n"                                                            \
          ".incbin \"" path "\"\nscree_" #name "_end:\n.byte 0\n.popsection\n"); \
  extern "C" const char scree_##name##_begin[], scree_##name##_end[]

SCREE_FILE(page_style, SCREE_PAGE_FOLDER "/page.css");
SCREE_FILE(page_body, SCREE_PAGE_FOLDER "/page.html");
SCREE_FILE(page_script, SCREE_PAGE_FOLDER "/page.js");
#ifdef SCREE_THREE_FOLDER
SCREE_FILE(three, SCREE_THREE_FOLDER "/three.module.js");
SCREE_FILE(three_controls, SCREE_THREE_FOLDER "/examples/jsm/controls/OrbitControls.js");
#endif

namespace scree::tools {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

PageParts pageParts() {
  PageParts parts{between(scree_page_style_begin, scree_page_style_end),
                  between(scree_page_body_begin, scree_page_body_end),
                  between(scree_page_script_begin, scree_page_script_end),
                  {},
                  {}};
#ifdef SCREE_THREE_FOLDER
  parts.three = between(scree_three_begin, scree_three_end);
  parts.controls = between(scree_three_controls_begin, scree_three_controls_end);
#endif
  return parts;
}

}  // namespace scree::tools
