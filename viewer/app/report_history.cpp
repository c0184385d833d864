#include "viewer/app/report_history.h"

namespace drystone::viewer {

void ReportHistory::add(const StepReport& report) {
  while (!empty() && newest().step >= report.step) --size_;
  if (size_ == kCapacity) {
    first_ = (first_ + 1) % kCapacity;
    --size_;
  }
  ReportSample& sample = samples_[(first_ + size_) % kCapacity];
  ++size_;
  sample = {.step = report.step,
            .time = report.time,
            .times = report.times,
            .energy = report.energy,
            .naturalMap = report.naturalMap,
            .maxPenetration = report.maxPenetration,
            .contacts = report.contacts,
            .rows = report.rows,
            .islands = static_cast<int>(report.islands.size()),
            .iterations = report.iterations};
}

void ReportHistory::clear() { first_ = size_ = 0; }

}  // namespace drystone::viewer
