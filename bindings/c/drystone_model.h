#pragma once

/// Shapes, materials, bodies and joints: part of drystone.h, whose first lines hold here too.

#include <drystone.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Shapes: sizes in metres, in the frame of the shape. Bodies keep a copy.

drystone_error drystone_shape_sphere(double radius, drystone_shape** shape);
drystone_error drystone_shape_box(const double half_extents[3], drystone_shape** shape);
/// A segment along z of length 2 half_length, swept by a sphere.
drystone_error drystone_shape_capsule(double radius, double half_length, drystone_shape** shape);
drystone_error drystone_shape_cylinder(double radius, double half_length,
                                       drystone_shape** shape);  ///< axis z
/// Axis z, apex at height / 2.
drystone_error drystone_shape_cone(double radius, double height, drystone_shape** shape);
drystone_error drystone_shape_ellipsoid(const double half_axes[3], drystone_shape** shape);
/// The half-space below z = 0, for static bodies.
drystone_error drystone_shape_plane(drystone_shape** shape);
/// The convex hull of points, three numbers each.
drystone_error drystone_shape_hull(const double* points, size_t point_count,
                                   drystone_shape** shape);
/// Triangles of three vertices each, for static and kinematic bodies. Both sides are solid.
drystone_error drystone_shape_mesh(const double* vertices, size_t vertex_count,
                                   const int* triangles, size_t triangle_count,
                                   drystone_shape** shape);
/// Heights over a grid about the origin, x fastest, for static bodies.
drystone_error drystone_shape_heightfield(const double* heights, int columns, int rows,
                                          double spacing_x, double spacing_y,
                                          drystone_shape** shape);
/// Shapes that are placed in one frame; they are copied, and are no compounds.
drystone_error drystone_shape_compound(const drystone_shape* const* children,
                                       const drystone_pose* poses, size_t count,
                                       drystone_shape** shape);
/// Any shape by its keys in a scene file, such as {"type": "sphere", "radius": 0.5}. Files that it
/// names are relative to the working directory.
drystone_error drystone_shape_from_text(const char* json, drystone_shape** shape);
drystone_error drystone_shape_destroy(drystone_shape* shape);  ///< null is no error

// ---- Materials

/// A surface by its keys in a scene file, such as {"friction": 0.3}. `material` is its number for
/// drystone_body_definition, or null; its name is for bodies of JSON. 0 is the default material.
drystone_error drystone_world_add_material(drystone_world* world, const char* name,
                                           const char* json, int* material);

// ---- Bodies

enum {
  DRYSTONE_DYNAMIC = 0,
  DRYSTONE_STATIC = 1,    ///< never moves
  DRYSTONE_KINEMATIC = 2  ///< moves as prescribed, whatever pushes it
};
/// What a body is made from. The reference frame is that of the shape.
typedef struct {
  size_t size;
  const char* name;             ///< null: body_N
  int kind;                     ///< DRYSTONE_DYNAMIC, ...
  const drystone_shape* shape;  ///< null: it collides with nothing
  drystone_pose pose;           ///< of the reference frame
  double density;               ///< [kg/m^3], where mass is 0
  double mass;                  ///< [kg]; 0: by density
  double center_of_mass[3];     ///< reference frame [m]; used with an inertia
  /// About the centre of mass, axes of the reference frame: xx, yy, zz, xy, xz, yz [kg m^2]. Zeros:
  /// centre and inertia are those of the shape, filled with the mass.
  double inertia[6];
  double linear_velocity[3];   ///< of the centre of mass [m/s]
  double angular_velocity[3];  ///< [rad/s]
  int material;
  uint32_t group, mask;        ///< two bodies meet where each mask has the other's group
  double surface_velocity[3];  ///< as of a belt, reference frame [m/s]
  int is_sensor;               ///< passes through all, and reports what it overlaps
  int allow_sleep;
  double linear_damping, angular_damping;  ///< [1/s]
  double gravity_scale;                    ///< factor of gravity
  int locked_axes[6];                      ///< translations x, y, z, then rotations
  uint64_t user_data;                      ///< yours
} drystone_body_definition;
/// Sets the size, and all fields to their defaults.
drystone_error drystone_body_defaults(drystone_body_definition* body, size_t size);
drystone_error drystone_world_add_body(drystone_world* world, const drystone_body_definition* body,
                                       drystone_body_id* id);
/// A body by all keys of a scene file, such as {"shape": {...}, "position": [0, 0, 2]}.
drystone_error drystone_world_add_body_from_text(drystone_world* world, const char* json,
                                                 drystone_body_id* id);
