#include "tests/cli/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

namespace drystone::test {
namespace fs = std::filesystem;
namespace {

/// Output goes to files: pipes would have to be drained while the program runs.
void redirect(const fs::path& path, int descriptor) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(file, descriptor);
  close(file);
}

/// `output`: where stdout goes; empty: into the result.
ProgramResult runWith(const std::vector<std::string>& arguments, const fs::path& output,
                      const std::function<void(pid_t)>& whileRunning) {
  const Scratch scratch;
  const std::string binary = DRYSTONE_BINARY_DIR "/bin/drystone";
  std::vector<std::string> words = {binary};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);

  const pid_t child = fork();
  if (child == 0) {
    redirect(output.empty() ? fs::path(scratch.path("out")) : output, STDOUT_FILENO);
    redirect(scratch.path("err"), STDERR_FILENO);
    execv(binary.c_str(), pointers.data());
    _exit(127);
  }
  whileRunning(child);
  int status = 0;
  waitpid(child, &status, 0);
  ProgramResult result;
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  result.out = readText(scratch.path("out"));
  result.err = readText(scratch.path("err"));
  return result;
}

bool hasLines(const fs::path& path, int lines) {
  if (!fs::exists(path)) return false;
  const std::string text = readText(path);
  return std::count(text.begin(), text.end(), '\n') >= lines;
}

}  // namespace

nlohmann::ordered_json ProgramResult::json() const {
  nlohmann::ordered_json value = nlohmann::ordered_json::parse(out, nullptr, false);
  if (!value.is_discarded()) return value;
  ADD_FAILURE() << "stdout is no JSON:\n" << out << "\nstderr:\n" << err;
  return nullptr;
}

ProgramResult drystone(const std::vector<std::string>& arguments) {
  return runWith(arguments, {}, [](pid_t) {});
}

ProgramResult drystoneInto(const fs::path& output, const std::vector<std::string>& arguments) {
  return runWith(arguments, output, [](pid_t) {});
}

ProgramResult drystoneInterrupted(const std::vector<std::string>& arguments, int signal,
                                  const fs::path& watched, int lines) {
  return runWith(arguments, {}, [&](pid_t child) {
    constexpr int kPolls = 6000;  // 60 s: far beyond what a loaded machine needs
    for (int i = 0; i < kPolls && !hasLines(watched, lines); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    kill(child, signal);
  });
}

Scratch::Scratch() {
  std::string pattern = (fs::temp_directory_path() / "drystone_cli_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  folder_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream file(folder_ / name, std::ios::binary);
  file << text;
  return path(name);
}

std::vector<std::string> Scratch::list(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_ / name)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string readText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> splitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> splitFields(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
  if (line.ends_with(',')) fields.emplace_back();
  return fields;
}

}  // namespace drystone::test
