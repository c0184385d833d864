#pragma once

#include <sys/types.h>

#include <mutex>
#include <string>
#include <vector>

namespace drystone::viewer {

/// Where the program is in PATH; empty where it is not.
std::string findProgram(const std::string& name);

/// A program that runs beside this one, fed through its standard input, without a shell between. In
/// a process group of its own: Ctrl-C reaches only this program, which then ends the other in
/// order.
class ChildProcess {
 public:
  /// `words` are the program's path and its arguments. Its standard output goes nowhere, its errors
  /// are kept. Throws std::runtime_error when it does not start.
  explicit ChildProcess(std::vector<std::string> words);
  /// Closes its input and waits for its end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// False when it takes no more, as after it ended.
  bool write(const void* data, std::size_t size);
  /// Closes its input and waits; true: it ended with 0.
  bool finish();
  /// Ends it at once. Also from another thread, while write() or finish() waits for it.
  void kill();
  /// What it wrote to standard error; after finish().
  std::string errorText() const;
  /// How it ended, `exit status 1` or `signal 9: Killed`; after finish().
  std::string endText() const;

 private:
  std::mutex mutex_;  // of process_, whose number is another's once it was waited for
  pid_t process_ = -1;
  int input_ = -1;
  int errors_ = -1;
  int status_ = 0;  // as waitpid() has it
};

/// Standard output of a program that needs no input; empty when it does not run.
std::string outputOf(std::vector<std::string> words);

}  // namespace drystone::viewer