/// Changes what a body is made of, such as {"mass": 3, "material": "ice"}; what is not given stays.
/// The keys are kind, shape, mass, density, inertia, center_of_mass, material, group, mask,
/// collide, adhesion, surface_velocity, sensor, allow_sleep, linear_damping, angular_damping,
/// gravity_scale, locked_translations, locked_rotations, as in a scene file. A mass alone scales
/// the inertia. Another shape keeps the mass unless a mass or density is given; null: none any
/// more.
drystone_error drystone_body_change_from_text(drystone_world* world, drystone_body_id body,
                                              const char* json);
/// Removes the joints on it, too.
drystone_error drystone_world_remove_body(drystone_world* world, drystone_body_id body);
/// Index -1 where there is none of that name.
drystone_error drystone_world_find_body(drystone_world* world, const char* name,
                                        drystone_body_id* id);
drystone_error drystone_body_exists(drystone_world* world, drystone_body_id body, int* exists);
/// Valid until a body is added or this one is removed.
drystone_error drystone_body_name(drystone_world* world, drystone_body_id body, const char** name);
drystone_error drystone_body_user_data(drystone_world* world, drystone_body_id body,
                                       uint64_t* user_data);
drystone_error drystone_body_is_awake(drystone_world* world, drystone_body_id body, int* is_awake);
drystone_error drystone_body_wake(drystone_world* world, drystone_body_id body);
/// [kg]; infinite unless dynamic.
drystone_error drystone_body_mass(drystone_world* world, drystone_body_id body, double* mass);
/// Of the reference frame.
drystone_error drystone_body_pose(drystone_world* world, drystone_body_id body,
                                  drystone_pose* pose);
drystone_error drystone_body_set_pose(drystone_world* world, drystone_body_id body,
                                      const drystone_pose* pose);
drystone_error drystone_body_center_of_mass(drystone_world* world, drystone_body_id body,
                                            double center[3]);  ///< [m]
/// `linear` of the centre of mass [m/s], `angular` [rad/s].
drystone_error drystone_body_velocity(drystone_world* world, drystone_body_id body,
                                      double linear[3], double angular[3]);
drystone_error drystone_body_set_velocity(drystone_world* world, drystone_body_id body,
                                          const double linear[3], const double angular[3]);
/// Loads act for the next step only, and add up: a force [N] at a point [m] (null: the centre of
/// mass), a torque [N m].
drystone_error drystone_body_apply_force(drystone_world* world, drystone_body_id body,
                                         const double force[3], const double* point);
drystone_error drystone_body_apply_torque(drystone_world* world, drystone_body_id body,
                                          const double torque[3]);
/// Impulses act at once: [N s] at a point [m] (null: the centre of mass), and [N m s].
drystone_error drystone_body_apply_impulse(drystone_world* world, drystone_body_id body,
                                           const double impulse[3], const double* point);
drystone_error drystone_body_apply_angular_impulse(drystone_world* world, drystone_body_id body,
                                                   const double impulse[3]);
/// Pull on what it touches, as of a suction cup or magnet [N]: in the next step, and from now on; 0
/// lets go. One that changes at times is the key "adhesion".
drystone_error drystone_body_adhesion(drystone_world* world, drystone_body_id body, double* force);
drystone_error drystone_body_set_adhesion(drystone_world* world, drystone_body_id body,
                                          double force);
/// What its contacts did to it in the last step: force [N], and torque about its centre [N m].
drystone_error drystone_body_contact_force(drystone_world* world, drystone_body_id body,
                                           double force[3], double torque[3]);

// ---- Joints

/// Coordinates of a joint: positions [m] and angles [rad] of frame b in frame a. A distance and a
/// gear have one, 0. A hinge turns ABOUT_X, a slider slides ALONG_X.
enum {
  DRYSTONE_ALONG_X = 0,
  DRYSTONE_ALONG_Y = 1,
  DRYSTONE_ALONG_Z = 2,
  DRYSTONE_ABOUT_X = 3,
  DRYSTONE_ABOUT_Y = 4,
  DRYSTONE_ABOUT_Z = 5
};
/// A joint of a usual type. Limits and motors are set when it is there.
typedef struct {
  size_t size;
  const char* name;  ///< null: joint_N
  const char* type;  ///< "hinge", "slider", "ball", "fixed", ... of docs/scene_format.md; no gears
  drystone_body_id a, b;
  drystone_pose frame_a, frame_b;  ///< in the reference frames of the bodies
  double swing_limit;              ///< largest angle between the frames' x axes [rad]; 0: none
  double breaking_impulse;         ///< that it bears in a step [N s]; 0: any
  int collide;                     ///< 1: the two bodies may touch
  uint64_t user_data;              ///< yours
} drystone_joint_definition;
/// Sets the size, and all fields to their defaults.
drystone_error drystone_joint_defaults(drystone_joint_definition* joint, size_t size);
/// Puts both frames to a point of the world [m], x along an axis, where the two bodies are now.
drystone_error drystone_joint_place(drystone_world* world, drystone_joint_definition* joint,
                                    const double anchor[3], const double axis[3]);
