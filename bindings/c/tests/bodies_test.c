// What a body is made from comes back, every shape can be made, and arrays have all bodies.

#include "bindings/c/tests/check.h"

static void definitions_come_back(void) {
  drystone_world* world = make_world();
  drystone_body_definition body;
  drystone_body_id id, found;
  const char* name = NULL;
  uint64_t data = 0;
  double mass, center[3], linear[3], angular[3];
  int flag = -1;
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  CHECK(body.size == sizeof body && body.density == 1000 && body.mask == 0xffffffffu);
  body.name = "probe";
  body.mass = 4;
  for (int i = 0; i < 3; ++i) body.inertia[i] = 1 + 0.1 * i;
  body.center_of_mass[1] = 0.25;
  body.pose.position[0] = 7;
  body.pose.orientation[0] = body.pose.orientation[3] = sqrt(0.5);  // y turns to -x
  body.linear_velocity[2] = -2;
  body.angular_velocity[1] = 3;
  body.gravity_scale = 0;
  body.linear_damping = 10;
  body.locked_axes[4] = 1;
  body.user_data = 99;
  CHECK_OK(drystone_world_add_body(world, &body, &id));
  CHECK_OK(drystone_body_name(world, id, &name));
  CHECK(name != NULL && strcmp(name, "probe") == 0);
  CHECK_OK(drystone_body_user_data(world, id, &data));
  CHECK(data == 99);
  CHECK_OK(drystone_body_mass(world, id, &mass));
  CHECK_NEAR(mass, 4, 0);
  CHECK_OK(drystone_body_center_of_mass(world, id, center));
  CHECK_NEAR(center[0], 7 - 0.25, 1e-12);
  CHECK_NEAR(center[1], 0, 1e-12);
  CHECK_OK(drystone_body_velocity(world, id, linear, angular));
  CHECK_NEAR(linear[2], -2, 0);
  CHECK_NEAR(angular[1], 0, 0);  // a locked axis
  const double turn[3] = {0.55, 0, 0};
  CHECK_OK(drystone_body_apply_angular_impulse(world, id, turn));
  CHECK_OK(drystone_body_velocity(world, id, linear, angular));
  CHECK_NEAR(angular[0], 0.55 / 1.1, 1e-12);  // yy of the body lies along x
  CHECK_OK(drystone_world_find_body(world, "probe", &found));
  CHECK(found.index == id.index && found.generation == id.generation);
  CHECK_OK(drystone_body_is_awake(world, id, &flag));
  CHECK(flag == 1);
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_body_velocity(world, id, linear, angular));
  CHECK_NEAR(linear[2], -2 / 1.1, 1e-12);  // damped by 1 + h c, without gravity
  CHECK_OK(drystone_body_wake(world, id));
  CHECK_OK(drystone_world_destroy(world));
}

/// Each shape at density 1000 [kg/m^3] has the mass of its volume.
static void shapes_have_their_volume(void) {
  const double pi = 3.14159265358979323846;
  const double half[3] = {0.5, 1, 1.5};
  const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  drystone_shape* shapes[8];
  drystone_pose poses[2] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{5, 0, 0}, {1, 0, 0, 0}}};
  CHECK_OK(drystone_shape_sphere(0.5, &shapes[0]));
  CHECK_OK(drystone_shape_box(half, &shapes[1]));
  CHECK_OK(drystone_shape_capsule(0.5, 1, &shapes[2]));
  CHECK_OK(drystone_shape_cylinder(0.5, 1, &shapes[3]));
  CHECK_OK(drystone_shape_cone(0.5, 3, &shapes[4]));
  CHECK_OK(drystone_shape_ellipsoid(half, &shapes[5]));
  CHECK_OK(drystone_shape_hull(corners, 4, &shapes[6]));
  CHECK_OK(drystone_shape_compound((const drystone_shape* const*)shapes, poses, 2, &shapes[7]));
  const double ball = pi / 6;
  const double volumes[8] = {ball, 6, ball + pi / 2, pi / 2, pi / 4, pi, 1.0 / 6, ball + 6};
  drystone_world* world = make_world();
  for (int i = 0; i < 8; ++i) {
    drystone_body_definition body;
    drystone_body_id id;
    double mass = 0;
    CHECK_OK(drystone_body_defaults(&body, sizeof body));
    body.shape = shapes[i];
    body.pose.position[2] = 10 * i;
    CHECK_OK(drystone_world_add_body(world, &body, &id));
    CHECK_OK(drystone_body_mass(world, id, &mass));
    CHECK_NEAR(mass, 1000 * volumes[i], 1e-9 * mass);
  }
  for (int i = 0; i < 8; ++i) CHECK_OK(drystone_shape_destroy(shapes[i]));
  CHECK_OK(drystone_world_destroy(world));
}

