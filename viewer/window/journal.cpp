#include "viewer/window/journal.h"

#include <fmt/format.h>

#include "core/input_error.h"

namespace drystone::viewer {

Journal::Journal(const std::string& path) {
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw InputError(fmt::format("{}: cannot be written; name another file", path));
}

void Journal::say(const std::string& line) {
  if (file_.is_open()) file_ << line << std::endl;
}

namespace {

/// Sections that opened or closed. One that is not listed is as at first: the other way round.
void addSections(const std::map<std::string, bool>& before, const std::map<std::string, bool>& now,
                 std::vector<std::string>& lines) {
  const auto tell = [&](const std::string& section, bool isOpen) {
    lines.push_back(fmt::format("section {} {}", section, isOpen ? "open" : "closed"));
  };
  for (const auto& [section, isOpen] : now) {
    if (!before.contains(section)) tell(section, isOpen);
  }
  for (const auto& [section, wasOpen] : before) {
    if (!now.contains(section)) tell(section, !wasOpen);
  }
}

}  // namespace

std::vector<std::string> changesBetween(const Watched& before, const Watched& now) {
  std::vector<std::string> lines;
  const auto name = [&](const char* what, const std::string& from, const std::string& to) {
    if (from != to) lines.push_back(fmt::format("{} {}", what, to.empty() ? "none" : to));
  };
  const auto flag = [&](const char* what, bool from, bool to) {
    if (from != to) lines.push_back(fmt::format("{} {}", what, to ? "on" : "off"));
  };
  name("scene", before.scene, now.scene);
  name("solver", before.solver, now.solver);
  if (before.paused != now.paused) lines.emplace_back(now.paused ? "paused" : "running");
  if (before.ended != now.ended && now.ended) lines.emplace_back("ended");
  if (now.paused && before.step != now.step) lines.push_back(fmt::format("step {}", now.step));
  if (before.scene == now.scene && before.bodies != now.bodies) {
    lines.push_back(fmt::format("bodies {}", now.bodies));
  }
  name("selected", before.selected, now.selected);
  flag("loop", before.loops, now.loops);
  flag("panels", before.panels, now.panels);
  flag("fold left", before.foldLeft, now.foldLeft);
  flag("fold right", before.foldRight, now.foldRight);
  addSections(before.sections, now.sections, lines);
  flag("help", before.help, now.help);
  flag("contacts", before.contacts, now.contacts);
  flag("forces", before.forces, now.forces);
  flag("islands", before.islands, now.islands);
  flag("wireframe", before.wireframe, now.wireframe);
  flag("transparent", before.transparent, now.transparent);
  if (before.speed != now.speed) lines.push_back(fmt::format("speed {}", now.speed));
  flag("follow", before.follow, now.follow);
  flag("profiler", before.profiler, now.profiler);
  flag("race window", before.raceOpen, now.raceOpen);
  flag("race", before.racing, now.racing);
  flag("recording", before.recording, now.recording);
  return lines;
}

}  // namespace drystone::viewer
