# Sources with changes that a program chooses from when it starts: bugs that its tests must find.
#
#   drystone_mutation(NAME WHAT TESTS)     a bug, in words, and a filter of the tests that look for it
#   drystone_mutate(FILE OLD NEW)          in FILE, OLD, which is there once, becomes NEW, where
#                                          MUTATED(NAME) says whether that bug is chosen
#   drystone_write_mutations(FOLDER)       writes the changed files to where they lie below FOLDER,
#                                          and mutations.cpp; mutations.txt lists the bugs
set(DRYSTONE_MUTATIONS "")
set(DRYSTONE_MUTATED_FILES "")

function(drystone_mutation name what tests)
  set(DRYSTONE_MUTATIONS ${DRYSTONE_MUTATIONS} ${name} PARENT_SCOPE)
  set(mutation_line_${name} "${name}\t${what}\t${tests}\n" PARENT_SCOPE)
endfunction()

function(drystone_mutate file old new)
  set(text "${mutated_${file}}")
  if(NOT file IN_LIST DRYSTONE_MUTATED_FILES)
    set(DRYSTONE_MUTATED_FILES ${DRYSTONE_MUTATED_FILES} ${file} PARENT_SCOPE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  endif()
  string(FIND "${text}" "${old}" first)
  string(FIND "${text}" "${old}" last REVERSE)
  if(first LESS 0 OR NOT first EQUAL last)
    message(FATAL_ERROR "A mutation of ${file} must find this text once: ${old}")
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  set(mutated_${file} "${text}" PARENT_SCOPE)
endfunction()

function(drystone_write_mutations folder)
  set(number 0)
  set(table "")
  foreach(name IN LISTS DRYSTONE_MUTATIONS)
    math(EXPR number "${number} + 1")
    string(APPEND table "${number}\t${mutation_line_${name}}")
    foreach(file IN LISTS DRYSTONE_MUTATED_FILES)
      string(REPLACE "MUTATED(${name})" "(::drystoneMutation == ${number})"
                     mutated_${file} "${mutated_${file}}")
    endforeach()
  endforeach()
  foreach(file IN LISTS DRYSTONE_MUTATED_FILES)
    if(mutated_${file} MATCHES "MUTATED\\(([^)]*)\\)")
      message(FATAL_ERROR "No mutation is called ${CMAKE_MATCH_1}")
    endif()
    file(CONFIGURE OUTPUT ${folder}/${file} @ONLY
         CONTENT "extern int drystoneMutation;\n${mutated_${file}}")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/mutations.txt @ONLY CONTENT "${table}")
  file(CONFIGURE OUTPUT ${folder}/mutations.cpp @ONLY CONTENT [=[
#include <cstdlib>

extern int drystoneMutation;
int drystoneMutation = std::getenv("DRYSTONE_MUTATION") == nullptr
                           ? 0
                           : std::atoi(std::getenv("DRYSTONE_MUTATION"));
]=])
endfunction()