/// A ball rests on a surface at z = 1.
static void check_floor(drystone_shape* surface) {
  drystone_world* world = make_world();
  drystone_body_definition body;
  drystone_body_id id;
  drystone_pose pose;
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  body.kind = DRYSTONE_STATIC;
  body.shape = surface;
  CHECK_OK(drystone_world_add_body(world, &body, &id));
  const drystone_body_id box = add_box(world, 0, 0, 1.5, 1);
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_body_pose(world, box, &pose));
  CHECK_NEAR(pose.position[2], 1.5, 1e-6);
  CHECK_OK(drystone_shape_destroy(surface));
  CHECK_OK(drystone_world_destroy(world));
}

static void surfaces_hold(void) {
  const double corners[12] = {-3, -3, 1, 3, -3, 1, 3, 3, 1, -3, 3, 1};
  const int triangles[6] = {0, 1, 2, 0, 2, 3};
  const double heights[4] = {1, 1, 1, 1};
  drystone_shape* shape;
  CHECK_OK(drystone_shape_mesh(corners, 4, triangles, 2, &shape));
  check_floor(shape);
  CHECK_OK(drystone_shape_heightfield(heights, 2, 2, 6, 6, &shape));
  check_floor(shape);
  CHECK_OK(drystone_shape_from_text("{\"type\": \"box\", \"half_extents\": [3, 3, 1]}", &shape));
  check_floor(shape);
}

static void arrays_have_all_bodies(void) {
  drystone_world* world = make_world();
  drystone_body_id ids[2];
  double positions[6], orientations[8], velocities[12];
  size_t count = 0;
  drystone_pose turned = {{1, 2, 3}, {0, 1, 0, 0}};
  const double linear[3] = {4, 5, 6}, angular[3] = {7, 8, 9};
  add_box(world, 10, 0, 0, 1);
  const drystone_body_id box = add_box(world, 20, 0, 0, 1);
  CHECK_OK(drystone_body_set_pose(world, box, &turned));
  CHECK_OK(drystone_body_set_velocity(world, box, linear, angular));
  CHECK_OK(drystone_world_bodies(world, ids, 2, &count));
  CHECK(count == 2 && ids[1].index == box.index && ids[1].generation == box.generation);
  CHECK_OK(drystone_world_positions(world, positions, 6, &count));
  CHECK(count == 6 && positions[0] == 10 && positions[3] == 1 && positions[5] == 3);
  CHECK_OK(drystone_world_orientations(world, orientations, 8, &count));
  CHECK(count == 8 && orientations[0] == 1 && orientations[4] == 0 && orientations[5] == 1);
  CHECK_OK(drystone_world_velocities(world, velocities, 12, &count));
  CHECK(count == 12 && velocities[0] == 0);
  for (int i = 0; i < 6; ++i) CHECK_NEAR(velocities[6 + i], 4 + i, 1e-12);
  CHECK_OK(drystone_world_destroy(world));
}

