# What runs loops on several threads where a program says nothing (core/executor.h): a pool of
# drystone's own, which is always there, or OpenMP. DRYSTONE_HAS_OPENMP says whether it is found.
set(DRYSTONE_THREADS pool CACHE STRING "Threads of loops by default: pool or openmp")
set_property(CACHE DRYSTONE_THREADS PROPERTY STRINGS pool openmp)
if(NOT DRYSTONE_THREADS MATCHES "^(pool|openmp)$")
  message(FATAL_ERROR "DRYSTONE_THREADS must be pool or openmp, got '${DRYSTONE_THREADS}'")
endif()
set(DRYSTONE_HAS_OPENMP FALSE)
# The sanitizer does not see how the threads of OpenMP wait for each other: the library of GCC is not
# compiled with it.
if(DRYSTONE_SANITIZER STREQUAL "thread")
  message(STATUS "Loops run on the pool: the thread sanitizer does not understand OpenMP")
  return()
endif()
find_package(OpenMP QUIET COMPONENTS CXX)
if(OpenMP_CXX_FOUND)
  set(DRYSTONE_HAS_OPENMP TRUE)
  message(STATUS "Loops run on ${DRYSTONE_THREADS} by default; OpenMP ${OpenMP_CXX_VERSION} found")
elseif(DRYSTONE_THREADS STREQUAL "openmp")
  message(STATUS "Loops run on the pool: no OpenMP found, which DRYSTONE_THREADS=openmp asks for")
else()
  message(STATUS "Loops run on the pool: no OpenMP found")
endif()
