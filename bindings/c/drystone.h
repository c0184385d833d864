#pragma once

/// drystone for C: worlds of rigid bodies, and contact problems on their own. Plain C99, which C++
/// and the foreign calls of other languages read too. docs/c.md shows the way.
///
/// Units are SI, angles in radians, axes right-handed. Vectors are x, y, z in world axes unless it
/// is said otherwise; quaternions are w, x, y, z, of length 1 to 1e-3. Yes and no are 1 and 0.
///
/// Errors: every function returns DRYSTONE_OK or an error, and one that fails has changed nothing.
/// drystone_last_error() says what was wrong. Null pointers, numbers that are not finite, ids of
/// what was removed and wrong sizes are errors. Handles that were destroyed cannot be noticed.
///
/// Structs begin with their `size`, sizeof of the struct where the program was compiled. Functions
/// read and write no more than that, so that later versions can add fields at the end: what an
/// older program does not give has its default. Functions that fill arrays take the size of an
/// element instead.
///
/// Buffers: functions that fill one take its `capacity` in elements, and set `*count` to how many
/// there are. Where that is more they write nothing else and return DRYSTONE_TOO_SMALL. A null
/// buffer of capacity 0 asks for the count, and is no error.
///
/// Texts that come back belong to the library. Texts, arrays and structs that are given are copied.
///
/// Threads: one at a time for one world; different worlds are independent.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DRYSTONE_VERSION_MAJOR 0
#define DRYSTONE_VERSION_MINOR 1
#define DRYSTONE_VERSION_PATCH 0

typedef int drystone_error;
enum {
  DRYSTONE_OK = 0,
  DRYSTONE_BAD_INPUT = 1,  ///< an argument, a file or a text is wrong
  DRYSTONE_TOO_SMALL = 2,  ///< the buffer: `*count` says what it takes
  DRYSTONE_NO_MEMORY = 3,
  DRYSTONE_FAILED = 4  ///< anything else, such as a device that fails
};

/// What was wrong in the last call of this thread that failed, each problem with its place and the
/// remedy; "" where none did. Valid until the next one fails.
const char* drystone_last_error(void);
/// Of the library that runs, as "0.1.0". Valid always.
const char* drystone_version(void);

typedef struct drystone_world drystone_world;      ///< a simulated world
typedef struct drystone_shape drystone_shape;      ///< a shape, without place or mass
typedef struct drystone_problem drystone_problem;  ///< a contact problem without a world

/// Name a body and a joint of a world, also as values to compare. Stale once it was removed, also
/// where another takes its place. Index -1: none.
typedef struct {
  int32_t index;
  uint32_t generation;
} drystone_body_id;
typedef struct {
  int32_t index;
  uint32_t generation;
} drystone_joint_id;

/// Where a frame is. Never grows.
typedef struct {
  double position[3];     ///< [m]
  double orientation[4];  ///< w, x, y, z
} drystone_pose;

/// A name and its value as JSON; text that is no JSON is a text. Never grows.
typedef struct {
  const char* key;
  const char* value;
} drystone_setting;

// ---- Worlds

/// A few settings of a world; drystone_world_from_text() has all of them.
typedef struct {
  size_t size;
  double gravity[3];   ///< [m/s^2]
  double timestep;     ///< [s], > 0
  int substeps;        ///< inner steps of a timestep, at least 1
  int threads;         ///< no bit of a result depends on them
  const char* solver;  ///< by name: drystone_solver_at()
  double tolerance;    ///< natural map that counts as solved [m/s], > 0
} drystone_world_settings;
/// Sets the size, and all fields to their defaults.
drystone_error drystone_world_defaults(drystone_world_settings* settings, size_t size);

/// An empty world. Settings may be null: the defaults.
drystone_error drystone_world_create(const drystone_world_settings* settings,
                                     drystone_world** world);
/// A scene file, or a scene of the library by its name, such as "arch". Overrides replace values of
/// the file, such as "world.timestep" by "0.005".
drystone_error drystone_world_load(const char* scene, const drystone_setting* overrides,
                                   size_t override_count, drystone_world** world);
