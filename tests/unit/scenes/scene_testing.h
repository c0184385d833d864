#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "scenes/scene_reader.h"

namespace drystone {

/// The problems that a scene text is rejected with, the file being "s.json"; none: it is accepted.
inline std::vector<std::string> problemsOf(const std::string& text,
                                           const SceneReadOptions& options = {},
                                           const std::string& directory = "") {
  try {
    readSceneText(text, "s.json", options, directory);
    return {};
  } catch (const InputError& error) {
    return error.problems();
  }
}

/// A scene with the given sections after its version; its text has them on the second line.
inline std::string sceneWith(const std::string& sections) {
  return "{\"version\": 1,\n" + sections + "}";
}

struct Mistake {
  std::string claim;
  std::string sections;  ///< on line 2 of the scene; an @ marks the place to be reported
  std::string problem;   ///< without the place in the text
};

inline void expectReported(const Mistake& mistake) {
  std::string sections = mistake.sections;
  const std::size_t mark = sections.find('@');
  sections.erase(mark, 1);
  const std::string place = "s.json:2:" + std::to_string(mark + 1) + " ";
  EXPECT_THAT(problemsOf(sceneWith(sections)), testing::ElementsAre(place + mistake.problem));
}

inline Scene readSections(const std::string& sections,
                          const std::vector<ParameterOverride>& overrides = {}) {
  return readSceneText(sceneWith(sections), "s.json", {.overrides = overrides});
}

inline std::vector<std::string> problemsOfGenerator(const std::string& generator) {
  return problemsOf(sceneWith("\"generators\": [" + generator + "]"));
}

}  // namespace drystone
