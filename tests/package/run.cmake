# Installs the build to a folder of its own, then builds and runs with nothing but that folder the consumer
# beside this file, the project of the tutorial, and the consumer in C where the C API is built: run by
# ctest with BUILD, CONFIG, CONSUMER, GENERATOR, COMPILER, C_COMPILER, HAS_CUDA and HAS_C.
include(${CMAKE_CURRENT_LIST_DIR}/consumers.cmake)
set(work ${BUILD}/package_test)
file(REMOVE_RECURSE ${work})

run_or_fail(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
use_consumer(${work}/prefix)
use_tutorial(${work}/prefix)
if(HAS_C)
  use_c_consumer(${work}/prefix)
endif()
