// Runs are written as a world is stepped, and read as it was.

#include <stdlib.h>

#include "bindings/c/tests/check.h"

enum { kSteps = 20, kBodies = 2 };
static const char* const kPath = "c_recording_test.h5";

/// A box 0.1 m above a floor.
static drystone_world* make_dropped(drystone_body_id* box) {
  drystone_world* world = make_world();
  add_floor(world);
  *box = add_box(world, 0, 0, 0.6, 2);
  return world;
}

static void a_recording_has_what_the_world_had(void) {
  drystone_body_id box;
  drystone_world* world = make_dropped(&box);
  drystone_recorder* recorder = NULL;
  drystone_recording* recording = NULL;
  drystone_report report = {.size = sizeof report};
  drystone_recording_info info = {.size = sizeof info};
  double positions[kSteps + 1][3 * kBodies], residuals[kSteps], numbers[64];
  double orientations[4 * kBodies], velocities[6 * kBodies];
  uint64_t start = 0, hashes[kSteps], hash = 0;
  drystone_contact contacts[8], read[8];
  size_t count = 0, contact_count = 0;
  CHECK_OK(drystone_world_hash(world, &start));
  CHECK_OK(drystone_world_positions(world, positions[0], 3 * kBodies, &count));
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  for (int i = 0; i < kSteps; ++i) {
    CHECK_OK(drystone_world_step(world, 1, &report));
    CHECK_OK(drystone_world_positions(world, positions[i + 1], 3 * kBodies, &count));
    CHECK_OK(drystone_world_hash(world, &hashes[i]));
    residuals[i] = report.natural_map;
  }
  CHECK_OK(drystone_world_orientations(world, orientations, 4 * kBodies, &count));
  CHECK_OK(drystone_world_velocities(world, velocities, 6 * kBodies, &count));
  CHECK_OK(drystone_world_contacts(world, contacts, sizeof contacts[0], 8, &contact_count));
  CHECK(contact_count == 4);
  CHECK_OK(drystone_recorder_finish(recorder));
  CHECK_OK(drystone_recorder_finish(recorder));   // does nothing
  CHECK_OK(drystone_world_step(world, 5, NULL));  // no part of it
  CHECK_OK(drystone_recorder_destroy(recorder));

  CHECK_OK(drystone_recording_open(kPath, &recording));
  CHECK_OK(drystone_recording_describe(recording, &info));
  CHECK(info.steps == kSteps && info.frames == kSteps + 1 && info.bodies == kBodies);
  CHECK(info.every == 1 && info.is_complete == 1 && info.start_hash == start);
  const char* name = NULL;
  CHECK_OK(drystone_recording_body_name(recording, 0, &name));
  CHECK(strcmp(name, "floor") == 0);
  for (int i = 0; i <= kSteps; ++i) {
    int64_t step = -1;
    double time = -1;
    CHECK_OK(drystone_recording_frame(recording, i, &step, &time));
    CHECK(step == i);
    CHECK_NEAR(time, 0.01 * i, 1e-12);
    CHECK_OK(drystone_recording_positions(recording, i, numbers, 64, &count));
    CHECK(count == 3 * kBodies && memcmp(numbers, positions[i], sizeof positions[i]) == 0);
    if (i == 0) continue;
    CHECK_OK(drystone_recording_hash(recording, i, &hash));
    CHECK(hash == hashes[i - 1]);
  }
  CHECK_OK(drystone_recording_orientations(recording, kSteps, numbers, 64, &count));
  CHECK(count == 4 * kBodies && memcmp(numbers, orientations, sizeof orientations) == 0);
  CHECK_OK(drystone_recording_velocities(recording, kSteps, numbers, 64, &count));
  CHECK(count == 6 * kBodies && memcmp(numbers, velocities, sizeof velocities) == 0);
  CHECK_OK(drystone_recording_figure(recording, "natural_map", numbers, 64, &count));
  CHECK(count == kSteps && memcmp(numbers, residuals, sizeof residuals) == 0);
  CHECK_OK(drystone_recording_figure(recording, "time", numbers, 64, &count));
  CHECK_NEAR(numbers[kSteps - 1], 0.2, 1e-12);
  CHECK_OK(drystone_recording_contacts(recording, kSteps, read, sizeof read[0], 8, &count));
  CHECK(count == contact_count);
  for (size_t i = 0; i < count; ++i) {
    CHECK_NEAR(read[i].normal_impulse, contacts[i].normal_impulse, 0);
    CHECK_NEAR(read[i].position[0], contacts[i].position[0], 0);
    CHECK(read[i].a.index + read[i].b.index == 1 && read[i].a.generation == 0);  // rows 0 and 1
  }
  CHECK_OK(drystone_recording_destroy(recording));
  CHECK_OK(drystone_world_destroy(world));
}

