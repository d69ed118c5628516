// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow.hpp"

#include "inputs.hpp"

#include <chrono>
#include <set>
#include <thread>

namespace scree::tools {

SeriesOutcome followSeries(const std::vector<const Kind*>& kinds,
                           const std::vector<std::string>& paths, SeriesOptions options,
                           Diagnostics& diagnostics, double seconds,
                           const std::function<bool()>& stopped,
                           const std::function<void(std::size_t kind, std::vector<sim::Row>)>& take,
                           const std::function<void()>& flush) {
  options.throwAlone = false;
  SeriesOutcome all;
  std::set<std::string> seen;
  for (;;) {
    // Checked before the files are listed: what the run wrote last is among them.
    const bool over = runIsOver(confFilesNow(paths));
    std::vector<std::string> fresh;
    for (const std::string& file : confFilesNow(paths))
      if (!seen.contains(file)) fresh.push_back(file);
    // One by one, so that rows keep the order of the files where one has to be read again.
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      const SeriesOutcome one = measureSeries(kinds, {fresh[k]}, options, diagnostics, take);
      const bool last = k + 1 == fresh.size();
      if (!one.damaged.empty() && last && !over) break;
      seen.insert(fresh[k]);
      all.add(one);
      flush();
      if (stopped()) return all;
    }
    if (over || stopped()) return all;
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (std::chrono::steady_clock::now() < until && !stopped())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace scree::tools
