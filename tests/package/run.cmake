# Installs the build to a folder of its own, then builds and runs the consumer beside this file
# with nothing but that folder, and so the one in C where the C API is built: run by ctest with BUILD,
# CONFIG, CONSUMER, GENERATOR, COMPILER, C_COMPILER, HAS_CUDA and HAS_C.
include(${CMAKE_CURRENT_LIST_DIR}/run_or_fail.cmake)
set(work ${BUILD}/package_test)
file(REMOVE_RECURSE ${work})

run_or_fail(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix --config ${CONFIG})
run_or_fail(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${work}/prefix)
run_or_fail(${CMAKE_COMMAND} --build ${work}/build --config ${CONFIG})
if(HAS_CUDA)
  run_or_fail(${work}/build/consumer with-cuda)
else()
  run_or_fail(${work}/build/consumer without-cuda)
endif()

if(HAS_C)
  run_or_fail(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build_c -G ${GENERATOR} -DONLY_C=ON
    -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_PREFIX_PATH=${work}/prefix)
  run_or_fail(${CMAKE_COMMAND} --build ${work}/build_c --config ${CONFIG})
  run_or_fail(${work}/build_c/consumer)
endif()
