#pragma once

#include <cstddef>
#include <vector>

#include "engine/observe/step_report.h"

namespace drystone::viewer {

/// The figures of one step that are plotted over time.
struct ReportSample {
  std::int64_t step = 0;
  Real time = 0;  ///< [s]
  StageTimes times;
  EnergyLedger energy;
  Real naturalMap = 0;      ///< judged (M.11) [m/s]
  Real maxPenetration = 0;  ///< [m]
  int contacts = 0, rows = 0, islands = 0;
  int iterations = 0;
};

/// The newest reports, oldest first: a ring that never grows. Steps ascend; a report of a step that
/// was seen before (the user went back) drops it and all after it.
class ReportHistory {
 public:
  static constexpr std::size_t kCapacity = 600;  ///< ten seconds at 60 Hz

  /// A step that is the newest already is written anew: it may have been computed again.
  void add(const StepReport& report);
  void clear();
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// 0 is the oldest.
  const ReportSample& operator[](std::size_t i) const { return samples_[(first_ + i) % kCapacity]; }
  const ReportSample& newest() const { return (*this)[size_ - 1]; }

 private:
  std::vector<ReportSample> samples_ = std::vector<ReportSample>(kCapacity);
  std::size_t first_ = 0, size_ = 0;
};

/// Mean and largest of one figure over the history.
struct Spread {
  double now = 0, mean = 0, most = 0;
};
template <class Figure>
Spread spreadOf(const ReportHistory& history, Figure figure) {
  Spread spread;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const double value = figure(history[i]);
    spread.mean += value / static_cast<double>(history.size());
    spread.most = i == 0 || value > spread.most ? value : spread.most;
    spread.now = value;
  }
  return spread;
}

}  // namespace drystone::viewer
