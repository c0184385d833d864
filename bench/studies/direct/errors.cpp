// What downdating loses: the factor of A with the tight rows of the final sets taken out, against a
// fresh factor of the free rows. Lefebvre 2020, table 2.4. Frames without a tight row are left out.
#include <algorithm>
#include <array>

#include "bench/studies/direct/factors.h"
#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

struct FactorError {
  Real absolute = 0;         ///< largest |ΔL_ij| [kg^-1/2]
  Real relative = 0;         ///< that over the largest |L_ij|
  bool isComparable = true;  ///< neither factor needed a regularized diagonal
};

/// Both factors of A and their difference; keeps its work space.
class FactorPair {
 public:
  FactorError compare(const BlockSparseMatrix& matrix, std::span<const RowState> states,
                      bool reorder) {
    downdated_.analyze(matrix, reorder);
    fresh_.analyze(matrix, reorder);
    const std::vector<std::uint8_t> isOut = tightByPlace(downdated_, states);
    allIn_.assign(matrix.size(), 0);
    if (!downdated_.factor(matrix, allIn_)) return {0, 0, false};
    for (int row = 0; row < matrix.size(); ++row) {
      if (isOut[row]) downdated_.takeOut(row);
    }
    if (!fresh_.factor(matrix, isOut)) return {0, 0, false};
    FactorError error;
    error.isComparable = downdated_.regularization() == 0 && fresh_.regularization() == 0;
    Real scale = 0;
    std::size_t start = 0;
    for (int j = 0; j < matrix.size(); ++j) {
      if (fresh_.isFull()) start = static_cast<std::size_t>(j) * matrix.size() + j;
      for (int i = j; i <= fresh_.last(j) && !isOut[j]; ++i) {
        if (isOut[i]) continue;
        const Real value = fresh_.values()[start + i - j];
        error.absolute =
            std::max(error.absolute, std::abs(value - downdated_.values()[start + i - j]));
        scale = std::max(scale, std::abs(value));
      }
      start += fresh_.last(j) - j + 1;
    }
    error.relative = scale > 0 ? error.absolute / scale : 0;
    return error;
  }

 private:
  EnvelopeMatrix downdated_, fresh_;
  std::vector<std::uint8_t> allIn_;
};

struct PublishedErrors {
  const char* scene;
  std::array<const char*, 4> natural, skyline;  ///< min, max, mean, median
};

constexpr PublishedErrors kPublished[] = {
    {"crane",
     {"6.74e-12", "3.00e-10", "4.77e-11", "3.80e-11"},
     {"6.76e-12", "2.50e-10", "4.84e-11", "3.88e-11"}},
    {"winch", {"0", "7.29e-11", "6.60e-13", "1.31e-13"}, {"0", "7.34e-11", "6.07e-13", "1.28e-13"}},
    {"vehicle",
     {"3.17e-13", "1.81e-09", "4.93e-12", "7.18e-13"},
     {"2.71e-13", "7.99e-10", "1.85e-12", "7.36e-13"}},
    {"offshore",
     {"0", "2.00e-08", "1.50e-09", "6.55e-11"},
     {"0", "1.00e-08", "1.30e-09", "5.55e-11"}},
    {"forklift",
     {"0", "5.74e-11", "1.50e-12", "1.46e-12"},
     {"0", "1.17e-11", "1.35e-12", "1.36e-12"}},
    {"forwarder",
     {"1.11e-10", "7.00e-08", "4.04e-09", "3.22e-09"},
     {"1.11e-10", "7.00e-08", "4.04e-09", "3.22e-09"}},
};

/// Of the frames of a scene.
struct ErrorList {
  std::vector<Real> absolute;
  Real relative = 0;
  int incomparable = 0;
};

void printErrors(const PublishedErrors& published, bool skyline, const ErrorList& errors) {
  const auto& theirs = skyline ? published.skyline : published.natural;
  const auto& ours = errors.absolute;
  const Real least = ours.empty() ? 0 : *std::min_element(ours.begin(), ours.end());
  printRow(
      "| {} | {} | {} | {:.2e} | {} | {:.2e} | {} | {:.2e} | {} | {:.2e} | {} | {:.1e} | {} |\n",
      published.scene, skyline ? "skyline" : "natural", ours.size(), least, theirs[0],
      largest(ours), theirs[1], mean(ours), theirs[2], median(ours), theirs[3], errors.relative,
      errors.incomparable);
}

void measure(const PublishedErrors& published, const StudyOptions& options, CsvFile& csv) {
  const Scene scene = sceneWith(published.scene, "");
  Shadow shadow({{"bpp-auto"}}, 1);
  FactorPair pair;
  std::array<ErrorList, 2> lists;  // natural, skyline
  std::array<FactorError, 2> ofFrame;
  bool hasTight = false;
  shadow.observer = [&](const ShadowView& view) {
    if (view.record.tightRows == 0) return;
    hasTight = true;
    const BlockSparseMatrix matrix = assemble(view.problem);
    for (const bool skyline : {false, true}) {
      const FactorError error = pair.compare(matrix, view.state, skyline);
      FactorError& worst = ofFrame[skyline];
      worst.absolute = std::max(worst.absolute, error.absolute);
      worst.relative = std::max(worst.relative, error.relative);
      worst.isComparable = worst.isComparable && error.isComparable;
    }
  };
  simulate(scene, shadow, framesOf(scene, options.seconds), kInfinity, [&](World& world) {
    for (const bool skyline : {false, true}) {
      const FactorError& error = ofFrame[skyline];
      if (hasTight && error.isComparable) {
        lists[skyline].absolute.push_back(error.absolute);
        lists[skyline].relative = std::max(lists[skyline].relative, error.relative);
        csv.row(published.scene, world.time(), skyline ? "skyline" : "natural", error.absolute,
                error.relative);
      } else if (hasTight) {
        ++lists[skyline].incomparable;
      }
    }
    hasTight = false;
    ofFrame = {};
  });
  for (const bool skyline : {false, true}) printErrors(published, skyline, lists[skyline]);
}

}  // namespace

std::vector<std::string> errorScenes() { return scenesOf(kPublished); }

void studyErrors(const StudyOptions& options) {
  fmt::print("## Error of downdated factors (Lefebvre 2020, table 2.4)\n\n");
  fmt::print(
      "| scene | order | frames | min kg^-1/2 | published | max | published | mean | published | "
      "median | published | max over the largest entry of L | frames left out: A singular to "
      "round-off |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  CsvFile csv(options, "errors", "scene,time_s,order,absolute,relative");
  for (const PublishedErrors& published : kPublished) {
    if (options.wants(published.scene)) measure(published, options, csv);
  }
  fmt::print(
      "\nLargest difference of an entry of L over the free rows and columns of a frame; {} s "
      "of each scene.\n\n",
      options.seconds);
}

}  // namespace drystone::bench
