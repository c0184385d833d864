#pragma once

/// What the tests of the C API share: checks that go on, and a world with a floor.

#include <drystone.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern int failures;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      ++failures;                                                     \
      printf("%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
    }                                                                 \
  } while (0)

#define CHECK_NEAR(value, expected, tolerance)                                                  \
  do {                                                                                          \
    const double value_ = (value), expected_ = (expected);                                      \
    if (!(fabs(value_ - expected_) <= (tolerance))) {                                           \
      ++failures;                                                                               \
      printf("%s:%d: %s is %.17g, not %.17g\n", __FILE__, __LINE__, #value, value_, expected_); \
    }                                                                                           \
  } while (0)

#define CHECK_OK(call)                                                             \
  do {                                                                             \
    if ((call) != DRYSTONE_OK) {                                                   \
      ++failures;                                                                  \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, drystone_last_error()); \
    }                                                                              \
  } while (0)

/// The call is to fail with that error, and a message with that text in it.
#define CHECK_FAILS(call, error, text)                                                         \
  do {                                                                                         \
    const drystone_error error_ = (call);                                                      \
    if (error_ != (error) || strstr(drystone_last_error(), (text)) == NULL) {                  \
      ++failures;                                                                              \
      printf("%s:%d: %s: %d, %s\n", __FILE__, __LINE__, #call, error_, drystone_last_error()); \
    }                                                                                          \
  } while (0)

/// An empty world at 1/100 s.
drystone_world* make_world(void);
/// A plane through the origin.
drystone_body_id add_floor(drystone_world* world);
/// A box of half extents 0.5 m at a place, of a mass [kg].
drystone_body_id add_box(drystone_world* world, double x, double y, double z, double mass);

void test_motion(void);
void test_bodies(void);
void test_joints(void);
void test_queries(void);
void test_errors(void);
void test_states(void);
void test_problems(void);
void test_recordings(void);
void test_memory(void);
