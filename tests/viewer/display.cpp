#include "tests/viewer/display.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace drystone::test {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// On the path of programs.
bool isInstalled(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// `prepare` runs in the child, before the program.
pid_t start(std::vector<std::string> words, const std::function<void()>& prepare) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    prepare();
    execvp(pointers[0], pointers.data());
    _exit(127);
  }
  return child;
}

void sendTo(const std::string& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
  close(file);
}

bool eventually(double seconds, const std::function<bool()>& condition) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

/// The line that the server writes once it serves, with the number of its display.
std::string readLine(int pipe, double seconds) {
  fcntl(pipe, F_SETFL, O_NONBLOCK);
  std::string text;
  eventually(seconds, [&] {
    char c = 0;
    while (read(pipe, &c, 1) == 1) {
      if (c == '\n') return true;
      text += c;
    }
    return false;
  });
  return text;
}

}  // namespace

Display::Display() {
  for (const char* program : {"Xvfb", "xdotool"}) {
    if (!isInstalled(program)) {
      problem_ = std::string(program) + " is not installed (scripts/setup)";
      return;
    }
  }
  int channel[2];
  if (pipe(channel) != 0) {
    problem_ = "no pipe";
    return;
  }
  // The server picks a free number itself. A reset when the last client goes would come in the way
  // of the next one and its keys.
  server_ = start({"Xvfb", "-displayfd", std::to_string(channel[1]), "-screen", "0", "1280x720x24",
                   "-nolisten", "tcp", "-noreset"},
                  [&] {
                    close(channel[0]);
                    sendTo("/dev/null", STDERR_FILENO);
                  });
  close(channel[1]);
  const std::string number = readLine(channel[0], 20);
  close(channel[0]);
  if (number.empty()) {
    problem_ = "Xvfb does not start";
  } else {
    name_ = ":" + number;
  }
}

Display::~Display() {
  if (server_ <= 0) return;
  kill(server_, SIGTERM);
  waitpid(server_, nullptr, 0);
}

constexpr unsigned long kResourceManager = 23, kString = 31;  // of X11/Xatom.h

// By the library that the window loads too, so that nothing else need be installed.
Resources::Resources(const Display& display, const std::string& text) {
  library_ = dlopen("libX11.so.6", RTLD_NOW);
  if (library_ == nullptr) {
    problem_ = "no libX11";
    return;
  }
  using Open = void* (*)(const char*);
  using Root = unsigned long (*)(void*);
  using Change = int (*)(void*, unsigned long, unsigned long, unsigned long, int, int,
                         const unsigned char*, int);
  using Sync = int (*)(void*, int);
  connection_ = reinterpret_cast<Open>(dlsym(library_, "XOpenDisplay"))(display.name().c_str());
  if (connection_ == nullptr) {
    problem_ = "no connection to the display";
    return;
  }
  const unsigned long root =
      reinterpret_cast<Root>(dlsym(library_, "XDefaultRootWindow"))(connection_);
  reinterpret_cast<Change>(dlsym(library_, "XChangeProperty"))(
      connection_, root, kResourceManager, kString, 8, 0,
      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  reinterpret_cast<Sync>(dlsym(library_, "XSync"))(connection_, 0);
}

Resources::~Resources() {
  using Root = unsigned long (*)(void*);
  using Delete = int (*)(void*, unsigned long, unsigned long);
  using Close = int (*)(void*);
  if (connection_ != nullptr) {
    reinterpret_cast<Delete>(dlsym(library_, "XDeleteProperty"))(
        connection_, reinterpret_cast<Root>(dlsym(library_, "XDefaultRootWindow"))(connection_),
        kResourceManager);
    reinterpret_cast<Close>(dlsym(library_, "XCloseDisplay"))(connection_);
  }
  if (library_ != nullptr) dlclose(library_);
}

ViewerProcess::ViewerProcess(const Display& display, const std::string& folder,
                             const std::vector<std::string>& arguments)
    : display_(display.name()), folder_(folder) {
  std::vector<std::string> words = {DRYSTONE_BINARY_DIR "/bin/drystone", "view", "--log",
                                    folder_ + "/log"};
  if (std::ranges::count(arguments, "--size") == 0) {
    words.insert(words.end(), {"--size", "1280x720"});
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  process_ = start(words, [&] {
    setenv("DISPLAY", display_.c_str(), 1);
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    // Drivers of Mesa and fontconfig keep what they loaded, and are unloaded before the address
    // sanitizer looks for leaks: it cannot tell theirs by name. All its other checks hold.
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    sendTo(folder_ + "/out", STDOUT_FILENO);
    sendTo(folder_ + "/err", STDERR_FILENO);
    if (chdir(folder_.c_str()) != 0) _exit(126);
  });
}

ViewerProcess::~ViewerProcess() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

std::vector<std::string> ViewerProcess::lines() const {
  std::vector<std::string> all;
  std::ifstream file(folder_ + "/log");
  for (std::string line; std::getline(file, line);) {
    // The last one may be half written.
    if (!file.eof()) all.push_back(line);
  }
  return all;
}

std::string ViewerProcess::waitFor(const std::string& start, double seconds) {
  std::string found;
  eventually(seconds, [&] {
    const std::vector<std::string> all = lines();
    for (std::size_t i = read_; i < all.size(); ++i) {
      if (!all[i].starts_with(start)) continue;
      found = all[i];
      read_ = i + 1;
      return true;
    }
    return exitCode(0) >= 0;
  });
  return found;
}

void ViewerProcess::xdotool(const std::vector<std::string>& arguments) const {
  std::vector<std::string> words = {"xdotool"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const pid_t child =
      drystone::test::start(words, [this] { setenv("DISPLAY", display_.c_str(), 1); });
  waitpid(child, nullptr, 0);
}

void ViewerProcess::signal(int number) const {
  if (process_ > 0) kill(process_, number);
}

int ViewerProcess::exitCode(double seconds) {
  if (process_ <= 0) return exitCode_;
  eventually(seconds, [&] {
    int status = 0;
    if (waitpid(process_, &status, WNOHANG) != process_) return false;
    exitCode_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    process_ = -1;
    return true;
  });
  return exitCode_;
}

std::string ViewerProcess::errors() const {
  std::ifstream file(folder_ + "/err");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double ViewerProcess::processorTime() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
  std::string text;
  std::getline(file, text);
  // After the name, which may hold spaces: the state, ten more fields, then the two times.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string field;
  for (int i = 0; i < 11; ++i) fields >> field;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace drystone::test
