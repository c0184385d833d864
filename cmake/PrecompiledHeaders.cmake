# Half of what a small file takes to compile is parsing the standard library, Eigen and GoogleTest.
# Two sets of these as precompiled headers, each shared by all targets that name it: `headers`, and
# `test_headers` for tests. They stand in for no #include: builds without them would not compile.
if(NOT DRYSTONE_PRECOMPILED_HEADERS)
  return()
endif()
file(WRITE ${CMAKE_BINARY_DIR}/precompiled.cpp "")

function(drystone_header_set name)
  add_library(drystone_${name} OBJECT EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled.cpp)
  drystone_options(drystone_${name})
  target_link_libraries(drystone_${name} PRIVATE Eigen3::Eigen)
  target_precompile_headers(drystone_${name} PRIVATE <algorithm> <array> <cmath> <cstdint>
    <filesystem> <functional> <limits> <memory> <optional> <span> <string> <string_view> <utility>
    <vector> <Eigen/Dense> ${ARGN})
endfunction()

drystone_header_set(headers)
if(DRYSTONE_BUILD_TESTS)
  drystone_header_set(test_headers <gmock/gmock.h> <gtest/gtest.h>)
  drystone_test_options(drystone_test_headers)
  target_link_libraries(drystone_test_headers PRIVATE GTest::gmock)
endif()
