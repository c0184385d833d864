# Bullet Collision in double precision as drystone_bullet. Debian ships a float and a float64
# build side by side; headers read with one precision and libraries linked with the other compile,
# link and compute garbage. So the define and the libraries are set together, here and nowhere
# else, and a program checks at configure time that they agree.
find_path(DRYSTONE_BULLET_INCLUDE btBulletCollisionCommon.h PATH_SUFFIXES bullet)
find_library(DRYSTONE_BULLET_COLLISION BulletCollision-float64)
find_library(DRYSTONE_BULLET_LINEAR_MATH LinearMath-float64)
if(NOT DRYSTONE_BULLET_INCLUDE OR NOT DRYSTONE_BULLET_COLLISION OR NOT DRYSTONE_BULLET_LINEAR_MATH)
  message(FATAL_ERROR
    "Bullet in double precision was not found (libBulletCollision-float64, libLinearMath-float64). "
    "On Debian install libbullet-dev, or run scripts/setup.")
endif()

add_library(drystone_bullet INTERFACE)
target_include_directories(drystone_bullet SYSTEM INTERFACE
  $<BUILD_INTERFACE:${DRYSTONE_BULLET_INCLUDE}>)
target_compile_definitions(drystone_bullet INTERFACE BT_USE_DOUBLE_PRECISION)
target_link_libraries(drystone_bullet INTERFACE
  ${DRYSTONE_BULLET_COLLISION} ${DRYSTONE_BULLET_LINEAR_MATH})

# btBoxShape keeps its half extents; the library computes the inertia. With a mismatch of
# precision the numbers cannot come out right.
if(NOT DEFINED DRYSTONE_BULLET_IS_DOUBLE)
  file(WRITE ${CMAKE_BINARY_DIR}/bullet_check/main.cpp [[
#include <btBulletCollisionCommon.h>
int main() {
  btBoxShape box(btVector3(1, 2, 3));
  btVector3 inertia;
  box.calculateLocalInertia(12, inertia);
  return inertia.x() == 52 && inertia.y() == 40 && inertia.z() == 20 ? 0 : 1;
}
]])
  try_run(run_result compile_result ${CMAKE_BINARY_DIR}/bullet_check
    ${CMAKE_BINARY_DIR}/bullet_check/main.cpp
    CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${DRYSTONE_BULLET_INCLUDE}
    COMPILE_DEFINITIONS -DBT_USE_DOUBLE_PRECISION
    LINK_LIBRARIES ${DRYSTONE_BULLET_COLLISION} ${DRYSTONE_BULLET_LINEAR_MATH}
    COMPILE_OUTPUT_VARIABLE compile_output)
  if(NOT compile_result OR NOT run_result EQUAL 0)
    message(FATAL_ERROR
      "The Bullet found is not built in double precision, or its headers and libraries differ: "
      "${DRYSTONE_BULLET_COLLISION}. drystone needs the float64 build: on Debian install "
      "libbullet-dev and let CMake find libBulletCollision-float64.\n${compile_output}")
  endif()
  set(DRYSTONE_BULLET_IS_DOUBLE TRUE CACHE INTERNAL "Bullet was checked to be double precision")
endif()
