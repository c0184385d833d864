#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "scenes/reading/read_log.h"
#include "scenes/scene_reader.h"

namespace drystone {

/// Deepest nesting of lists and objects that a scene may have.
constexpr int kMaxNesting = 64;

/// Whole content of a file of a scene. Throws InputError when it cannot be read, and above 256 MiB.
std::string readTextFile(const std::string& path);

/// Parses a text, which may have comments and commas before closing brackets. Throws InputError
/// with line, column and remedy where it is no JSON; keys that an object holds twice are added to
/// the log.
nlohmann::json parseJsonText(std::string_view text, const std::string& label, ReadLog& log);

/// A value of the command line: JSON, or the text itself when it is none.
nlohmann::json parseValueText(const std::string& text);

/// Replaces the value at the dotted path of every override but those of parameters. Objects of
/// the format that are missing on the way are made (`world.stabilization`); entries of the sections
/// that hold named or listed ones must exist. Elements of lists go by index or by their "name".
void applyOverrides(const std::vector<ParameterOverride>& overrides, nlohmann::json& root,
                    ReadLog& log);

/// Reads the section `parameters` and gives each its default or the value that an override
/// `scene.NAME` brings.
std::vector<SceneParameter> readParameters(const nlohmann::json& root,
                                           const std::vector<ParameterOverride>& overrides,
                                           ReadLog& log);

/// Puts the parameters' values in place of every text "$name".
void substituteParameters(const std::vector<SceneParameter>& parameters, nlohmann::json& root,
                          ReadLog& log);

/// readSceneText() with a log of the caller's.
Scene readSceneLogged(std::string_view text, const std::string& label,
                      const SceneReadOptions& options, const std::string& directory, ReadLog& log);

/// Has all readers tell the description of the log what they ask for. `everyKind` holds an object
/// of every kind; what is wrong in it does not matter.
void askForAllKeys(const nlohmann::json& everyKind, ReadLog& log);

}  // namespace drystone
