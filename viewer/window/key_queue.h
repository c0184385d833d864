#pragma once

#include <deque>
#include <functional>

namespace drystone::viewer {

/// What the keyboard did, as GLFW tells it.
struct KeyEvent {
  enum class Kind { kPress, kRepeat, kRelease, kText } kind = Kind::kPress;
  int key = 0;  ///< of kText: the character
  int scancode = 0, modifiers = 0;
  bool isModifier = false;  ///< Ctrl, Shift and the like
};

/// Keys on their way to an interface that looks at them once a picture: this one holds back the
/// release of a key until a picture has seen it pressed, its next press until one has seen it
/// released, and what comes after them. Letters are let through, for they come as text.
class KeyQueue {
 public:
  void push(const KeyEvent& event) { waiting_.push_back(event); }
  /// Hands on what one picture can take.
  void forward(const std::function<void(const KeyEvent&)>& to);

 private:
  bool isTyped(std::size_t index) const;

  std::deque<KeyEvent> waiting_;
};

}  // namespace drystone::viewer
