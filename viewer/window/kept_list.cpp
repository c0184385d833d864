#include "viewer/window/kept_list.h"

namespace drystone::viewer {

const DrawList& KeptList::of(const ViewFrame& frame, std::uint64_t number,
                             const DrawOptions& options, const std::optional<Line>& line) {
  if (number_ != number || options_ != options) {
    drawer_.draw(frame, options, list_);
    number_ = number;
    options_ = options;
    ownLines_ = list_.lines.size();
  }
  list_.lines.resize(ownLines_);
  if (line) list_.lines.push_back(*line);
  return list_;
}

}  // namespace drystone::viewer