static void make_friction_wrong(drystone_world* world, drystone_contact_change* contact,
                                void* user) {
  (void)world, (void)user;
  contact->friction = -1;
}

static void a_step_whose_modifier_is_wrong_is_recorded(void) {
  drystone_body_id box;
  drystone_world* world = make_dropped(&box);
  drystone_recorder* recorder = NULL;
  drystone_recording* recording = NULL;
  drystone_recording_info info = {.size = sizeof info};
  double time = 0;
  CHECK_OK(drystone_world_set_contact_modifier(world, make_friction_wrong, NULL));
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  CHECK_FAILS(drystone_world_step(world, kSteps, NULL), DRYSTONE_BAD_INPUT, "friction");
  CHECK_OK(drystone_recorder_destroy(recorder));
  CHECK_OK(drystone_world_time(world, &time));
  CHECK(time > 0.105 && time < 0.155);  // at the touch
  CHECK_OK(drystone_recording_open(kPath, &recording));
  CHECK_OK(drystone_recording_describe(recording, &info));
  CHECK_NEAR((double)info.steps * 0.01, time, 1e-9);
  CHECK_OK(drystone_recording_destroy(recording));
  CHECK_OK(drystone_world_destroy(world));
}

/// It falls 0.1 m: n (n + 1) / 2 g h^2 reaches that at n = 14.
static void events_are_by_rows(void) {
  drystone_body_id removed;
  drystone_world* world = make_world();
  drystone_recorder* recorder = NULL;
  drystone_recording* recording = NULL;
  drystone_event events[4];
  size_t count = 0;
  int begun = 0;
  removed = add_box(world, 9, 9, 9, 1);
  add_floor(world);
  add_box(world, 0, 0, 0.6, 2);
  CHECK_OK(drystone_world_remove_body(world, removed));  // ids now count from 1, rows from 0
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  CHECK_OK(drystone_world_step(world, kSteps, NULL));
  CHECK_OK(drystone_recorder_destroy(recorder));  // closes it, too
  CHECK_OK(drystone_recording_open(kPath, &recording));
  for (int i = 1; i <= kSteps; ++i) {
    CHECK_OK(drystone_recording_events(recording, i, events, sizeof events[0], 4, &count));
    for (size_t k = 0; k < count; ++k) {
      if (events[k].kind != DRYSTONE_CONTACT_BEGUN) continue;
      ++begun;
      CHECK(i == 13 || i == 14);
      CHECK(events[k].a.index + events[k].b.index == 1 && events[k].a.index >= 0);
      CHECK_NEAR(events[k].approach_speed, 13 * 9.81 * 0.01, 0.13);
    }
  }
  CHECK(begun == 1);
  CHECK_OK(drystone_recording_destroy(recording));
  CHECK_OK(drystone_world_destroy(world));
}

