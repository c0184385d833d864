// How many rows end tight: Lefebvre 2020, figure 2.3.
#include <algorithm>

#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {

void studyTightRows(const StudyOptions& options) {
  fmt::print("## Share of tight rows (Lefebvre 2020, figure 2.3)\n\n");
  fmt::print(
      "| scene | frames | mean | median | largest | frames with a tight row | frames above 15 % "
      "|\n|---|--:|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "tight", "scene,time_s,rows,tight_rows,share_percent");
  for (const PublishedMachine& machine : publishedMachines()) {
    if (!options.wants(machine.scene)) continue;
    const Scene scene = sceneWith(machine.scene, "");
    Shadow shadow({{"bpp-auto"}}, 1);
    std::vector<Real> shares;
    simulate(scene, shadow, framesOf(scene, options.seconds), kInfinity, [&](World& world) {
      int rows = 0, tight = 0;
      for (const ShadowRecord& record : shadow.records) {
        rows += record.rows;
        tight += record.tightRows;
      }
      shares.push_back(rows > 0 ? 100.0 * tight / rows : 0);
      csv.row(machine.scene, world.time(), rows, tight, shares.back());
    });
    // The thesis gains from downdates below this share.
    printRow("| {} | {} | {:.1f} % | {:.1f} % | {:.1f} % | {:.0f} % | {:.0f} % |\n", machine.scene,
             shares.size(), mean(shares), median(shares), largest(shares),
             100 * (1 - shareAtMost(shares, 0)), 100 * (1 - shareAtMost(shares, 15)));
  }
  fmt::print("\n{} s of each scene.\n\n", options.seconds);
}

}  // namespace drystone::bench