drystone_error drystone_world_add_joint(drystone_world* world,
                                        const drystone_joint_definition* joint,
                                        drystone_joint_id* id);
/// A joint by all keys of a scene file but body_a and body_b, such as {"type": "hinge", "anchor":
/// [0, 0, 1], "axis": [1, 0, 0]}. Bodies are where they are now.
drystone_error drystone_world_add_joint_from_text(drystone_world* world, drystone_body_id a,
                                                  drystone_body_id b, const char* json,
                                                  drystone_joint_id* id);
/// A cable over `count` bodies, a point on each, by the keys of a cable of a scene file; its points
/// are without body: {"points": [{}, {"position": [0, 0, 4]}, {}], "length": 5}. `id`: of the joint
/// of its first span.
drystone_error drystone_world_add_cable_from_text(drystone_world* world,
                                                  const drystone_body_id* bodies, size_t count,
                                                  const char* json, drystone_joint_id* id);
/// Holds q_a + ratio q_b, q being the free coordinates of two joints. `is_rope`: it may get less.
drystone_error drystone_world_add_gear(drystone_world* world, drystone_joint_id a,
                                       drystone_joint_id b, double ratio, int is_rope,
                                       drystone_joint_id* id);
drystone_error drystone_world_remove_joint(drystone_world* world, drystone_joint_id joint);
/// Index -1 where there is none of that name.
drystone_error drystone_world_find_joint(drystone_world* world, const char* name,
                                         drystone_joint_id* id);
/// 0 once it was removed, or broke.
drystone_error drystone_joint_exists(drystone_world* world, drystone_joint_id joint, int* exists);
/// Where a coordinate stands [m], [rad], and its rate [m/s], [rad/s].
drystone_error drystone_joint_coordinate(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, double* value, double* rate);
/// What the joint did to body b in the last step: force [N], torque about the origin of its frame
/// [N m].
drystone_error drystone_joint_reaction(drystone_world* world, drystone_joint_id joint,
                                       double force[3], double torque[3]);
/// What acted along a coordinate in the last step [N], [N m]; positive drives it up.
typedef struct {
  size_t size;
  double lock, limit, spring, motor, friction;
} drystone_axis_force;
drystone_error drystone_joint_axis_force(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, drystone_axis_force* force);
/// Range of a coordinate [m], [rad]; infinite: none; equal: a lock.
drystone_error drystone_joint_set_limits(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, double lower, double upper);
/// Changes what a joint does to a coordinate, such as {"spring": {"stiffness": 50}, "friction": 2};
/// what is not given stays. The keys are lower, upper, spring, motor and friction, as in a scene
/// file; null takes one of the first four away.
drystone_error drystone_joint_change_from_text(drystone_world* world, drystone_joint_id joint,
                                               int coordinate, const char* json);
enum { DRYSTONE_NO_MOTOR = 0, DRYSTONE_VELOCITY_MOTOR = 1, DRYSTONE_POSITION_MOTOR = 2 };
typedef struct {
  size_t size;
  int kind;          ///< DRYSTONE_VELOCITY_MOTOR, ...
  double target;     ///< rate [m/s], [rad/s] or coordinate [m], [rad]
  double max_force;  ///< [N], [N m]; 0: no cap
  double stiffness;  ///< of position motors [N/m], [N m/rad]; 0: hard
  double damping;    ///< with a stiffness [N s/m], [N m s/rad]
} drystone_motor;
drystone_error drystone_joint_set_motor(drystone_world* world, drystone_joint_id joint,
                                        int coordinate, const drystone_motor* motor);
/// Holds the target of the motor from now on.
drystone_error drystone_joint_set_motor_target(drystone_world* world, drystone_joint_id joint,
                                               int coordinate, double target);

#ifdef __cplusplus
}
#endif
