# Most of what a file takes to compile is parsing the standard library, Eigen and what else it
# includes. Sets of these as precompiled headers, each made once and shared by all targets that name
# it: `headers`, `tool_headers` for what reads and prints, `bench_headers` for the same at full
# optimisation, and `test_headers`. They stand in for no #include: builds without them compile too.
if(NOT DRYSTONE_PRECOMPILED_HEADERS)
  return()
endif()
file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")

# drystone_header_set(NAME LIBRARIES target... HEADERS header...)
function(drystone_header_set name)
  cmake_parse_arguments(PARSE_ARGV 1 set "" "" "LIBRARIES;HEADERS")
  add_library(drystone_${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cpp)
  drystone_options(drystone_${name})
  if(NOT name STREQUAL "test_headers")
    drystone_shared_options(drystone_${name})
  endif()
  target_link_libraries(drystone_${name} PRIVATE Eigen3::Eigen ${set_LIBRARIES})
  target_precompile_headers(drystone_${name} PRIVATE <algorithm> <array> <cmath> <cstdint>
    <filesystem> <functional> <limits> <memory> <optional> <span> <string> <string_view> <utility>
    <vector> <Eigen/Dense> ${set_HEADERS})
endfunction()

drystone_header_set(headers)
# Not CLI11: it defines objects in its header, which every file would compile again.
set(tool_header_set LIBRARIES fmt::fmt nlohmann_json::nlohmann_json
  HEADERS <fmt/format.h> <nlohmann/json.hpp>)
drystone_header_set(tool_headers ${tool_header_set})
drystone_tool_options(drystone_tool_headers)
if(DRYSTONE_BUILD_BENCHMARKS AND CMAKE_BUILD_TYPE STREQUAL "Release")
  drystone_header_set(bench_headers ${tool_header_set})
endif()
if(DRYSTONE_BUILD_TESTS)
  drystone_header_set(test_headers LIBRARIES GTest::gmock HEADERS <gmock/gmock.h> <gtest/gtest.h>)
  drystone_test_options(drystone_test_headers)
endif()
