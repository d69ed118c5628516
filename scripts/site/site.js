// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the formulas of a page.
for (const block of document.querySelectorAll('div.math'))
  katex.render(block.textContent, block, {displayMode: true, throwOnError: false});
