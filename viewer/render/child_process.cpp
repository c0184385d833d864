#include "viewer/render/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

extern char** environ;

namespace drystone::viewer {
namespace {

/// A file without a name that is gone when it is closed.
int nameless() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr)
    throw std::runtime_error(std::string("no temporary file: ") + strerror(errno));
  const int descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
  std::fclose(file);
  return descriptor;
}

/// Starts the program with these as standard input, output and errors; -1: it did not start.
pid_t start(std::vector<std::string>& words, int input, int output, int errors) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  pid_t process = -1;
  const int error =
      posix_spawn(&process, pointers[0], &files, &attributes, pointers.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  errno = error;
  return error == 0 ? process : -1;
}

constexpr int kNoStatus = 0x7f00;  // of waitpid(): exit status 127

int statusOfEnd(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return kNoStatus;
  }
  return status;
}

bool isGood(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

std::string contentOf(int descriptor) {
  std::string text;
  char part[4096];
  for (off_t at = 0;;) {
    const ssize_t count = pread(descriptor, part, sizeof(part), at);
    if (count <= 0) return text;
    text.append(part, static_cast<std::size_t>(count));
    at += count;
  }
}

}  // namespace

std::string findProgram(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string folders = path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path;
  folders += ':';
  for (std::size_t from = 0, to = 0; (to = folders.find(':', from)) != std::string::npos;
       from = to + 1) {
    const std::string folder = folders.substr(from, to - from);
    const std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

ChildProcess::ChildProcess(std::vector<std::string> words) {
  // A socket and no pipe: writing to a program that has ended is then an error and no signal.
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::runtime_error(std::string("no socket: ") + std::strerror(errno));
  }
  errors_ = nameless();
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  process_ = start(words, ends[0], nothing, errors_);
  const int error = errno;
  close(ends[0]);
  close(nothing);
  if (process_ < 0) {
    close(ends[1]);
    close(errors_);
    throw std::runtime_error("cannot start " + words[0] + ": " + std::strerror(error));
  }
  input_ = ends[1];
}

ChildProcess::~ChildProcess() {
  finish();
  close(errors_);
}

bool ChildProcess::write(const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t sent = send(input_, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool ChildProcess::finish() {
  if (process_ < 0) return isGood(status_);
  close(input_);
  // Until it is waited for, its number is its own: kill() cannot hit another.
  siginfo_t end{};
  while (waitid(P_PID, static_cast<id_t>(process_), &end, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  const std::scoped_lock lock(mutex_);
  status_ = statusOfEnd(process_);
  process_ = -1;
  return isGood(status_);
}

void ChildProcess::kill() {
  const std::scoped_lock lock(mutex_);
  if (process_ >= 0) ::kill(process_, SIGKILL);
}

std::string ChildProcess::endText() const {
  if (WIFEXITED(status_)) return "exit status " + std::to_string(WEXITSTATUS(status_));
  const int number = WTERMSIG(status_);
  return "signal " + std::to_string(number) + ": " + strsignal(number);
}

std::string ChildProcess::errorText() const {
  std::string text = contentOf(errors_);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

std::string outputOf(std::vector<std::string> words) {
  const int output = nameless();
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t process = start(words, nothing, output, nothing);
  std::string text;
  if (process >= 0 && isGood(statusOfEnd(process))) text = contentOf(output);
  close(nothing);
  close(output);
  return text;
}

}  // namespace drystone::viewer