/// Against gravity and friction: what is changed shows in how the box moves.
static void bodies_change_by_keys(void) {
  drystone_world* world = make_world();
  const double level[3] = {0, 0, 0}, along[3] = {6, 0, 0};
  double mass = 0, linear[3], angular[3];
  const drystone_body_id box = add_box(world, 0, 0, 5, 2);
  CHECK_OK(drystone_world_set_gravity(world, level));
  CHECK_OK(drystone_world_add_material(world, "ice", "{\"friction\": 0}", NULL));
  CHECK_OK(drystone_body_change_from_text(
      world, box, "{\"mass\": 3, // [kg]\n \"linear_damping\": 10, \"material\": \"ice\",}"));
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK_NEAR(mass, 3, 0);
  CHECK_OK(drystone_body_apply_impulse(world, box, along, NULL));
  CHECK_OK(drystone_body_apply_angular_impulse(world, box, along));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 2, 1e-12);
  CHECK_NEAR(angular[0], 6 / (3 / 6.0),
             1e-12);  // the inertia of a cube of 1 m, m / 6, by the factor
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 2 / 1.1, 1e-9);  // a step of 0.01 s divides by 1 + 0.1
  // A sphere of the same mass, which never turns about z; then by density, 4 / 3 pi r^3 of it.
  CHECK_OK(drystone_body_change_from_text(world, box,
                                          "{\"shape\": {\"type\": \"sphere\", \"radius\": 0.5}, "
                                          "\"locked_rotations\": \"z\", \"linear_damping\": 0}"));
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK_NEAR(mass, 3, 0);
  CHECK_OK(drystone_body_change_from_text(world, box, "{\"density\": 600}"));
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK_NEAR(mass, 600 * acos(-1) / 6, 1e-9);
  const double spin[3] = {0, 0, 1};
  CHECK_OK(drystone_body_apply_angular_impulse(world, box, spin));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(angular[2], 0, 0);
  // All or nothing: a plane cannot be dynamic, so that the mass stays too.
  CHECK_FAILS(
      drystone_body_change_from_text(world, box, "{\"mass\": 9, \"shape\": {\"type\": \"plane\"}}"),
      DRYSTONE_BAD_INPUT, "plane");
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK_NEAR(mass, 600 * acos(-1) / 6, 1e-9);
  CHECK_OK(drystone_body_change_from_text(
      world, box, "{\"kind\": \"static\", \"shape\": {\"type\": \"plane\"}}"));
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK(isinf(mass));
  CHECK_FAILS(drystone_body_change_from_text(world, box, "{\"position\": [0, 0, 0]}"),
              DRYSTONE_BAD_INPUT, "\"position\" cannot be changed so");
  CHECK_FAILS(drystone_body_change_from_text(world, box, "{\"materal\": \"ice\"}"),
              DRYSTONE_BAD_INPUT, "did you mean \"material\"?");
  CHECK_FAILS(drystone_body_change_from_text(world, box, "{\"material\": \"snow\"}"),
              DRYSTONE_BAD_INPUT, "snow");
  CHECK_FAILS(drystone_body_change_from_text(world, box, NULL), DRYSTONE_BAD_INPUT, "json");
  CHECK_OK(drystone_world_destroy(world));
}

/// A static cup above a box of 2 kg, whose top it touches.
static void cups_hold_and_let_go(void) {
  drystone_world* world = make_world();
  drystone_body_definition body;
  drystone_body_id cup;
  drystone_pose pose;
  drystone_contact contacts[16];
  drystone_event events[4];
  drystone_shape* shape = NULL;
  const double half[3] = {1, 1, 0.5};
  double force = -1, pull = 0, linear[3], angular[3];
  size_t count = 0;
  CHECK_OK(drystone_body_defaults(&body, sizeof body));
  CHECK_OK(drystone_shape_box(half, &shape));
  body.shape = shape;
  body.kind = DRYSTONE_STATIC;
  body.pose.position[2] = 6;
  CHECK_OK(drystone_world_add_body(world, &body, &cup));
  const drystone_body_id box = add_box(world, 0, 0, 5, 2);
  CHECK_OK(drystone_body_adhesion(world, cup, &force));
  CHECK(force == 0);
  CHECK_OK(drystone_body_set_adhesion(world, cup, 30));
  CHECK_OK(drystone_body_adhesion(world, cup, &force));
  CHECK(force == 30);
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_body_pose(world, box, &pose));
  CHECK_NEAR(pose.position[2], 5, 1e-6);
  CHECK_OK(drystone_world_contacts(world, contacts, sizeof contacts[0], 16, &count));
  for (size_t i = 0; i < count; ++i) pull += contacts[i].attraction;
  CHECK_NEAR(pull, 0.3, 1e-12);
  CHECK_OK(drystone_world_events(world, events, sizeof events[0], 4, &count));
  CHECK(count == 1 && events[0].kind == DRYSTONE_CONTACT_LASTING);
  CHECK_NEAR(events[0].attraction, 0.3, 1e-12);
  CHECK_OK(drystone_body_change_from_text(
      world, cup,
      "{\"adhesion\": [{\"time\": 0, \"force\": 25}, {\"time\": 0.15, \"force\": 0}]}"));
  CHECK_OK(drystone_body_adhesion(world, cup, &force));
  CHECK(force == 25);
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[2], -0.05 * 9.81, 1e-9);
  CHECK_FAILS(drystone_body_set_adhesion(world, cup, -1), DRYSTONE_BAD_INPUT,
              "adhesion must be within 0");
  CHECK_OK(drystone_shape_destroy(shape));
  CHECK_OK(drystone_world_destroy(world));
}

void test_bodies(void) {
  cups_hold_and_let_go();
  bodies_change_by_keys();
  definitions_come_back();
  shapes_have_their_volume();
  surfaces_hold();
  arrays_have_all_bodies();
}
