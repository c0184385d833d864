#pragma once

#include <memory>

namespace drystone::viewer {

/// An OpenGL 3.3 core context without a surface.
class EglContext {
 public:
  /// Current on this thread afterwards. Throws NoDisplayError (offscreen.h).
  explicit EglContext(bool debug);
  ~EglContext();
  void makeCurrent() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
