#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace drystone::test {

/// An X server without a screen, for as long as the object lives.
class Display {
 public:
  Display();
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  /// Why there is none: a program is missing, or the server did not start. Empty: there is one.
  const std::string& problem() const { return problem_; }
  const std::string& name() const { return name_; }

 private:
  pid_t server_ = -1;
  std::string name_, problem_;
};

/// Resources of a display, `NAME: VALUE` lines, as the desktop sets them; for as long as the object
/// lives.
class Resources {
 public:
  Resources(const Display& display, const std::string& text);
  ~Resources();
  Resources(const Resources&) = delete;
  Resources& operator=(const Resources&) = delete;

  /// Why there are none; empty: there are.
  const std::string& problem() const { return problem_; }

 private:
  void* library_ = nullptr;
  void* connection_ = nullptr;
  std::string problem_;
};

/// `drystone view` on a display, with its message log.
class ViewerProcess {
 public:
  /// `folder` is where it works and has its layout and log.
  ViewerProcess(const Display& display, const std::string& folder,
                const std::vector<std::string>& arguments);
  ~ViewerProcess();
  ViewerProcess(const ViewerProcess&) = delete;
  ViewerProcess& operator=(const ViewerProcess&) = delete;

  /// Waits for a new line that begins so, after those that were waited for before. Empty: it did
  /// not come within the time [s].
  std::string waitFor(const std::string& start, double seconds = 20);
  /// All lines up to now.
  std::vector<std::string> lines() const;
  /// Runs xdotool with the arguments.
  void xdotool(const std::vector<std::string>& arguments) const;
  void signal(int number) const;
  void key(const std::string& name) const { xdotool({"key", name}); }
  /// Waits for the end; -1: it did not come within the time [s].
  int exitCode(double seconds);
  std::string errors() const;
  /// Time that its threads have computed up to now [s].
  double processorTime() const;

 private:
  std::string display_, folder_;
  pid_t process_ = -1;
  std::size_t read_ = 0;
  int exitCode_ = -1;
};

}  // namespace drystone::test
