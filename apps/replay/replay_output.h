#pragma once

#include <string>

#include "apps/replay/replay_run.h"

namespace drystone::cli {

/// The same recording run again, and how.
struct ReplayReport {
  std::string file;
  const Recording& recording;
  const ReplayResult& result;
  const World& world;   ///< after the replay
  bool comparesHashes;  ///< else motion
};

/// The object of `replay --json`, two blanks a level.
std::string replayJson(const ReplayReport& report);

/// What `replay` says for people.
std::string replayText(const ReplayReport& report);

}  // namespace drystone::cli
