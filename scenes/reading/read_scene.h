#pragma once

#include <string>
#include <string_view>

#include "scenes/reading/read_log.h"
#include "scenes/scene_reader.h"

namespace drystone {

/// readSceneText() with a log of the caller's: what it looks for beyond the scene (ReadLog::keys).
Scene readSceneLogged(std::string_view text, const std::string& label,
                      const SceneReadOptions& options, const std::string& directory, ReadLog& log);

}  // namespace drystone
