// SPDX-License-Identifier: GPL-3.0-or-later
// Search in all sections of the manual: each word must begin a word of the section; words in titles count most.
const results = document.getElementById('results'), field = document.getElementById('mkdocs-search-query');

function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const patterns = words.map(w => new RegExp('(?<![\\p{L}\\p{N}])' + w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu'));
  const found = [];
  for (const page of words.length ? window.pages.docs : []) {
    let score = 0;
    for (const pattern of patterns) {
      const hits = 20 * (page.title.match(pattern) || []).length + Math.min(10, (page.text.match(pattern) || []).length);
      if (!hits) { score = 0; break; }
      score += hits;
    }
    if (page.location.startsWith('docs/decisions')) score /= 10;
    if (score) found.push({score, page});
  }
  found.sort((a, b) => b.score - a.score);
  results.replaceChildren();
  if (!found.length) results.textContent = words.length ? 'No section has all of these words.' : '';
  const shown = new Set();  // a page and its first section have one title
  for (const {page} of found.slice(0, 60)) {
    const title = page.title.replace(/#$/, ''), place = page.location.replace(/^docs\/|\.html.*$/g, '');
    if (shown.has(place + title)) continue;
    shown.add(place + title);
    const heading = document.createElement('h3'), link = document.createElement('a'), text = document.createElement('p');
    link.href = page.location;
    link.textContent = title + ' – ' + place;
    heading.append(link);
    const at = Math.max(0, page.text.search(patterns[0]) - 80);
    text.textContent = page.text.slice(at, at + 240).replace(/ # /g, ' ');
    results.append(heading, text);
  }
}

field.value = new URLSearchParams(location.search).get('q') || '';
field.addEventListener('input', search);
search();