/// The text of a scene file (docs/scene_format.md). Files that it names are relative to the
/// directory; null: it may name none.
drystone_error drystone_world_from_text(const char* json, const char* directory,
                                        drystone_world** world);
/// Null is no error. Not from within a callback.
drystone_error drystone_world_destroy(drystone_world* world);

/// What a step says of itself.
typedef struct {
  size_t size;
  int64_t step;               ///< steps done
  double time;                ///< simulated time at its end [s]
  double natural_map;         ///< residual of the worst solve [m/s]
  double penetration;         ///< deepest overlap at detection [m]
  double joint_error;         ///< largest error of a rigid joint [m]
  double overlap_error;       ///< overlap that a step could have prevented [m]
  double energy_error;        ///< of the worst row [J]
  double kinetic_energy;      ///< at the end [J]
  double potential_energy;    ///< of gravity, zero at the origin [J]
  double max_speed;           ///< of the fastest centre of mass [m/s]
  double step_ms;             ///< wall time [ms]
  int contacts, rows;         ///< contact points, rows of constraints
  int islands;                ///< groups of bodies that are solved apart
  int asleep_bodies;          ///< bodies that sleep
  int iterations, fallbacks;  ///< most of a solve; solves that the solver asked for missed
  int within_tolerance;       ///< solves, joints and overlaps met theirs, and nothing diverged
  int failed;                 ///< it diverged, or missed a tolerance under the policy `stop`
  int diverged;               ///< numbers left all bounds: bodies stay where they were
} drystone_report;

/// Advances by so many timesteps, at least 0. The report is that of the last step, or null.
/// Numerics are no error: the report tells.
drystone_error drystone_world_step(drystone_world* world, int steps, drystone_report* report);
drystone_error drystone_world_report(drystone_world* world, drystone_report* report);
/// Any figure of the last step by its name in docs/cli.md, such as "joint_drift", or an energy by
/// that of the ledger, such as "friction" [J].
drystone_error drystone_world_figure(drystone_world* world, const char* name, double* value);

drystone_error drystone_world_time(drystone_world* world, double* time);          ///< [s]
drystone_error drystone_world_timestep(drystone_world* world, double* timestep);  ///< [s]
drystone_error drystone_world_set_timestep(drystone_world* world, double timestep);
drystone_error drystone_world_gravity(drystone_world* world, double gravity[3]);  ///< [m/s^2]
drystone_error drystone_world_set_gravity(drystone_world* world, const double gravity[3]);
drystone_error drystone_world_threads(drystone_world* world, int* threads);
drystone_error drystone_world_set_threads(drystone_world* world, int threads);
/// Another solver from the next step on, and the tolerance of its solves [m/s].
drystone_error drystone_world_set_solver(drystone_world* world, const char* name, double tolerance);

// ---- States

/// All that evolves, as bytes. A world of the same bodies and joints that restores them goes on bit
/// for bit.
drystone_error drystone_world_save(drystone_world* world, void* bytes, size_t capacity,
                                   size_t* count);
enum {
  DRYSTONE_RESTORE_EXACT = 0,     ///< other bodies or joints are an error
  DRYSTONE_RESTORE_MATCHING = 1,  ///< those of other ids are left out
  DRYSTONE_RESTORE_BY_NAME = 2    ///< likewise, names saying which are the same
};
/// `left_out` is set to how many bodies and joints of either side were left out; may be null.
drystone_error drystone_world_restore(drystone_world* world, const void* bytes, size_t count,
                                      int mode, size_t* left_out);
/// Of time, poses, velocities, loads, warm starts and sleep.
drystone_error drystone_world_hash(drystone_world* world, uint64_t* hash);

// ---- Arrays of all bodies, in the order of drystone_world_bodies()

drystone_error drystone_world_bodies(drystone_world* world, drystone_body_id* ids, size_t capacity,
                                     size_t* count);
/// Without the broken ones.
drystone_error drystone_world_joints(drystone_world* world, drystone_joint_id* ids, size_t capacity,
                                     size_t* count);
/// Three numbers a body: the origins of the reference frames [m]. Counts are of numbers.
drystone_error drystone_world_positions(drystone_world* world, double* numbers, size_t capacity,
                                        size_t* count);
