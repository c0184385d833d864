#include "viewer/window/key_queue.h"

#include <algorithm>
#include <vector>

namespace drystone::viewer {

/// Whether the press brings text, which follows it at once.
bool KeyQueue::isTyped(std::size_t index) const {
  return index + 1 < waiting_.size() && waiting_[index + 1].kind == KeyEvent::Kind::kText;
}

void KeyQueue::forward(const std::function<void(const KeyEvent&)>& to) {
  bool isHeld = false;        // a key that must be seen so is down
  std::vector<int> released;  // keys that must be seen so
  while (!waiting_.empty()) {
    const KeyEvent event = waiting_.front();
    const bool isPress =
        event.kind == KeyEvent::Kind::kPress || event.kind == KeyEvent::Kind::kRepeat;
    const bool isTyping = event.kind == KeyEvent::Kind::kText || (isPress && isTyped(0));
    if (isHeld && (event.kind == KeyEvent::Kind::kRelease || isTyping)) return;
    if (isPress && !isTyping && std::ranges::count(released, event.key) > 0) return;
    if (event.kind == KeyEvent::Kind::kRelease) released.push_back(event.key);
    isHeld = isHeld || (isPress && !isTyping && !event.isModifier);
    waiting_.pop_front();
    to(event);
  }
}

}  // namespace drystone::viewer
