// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the formulas of a page, and breaks long names in the text, but no options, at the end of a line.
for (const block of document.querySelectorAll('div.math'))
  katex.render(block.textContent, block, {displayMode: true, throwOnError: false});
for (const code of document.querySelectorAll(':not(pre) > code'))
  code.innerHTML = code.innerHTML.replace(/\S+/g, word => word[0] === '-' ? `<span class="word">${word}</span>` : word.replace(/[/.](?=[a-z])|(?=\()/gi, '$&<wbr>'));