/// Four numbers a body.
drystone_error drystone_world_orientations(drystone_world* world, double* numbers, size_t capacity,
                                           size_t* count);
/// Six numbers a body: of the centres of mass [m/s], then angular [rad/s].
drystone_error drystone_world_velocities(drystone_world* world, double* numbers, size_t capacity,
                                         size_t* count);

// ---- Events and callbacks

enum {
  DRYSTONE_CONTACT_BEGUN = 0,
  DRYSTONE_CONTACT_LASTING = 1,
  DRYSTONE_CONTACT_ENDED = 2,
  DRYSTONE_SENSOR_BEGUN = 3,  ///< a is the sensor, b what came into it
  DRYSTONE_SENSOR_ENDED = 4,
  DRYSTONE_JOINT_BROKEN = 5
};
typedef struct {
  int kind;
  drystone_body_id a, b;    ///< of an end perhaps removed
  drystone_joint_id joint;  ///< that broke
  double impulse;           ///< normal impulse over the step, or what broke the joint [N s]
  double approach_speed;    ///< of a contact, before the solve [m/s]
  double position[3];       ///< of a contact [m]
  double normal[3];         ///< of a contact, unit, from a to b
  double attraction;        ///< of a contact, by adhesion over the step [N s]
} drystone_event;
/// What the last step began and ended, by kind. `element_size` is sizeof(drystone_event).
drystone_error drystone_world_events(drystone_world* world, drystone_event* events,
                                     size_t element_size, size_t capacity, size_t* count);

/// Whether two bodies meet: not 0 where they do. Called within the step, on the thread that steps,
/// for each pair with contact points. It may read bodies and joints; what would change the world
/// is an error. It must answer the same within a step, and throw or jump out of nothing.
typedef int (*drystone_pair_filter)(drystone_world* world, drystone_body_id a, drystone_body_id b,
                                    void* user);
/// Null: all meet. No part of a saved state. Wakes all bodies.
drystone_error drystone_world_set_pair_filter(drystone_world* world, drystone_pair_filter filter,
                                              void* user);

/// One contact point before a step uses it, in world axes. `size` is that of the library, which
/// owns it: it is valid within the call.
typedef struct {
  size_t size;
  drystone_body_id a, b;
  int part_a, part_b;          ///< children of compounds; -1: the shape is none
  int triangle_a, triangle_b;  ///< of meshes and height fields; -1: it is neither
  double position[3];          ///< [m]
  double normal[3];            ///< unit, from a to b
  double gap;                  ///< at the start of the inner step; negative: overlap [m]
  double velocity[3];          ///< of b's point relative to a's at that time [m/s]

  // To be changed; changes of the fields above do nothing.
  double friction;                ///< coefficient, >= 0
  double restitution;             ///< along the normal, 0 to 1
  double tangential_restitution;  ///< -1 to 1
  double compliance;              ///< of its rows [1/kg]; < 0: that of the world
  double contensou_radius;        ///< of the contensou model [m]
  double rolling_resistance;      ///< arm of the rolling model [m], >= 0
  double surface_velocity[3];     ///< of b's surface relative to a's, on top of the motion [m/s]
  int is_disabled;                ///< 1: there is no such contact in this inner step
  double stiffness;               ///< of the point [N/m], > 0; < 0: rigid, or by its compliance
  double damping;                 ///< of the point [N s/m], with a stiffness; < 0: none
  double adhesion;                ///< of the two surfaces, shared by their points [N], >= 0
} drystone_contact_change;
/// Changes a contact point. Called within the step, on the thread that steps, for each point at
/// each detection; its rules are those of drystone_pair_filter. What no contact can have is an
/// error of drystone_world_step(): that step is complete, with this contact as it was, and further
/// ones are not begun.
typedef void (*drystone_contact_modifier)(drystone_world* world, drystone_contact_change* contact,
                                          void* user);
/// Null: contacts stay as they are. No part of a saved state. Wakes all bodies.
drystone_error drystone_world_set_contact_modifier(drystone_world* world,
                                                   drystone_contact_modifier modifier, void* user);

#ifdef __cplusplus
}
#endif

#include <drystone_model.h>
#include <drystone_problems.h>
#include <drystone_queries.h>
#include <drystone_recordings.h>