static void a_world_ends_its_recordings(void) {
  drystone_body_id box;
  drystone_world* world = make_dropped(&box);
  drystone_recorder* recorder = NULL;
  drystone_recording* recording = NULL;
  drystone_recording_info info = {.size = sizeof info};
  int64_t step = -1;
  CHECK_OK(drystone_world_record(world, kPath, 4, &recorder));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_world_destroy(world));
  CHECK_OK(drystone_recorder_finish(recorder));
  CHECK_OK(drystone_recorder_destroy(recorder));
  CHECK_OK(drystone_recorder_destroy(NULL));
  CHECK_OK(drystone_recording_open(kPath, &recording));
  CHECK_OK(drystone_recording_describe(recording, &info));
  CHECK(info.steps == 10 && info.frames == 4 && info.every == 4 && info.is_complete == 1);
  CHECK_OK(drystone_recording_frame(recording, 3, &step, NULL));
  CHECK(step == 10);
  CHECK_OK(drystone_recording_destroy(recording));
  CHECK_OK(drystone_recording_destroy(NULL));
}

static int refuses_to_end_it(drystone_world* world, drystone_body_id a, drystone_body_id b,
                             void* user) {
  drystone_recorder *recorder = user, *other = NULL;
  (void)a, (void)b;
  CHECK_FAILS(drystone_recorder_finish(recorder), DRYSTONE_BAD_INPUT, "callback");
  CHECK_FAILS(drystone_recorder_destroy(recorder), DRYSTONE_BAD_INPUT, "callback");
  CHECK_FAILS(drystone_world_record(world, kPath, 1, &other), DRYSTONE_BAD_INPUT, "callback");
  CHECK(other == NULL);
  return 1;
}

