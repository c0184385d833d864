#pragma once

/// Runs as files: written while a world is stepped, and read. Part of drystone.h, whose first lines
/// hold here too. docs/recording.md says what a file holds.

#include <drystone.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Writing

typedef struct drystone_recorder drystone_recorder;  ///< a recording that is written

/// Writes each step from now on into a file, with a frame every so many steps, at least 1. The
/// bodies of the world must stay the same, and it cannot be restored meanwhile. A step that the
/// file cannot take is an error of drystone_world_step(): that step is complete, and the recording
/// ends with what came before. So does a step with other bodies.
drystone_error drystone_world_record(drystone_world* world, const char* path, int every,
                                     drystone_recorder** recorder);
/// Writes what is left, with a frame of the last step, and closes the file; until then nothing is
/// certain to be on the disk. No error where it has ended.
drystone_error drystone_recorder_finish(drystone_recorder* recorder);
/// Closes the file, as far as it got, and frees the handle. A world that is destroyed closes its
/// files too; their handles stay to be destroyed. Null is no error.
drystone_error drystone_recorder_destroy(drystone_recorder* recorder);

// ---- Reading

typedef struct drystone_recording drystone_recording;  ///< a file that is read

/// All that was written when it was opened, of a program that runs or was killed too.
drystone_error drystone_recording_open(const char* path, drystone_recording** recording);
drystone_error drystone_recording_destroy(drystone_recording* recording);  ///< null is no error

/// What a file says of itself.
typedef struct {
  size_t size;
  int64_t steps;
  int64_t frames;       ///< the start, every so many steps, and the last one
  int64_t bodies;       ///< rows of the arrays
  int every;            ///< steps between two frames
  int is_complete;      ///< 0: its program was killed, still runs, or an error ended it
  uint64_t start_hash;  ///< of the state before the first step
} drystone_recording_info;
drystone_error drystone_recording_describe(drystone_recording* recording,
                                           drystone_recording_info* info);
/// Name of the body of a row; "" where it has none. Valid as long as the recording is open.
drystone_error drystone_recording_body_name(drystone_recording* recording, int64_t row,
                                            const char** name);
/// Step of a frame, 0 the start, and its time [s]. Either may be null.
drystone_error drystone_recording_frame(drystone_recording* recording, int64_t frame, int64_t* step,
                                        double* time);

// Arrays of one frame, a row a body, as those of a world. Counts are of numbers.

/// Three numbers a body: the origins of the reference frames [m].
drystone_error drystone_recording_positions(drystone_recording* recording, int64_t frame,
                                            double* numbers, size_t capacity, size_t* count);
/// Four numbers a body.
drystone_error drystone_recording_orientations(drystone_recording* recording, int64_t frame,
                                               double* numbers, size_t capacity, size_t* count);
/// Six numbers a body: of the centres of mass [m/s], then angular [rad/s].
drystone_error drystone_recording_velocities(drystone_recording* recording, int64_t frame,
                                             double* numbers, size_t capacity, size_t* count);
/// Contact points of a frame, as drystone_world_contacts() has them: the index of a body is its
/// row.
drystone_error drystone_recording_contacts(drystone_recording* recording, int64_t frame,
                                           drystone_contact* contacts, size_t element_size,
                                           size_t capacity, size_t* count);

// Of steps, which count from 1.

/// One figure of all steps by its name in docs/cli.md, such as "natural_map", or "time" [s].
drystone_error drystone_recording_figure(drystone_recording* recording, const char* name,
                                         double* numbers, size_t capacity, size_t* count);
/// drystone_world_hash() after a step.
drystone_error drystone_recording_hash(drystone_recording* recording, int64_t step, uint64_t* hash);
/// What a step began and ended: the index of a body is its row. Contacts that last are there in
/// steps with a frame.
drystone_error drystone_recording_events(drystone_recording* recording, int64_t step,
                                         drystone_event* events, size_t element_size,
                                         size_t capacity, size_t* count);

#ifdef __cplusplus
}
#endif
