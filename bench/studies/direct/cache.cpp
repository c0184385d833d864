// Factors kept within a solve against factors made again: Lefebvre 2020, table 3.1, figures 3.1 and
// 3.2. All rows free at the start and full columns, as there. Frames without a tight row are left
// out.
#include <algorithm>

#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

struct Case {
  const char *title, *scene;
  Real first, seconds;  ///< simulated before and in the study [s]
  int stride;           ///< of the frames that are measured
  Real publishedRows, publishedEntries;
};

// Parts of the simulations that have contacts, and frames so that each takes a minute or two.
constexpr Case kCases[] = {
    {"Chain", "chain_rod", 2, 2, 12, 528.9, 272.5},
    {"Forklift", "forklift", 0, 20, 6, 162.0, 115.6},
    {"Log tower", "tower", 0.5, 2, 12, 829.9, 3100.5},
    {"Stack of boxes", "boxes", 0, 3, 4, 333.9, 1351.9},
};
constexpr Real kMegabyte = 1 << 20;

void measure(const Case& test, const StudyOptions& options, CsvFile& csv) {
  const Scene scene = sceneWith(test.scene, "", {}, {"world.friction=box"});
  // Lefebvre 2020, table 2.1: 35 candidates at most; both go through the same.
  const std::vector<std::pair<std::string, std::string>> limits = {{"max_iterations", "35"}};
  Shadow shadow({{"bpp-auto"}, {"bpp-downdate", true, limits}, {"bpp-cached", true, limits}}, 1);
  FrameRange range = framesOf(scene, test.seconds);
  range.first = static_cast<int>(test.first / scene.settings.timestep);
  range.stride = test.stride;
  std::vector<Real> rows, entries, megabytes, ratios;
  const int frames = simulate(scene, shadow, range, options.limit, [&](World& world) {
    Real downdateMs = 0, cachedMs = 0, frameEntries = 0, bytes = 0;
    int islands = 0, frameRows = 0;
    for (const ShadowRecord& record : shadow.records) {
      if (record.tightRows == 0) continue;
      const Real copies = static_cast<Real>(record.runs[2].report.cacheBytes) /
                          (sizeof(Real) * static_cast<Real>(record.rows) * record.rows);
      rows.push_back(record.rows);
      entries.push_back(copies);
      ++islands;
      frameRows += record.rows;
      frameEntries += copies;
      bytes = std::max(bytes, static_cast<Real>(record.runs[2].report.cacheBytes));
      downdateMs += record.runs[1].report.timeMs;
      cachedMs += record.runs[2].report.timeMs;
    }
    if (islands == 0) return;
    megabytes.push_back(bytes / kMegabyte);
    ratios.push_back(cachedMs / downdateMs);
    csv.row(test.scene, world.time(), islands, frameRows, frameEntries, megabytes.back(),
            downdateMs, cachedMs, downdateMs / cachedMs);
  });
  printRow(
      "| {} | {} | {} of {} | {:.1f} | {} | {:.1f} | {} | {:.1f} | {:.1f} | {:.2f} | {:.2f} | "
      "{:.2f} |\n",
      test.title, test.scene, ratios.size(), frames, mean(rows), test.publishedRows, mean(entries),
      test.publishedEntries, mean(megabytes), largest(megabytes), mean(ratios), median(ratios),
      largest(ratios));
}

}  // namespace

std::vector<std::string> cacheScenes() { return scenesOf(kCases); }

void studyCache(const StudyOptions& options) {
  fmt::print("## Cached factors (Lefebvre 2020, table 3.1)\n\n");
  fmt::print(
      "| example | scene | frames with a tight row | rows of an island, mean | published | entries "
      "of its cache, mean | published | MiB, mean of a frame | MiB, most | time of bpp-cached over "
      "bpp-downdate, mean | median | most |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "cache",
              "scene,time_s,islands,rows,entries,cache_mib,downdate_ms,cached_ms,speedup");
  for (const Case& test : kCases) {
    if (options.wants(test.scene)) measure(test, options, csv);
  }
  fmt::print(
      "\nBox friction; block pivoting of 35 candidates at most, as published; at most {} s of each "
      "scene and of wall "
      "clock {} s. The cache is cleared "
      "with every problem and holds 512 MiB at most.\n\n",
      kCases[1].seconds, options.limit);
}

}  // namespace drystone::bench