static void what_cannot_be_recorded_or_read_is_named(void) {
  drystone_body_id box;
  drystone_world* world = make_dropped(&box);
  drystone_recorder* recorder = NULL;
  drystone_recording* recording = NULL;
  drystone_recording_info info = {.size = 3};
  const char* name = NULL;
  double numbers[8];
  unsigned char bytes[20000];
  uint64_t hash;
  size_t count = 0, size = 0;
  CHECK_FAILS(drystone_world_record(world, kPath, 0, &recorder), DRYSTONE_BAD_INPUT,
              "every must be at least 1 step, got 0");
  CHECK_FAILS(drystone_world_record(world, NULL, 1, &recorder), DRYSTONE_BAD_INPUT, "path must");
  CHECK_FAILS(drystone_world_record(world, kPath, 1, NULL), DRYSTONE_BAD_INPUT, "recorder must");
  CHECK_FAILS(drystone_world_record(world, "missing/run.h5", 1, &recorder), DRYSTONE_FAILED,
              "missing");
  CHECK_FAILS(drystone_recorder_finish(NULL), DRYSTONE_BAD_INPUT, "recorder must");
  CHECK(recorder == NULL);
  CHECK_OK(drystone_world_save(world, bytes, sizeof bytes, &size));
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  CHECK_FAILS(drystone_world_restore(world, bytes, size, DRYSTONE_RESTORE_EXACT, NULL),
              DRYSTONE_BAD_INPUT, "finish the recording first");
  CHECK_OK(drystone_world_set_pair_filter(world, refuses_to_end_it, recorder));
  CHECK_OK(drystone_world_step(world, kSteps, NULL));
  CHECK_OK(drystone_recorder_destroy(recorder));
  CHECK_OK(drystone_world_restore(world, bytes, size, DRYSTONE_RESTORE_EXACT, NULL));

  CHECK_FAILS(drystone_recording_open("missing.h5", &recording), DRYSTONE_BAD_INPUT, "missing.h5");
  CHECK_FAILS(drystone_recording_open(kPath, NULL), DRYSTONE_BAD_INPUT, "recording must");
  CHECK_OK(drystone_recording_open(kPath, &recording));
  CHECK_FAILS(drystone_recording_describe(recording, &info), DRYSTONE_BAD_INPUT, "info: size");
  CHECK_FAILS(drystone_recording_describe(recording, NULL), DRYSTONE_BAD_INPUT, "info must");
  CHECK_FAILS(drystone_recording_positions(recording, kSteps + 1, numbers, 8, &count),
              DRYSTONE_BAD_INPUT, "there is no frame 21: they count from 0 to 20");
  CHECK_FAILS(drystone_recording_positions(recording, -1, numbers, 8, &count), DRYSTONE_BAD_INPUT,
              "there is no frame -1");
  CHECK_FAILS(drystone_recording_positions(recording, 0, numbers, 5, &count), DRYSTONE_TOO_SMALL,
              "holds 5 elements");
  CHECK(count == 6);
  CHECK_FAILS(drystone_recording_hash(recording, 0, &hash), DRYSTONE_BAD_INPUT,
              "there is no step 0: they count from 1 to 20");
  CHECK_FAILS(drystone_recording_events(recording, 21, NULL, sizeof(drystone_event), 0, &count),
              DRYSTONE_BAD_INPUT, "there is no step 21");
  CHECK_FAILS(drystone_recording_figure(recording, "natural_mop", numbers, 8, &count),
              DRYSTONE_BAD_INPUT, "natural_map");
  CHECK_FAILS(drystone_recording_body_name(recording, 2, &name), DRYSTONE_BAD_INPUT,
              "there is no body 2: they count from 0 to 1");
  CHECK(name == NULL);
  CHECK_OK(drystone_recording_destroy(recording));

  // A file that has another set of bodies than its world ends with what came before, and the world
  // goes on.
  CHECK_OK(drystone_world_set_pair_filter(world, NULL, NULL));
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  CHECK_OK(drystone_world_step(world, 7, NULL));
  CHECK_FAILS(drystone_recording_open(kPath, &recording), DRYSTONE_BAD_INPUT, "still writing it");
  CHECK_OK(drystone_world_remove_body(world, box));
  CHECK_FAILS(drystone_world_step(world, 1, NULL), DRYSTONE_BAD_INPUT, "one set of bodies");
  CHECK_OK(drystone_world_step(world, 3, NULL));
  CHECK_OK(drystone_recorder_finish(recorder));  // it has ended
  info.size = sizeof info;
  CHECK_OK(drystone_recording_open(kPath, &recording));
  CHECK_OK(drystone_recording_describe(recording, &info));
  CHECK(info.steps == 7 && info.frames == 8 && info.is_complete == 0);
  CHECK_OK(drystone_recording_destroy(recording));
  CHECK_OK(drystone_recorder_destroy(recorder));
  CHECK_OK(drystone_world_destroy(world));
}

/// How often a text is in a file.
static int count_in_file(const char* path, const char* text) {
  static char bytes[1 << 23];
  FILE* file = fopen(path, "rb");
  CHECK(file != NULL);
  if (file == NULL) return 0;
  const size_t size = fread(bytes, 1, sizeof bytes, file), length = strlen(text);
  CHECK(feof(file));  // all of it
  fclose(file);
  int count = 0;
  for (size_t i = 0; i + length <= size; ++i) count += memcmp(bytes + i, text, length) == 0;
  return count;
}

/// As the program names its own: by type, compiler and processor.
static void a_recording_names_the_build(void) {
  drystone_body_id box;
  drystone_world* world = make_dropped(&box);
  drystone_recorder* recorder = NULL;
  CHECK_OK(drystone_world_record(world, kPath, 1, &recorder));
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_recorder_destroy(recorder));
  CHECK_OK(drystone_world_destroy(world));
  CHECK(count_in_file(kPath, DRYSTONE_BUILD_TYPE ", ") == 1);
}

void test_recordings(void) {
  a_recording_has_what_the_world_had();
  a_step_whose_modifier_is_wrong_is_recorded();
  events_are_by_rows();
  a_world_ends_its_recordings();
  what_cannot_be_recorded_or_read_is_named();
  a_recording_names_the_build();
  remove(kPath);
}
