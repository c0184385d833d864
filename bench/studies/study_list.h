#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/studies/study.h"
#include "bench/studies/study_program.h"

namespace drystone::bench {

/// One of several studies of a program.
struct Study {
  std::string name;
  std::string summary;              ///< one line
  std::vector<std::string> scenes;  ///< that --scene chooses from; empty: it has none
  std::function<void()> run;
};

/// A program of several studies: adds the choice of studies and scenes, --repeats and --csv to its
/// options, checks all arguments, then runs what was chosen, in the order of the list. With --scene
/// these are the studies that have one of the scenes. `require` is called between the two, and
/// throws NoDeviceError where what every study needs is not here.
int runStudies(
    StudyApp& app, int argc, char** argv, StudyOptions& options, const std::vector<Study>& studies,
    const std::string& headline, const std::function<void()>& require = [] {});

}  // namespace drystone::bench
