# Registers the tests of a googletest program with CTest, a test a name: fifty parameters are one
# process. Starting one for each parameter would take longer than the tests.
#   drystone_discover_tests(TARGET LABEL [PREFIX])
set(DRYSTONE_LIST_TESTS ${CMAKE_CURRENT_LIST_FILE})

function(drystone_discover_tests target label)
  set(prefix ${ARGN})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM BYPRODUCTS ${list}
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${target}> -D LABEL=${label} -D LIST=${list}
            -D "PREFIX=${prefix}"
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
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+\\.)$")
    set(suite ${CMAKE_MATCH_1})
  elseif(line MATCHES "^  ([^/]+)(/?)")
    set(name ${suite}${CMAKE_MATCH_1})
    set(parametrised_${name} ${CMAKE_MATCH_2})
    list(APPEND names ${name})
    math(EXPR count_${name} "0${count_${name}} + 1")
  endif()
endforeach()
list(REMOVE_DUPLICATES names)
set(calls "")
foreach(name IN LISTS names)
  math(EXPR last "(${count_${name}} - 1) / 50")  # of the processes that share the parameters
  math(EXPR processes "${last} + 1")
  foreach(process RANGE ${last})
    set(test ${name})
    set(properties "TIMEOUT 600 LABELS \"${LABEL}\"")
    if(processes GREATER 1)
      set(test ${name}.${process})
      string(APPEND properties
        " ENVIRONMENT \"GTEST_TOTAL_SHARDS=${processes};GTEST_SHARD_INDEX=${process}\"")
    elseif(NOT parametrised_${name})
      # Of several parameters some may run: scripts/test says which were skipped.
      string(APPEND properties " SKIP_REGULAR_EXPRESSION \"\\\\[  SKIPPED\"")
    endif()
    string(APPEND calls
      "add_test(\"${PREFIX}${test}\" \"${PROGRAM}\" --gtest_brief=1 \"--gtest_filter=${name}:${name}/*\")\n"
      "set_tests_properties(\"${PREFIX}${test}\" PROPERTIES ${properties})\n")
  endforeach()
endforeach()
file(WRITE ${LIST} "${calls}")
