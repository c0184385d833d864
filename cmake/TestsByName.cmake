# Registers the tests of a googletest program with CTest, a test a name: that of all parameters is one
# process. Starting one for each parameter would take longer than the tests.
#   drystone_discover_tests(TARGET LABEL)
set(DRYSTONE_LIST_TESTS ${CMAKE_CURRENT_LIST_FILE})

function(drystone_discover_tests target label)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM BYPRODUCTS ${list}
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D LABEL=${label} -D LIST=${list}
            -P ${DRYSTONE_LIST_TESTS})
  # A program that was not built is a test that fails, not an error of all.
  set(stub ${CMAKE_CURRENT_BINARY_DIR}/${target}_include.cmake)
  file(WRITE ${stub} "if(EXISTS \"${list}\")\n  include(\"${list}\")\nelse()\n"
    "  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${stub})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE)
  return()
endif()

cmake_minimum_required(VERSION 3.25)
# As a script: writes the list. googletest prints suites ("Suite." or "Instance/Suite.") from the
# margin and their tests ("  Name" or "  Name/parameter") below, each with a comment at most.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE output
  COMMAND_ERROR_IS_FATAL ANY TIMEOUT 60)
string(REGEX REPLACE "[ \t]*#[^\n]*" "" output "${output}")
string(REPLACE ";" "\\;" output "${output}")
string(REPLACE "\n" ";" lines "${output}")
set(names "")
set(alone "")  # those without parameters
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+\\.)$")
    set(suite ${CMAKE_MATCH_1})
  elseif(line MATCHES "^  ([^/]+)(/?)")
    list(APPEND names ${suite}${CMAKE_MATCH_1})
    if(NOT CMAKE_MATCH_2)
      list(APPEND alone ${suite}${CMAKE_MATCH_1})
    endif()
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
set(calls "")
foreach(name IN LISTS names)
  string(APPEND calls "add_test(\"${name}\" \"${PROGRAM}\" --gtest_brief=1 \"--gtest_filter=${name}:${name}/*\")\n"
    "set_tests_properties(\"${name}\" PROPERTIES TIMEOUT 600 LABELS \"${LABEL}\")\n")
  # Of several parameters some may run: scripts/test says which were skipped.
  if(name IN_LIST alone)
    string(APPEND calls
      "set_tests_properties(\"${name}\" PROPERTIES SKIP_REGULAR_EXPRESSION \"\\\\[  SKIPPED\")\n")
  endif()
endforeach()
file(WRITE ${LIST} "${calls}")
