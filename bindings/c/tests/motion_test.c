// Bodies move as closed forms say: they fall, rest, slide, and obey loads and filters.

#include "bindings/c/tests/check.h"

static const double kG = 9.81, kStep = 0.01;

/// Semi-implicit steps h in free fall lose g h^2 n (n + 1) / 2.
static void a_body_falls(void) {
  drystone_world* world = make_world();
  const drystone_body_id box = add_box(world, 0, 0, 100, 2);
  drystone_report report = {0};
  report.size = sizeof report;
  CHECK_OK(drystone_world_step(world, 50, &report));
  drystone_pose pose;
  CHECK_OK(drystone_body_pose(world, box, &pose));
  CHECK_NEAR(pose.position[2], 100 - kG * kStep * kStep * 50 * 51 / 2, 1e-10);
  CHECK_NEAR(pose.orientation[0], 1, 1e-15);
  double linear[3], angular[3], time, mass;
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[2], -kG * 0.5, 1e-12);
  CHECK_OK(drystone_world_time(world, &time));
  CHECK_NEAR(time, 0.5, 1e-12);
  CHECK_OK(drystone_body_mass(world, box, &mass));
  CHECK_NEAR(mass, 2, 0);
  CHECK(report.step == 50 && report.contacts == 0 && report.within_tolerance == 1);
  CHECK(report.failed == 0 && report.diverged == 0);
  CHECK_NEAR(report.time, 0.5, 1e-12);
  CHECK_NEAR(report.kinetic_energy, 0.5 * 2 * kG * kG * 0.25, 1e-9);
  CHECK_OK(drystone_world_destroy(world));
}

static void a_box_rests_with_its_weight(void) {
  drystone_world* world = make_world();
  const drystone_body_id floor_id = add_floor(world);
  const drystone_body_id box = add_box(world, 0, 0, 0.5, 3);
  drystone_report report = {0};
  report.size = sizeof report;
  CHECK_OK(drystone_world_step(world, 10, &report));
  CHECK(report.contacts == 4 && report.islands == 1);
  CHECK(report.natural_map >= 0 && report.natural_map <= 1e-10);
  double force[3], torque[3], drift = -1;
  CHECK_OK(drystone_body_contact_force(world, box, force, torque));
  CHECK_NEAR(force[2], 3 * kG, 1e-6);
  CHECK_OK(drystone_world_figure(world, "joint_drift", &drift));
  CHECK_NEAR(drift, 0, 0);

  drystone_contact contacts[8];
  size_t count = 0;
  CHECK_OK(drystone_world_contacts(world, contacts, sizeof contacts[0], 8, &count));
  CHECK(count == 4);
  double impulse = 0;
  for (size_t i = 0; i < count; ++i) {
    CHECK_NEAR(fabs(contacts[i].normal[2]), 1, 1e-12);
    CHECK(contacts[i].a.index == floor_id.index || contacts[i].b.index == floor_id.index);
    impulse += contacts[i].normal_impulse;
  }
  CHECK_NEAR(impulse, 3 * kG * kStep, 1e-8);
  CHECK_OK(drystone_world_destroy(world));
}

/// Friction takes mu g h off the speed in each step.
static void a_block_slides(void) {
  drystone_world* world = make_world();
  int ice = 0;
  CHECK_OK(drystone_world_add_material(world, "ice", "{\"friction\": 0.2}", &ice));
  CHECK(ice == 1);
  drystone_body_id block;
  CHECK_OK(drystone_world_add_body_from_text(
      world, "{\"kind\": \"static\", \"shape\": {\"type\": \"plane\"}, \"material\": \"ice\"}",
      &block));
  CHECK_OK(drystone_world_add_body_from_text(
      world,
      "{\"shape\": {\"type\": \"box\", \"half_extents\": [0.5, 0.5, 0.1]}, \"material\": \"ice\", "
      "\"position\": [0, 0, 0.1], \"velocity\": [3, 0, 0]}",
      &block));
  CHECK_OK(drystone_world_step(world, 50, NULL));
  double linear[3], angular[3];
  CHECK_OK(drystone_body_velocity(world, block, linear, angular));
  CHECK_NEAR(linear[0], 3 - 0.2 * kG * 0.5, 1e-7);
  CHECK_NEAR(linear[1], 0, 1e-7);
  CHECK_OK(drystone_world_destroy(world));
}

static void loads_and_gravity_act(void) {
  drystone_world* world = make_world();
  const double none[3] = {0, 0, 0}, force[3] = {2, 0, 0}, torque[3] = {0, 0, 1};
  const double impulse[3] = {0, 4, 0};
  double gravity[3], linear[3], angular[3];
  CHECK_OK(drystone_world_set_gravity(world, none));
  CHECK_OK(drystone_world_gravity(world, gravity));
  CHECK_NEAR(gravity[2], 0, 0);
  const drystone_body_id box = add_box(world, 0, 0, 0, 2);
  CHECK_OK(drystone_body_apply_force(world, box, force, NULL));
  CHECK_OK(drystone_body_apply_torque(world, box, torque));
  CHECK_OK(drystone_body_apply_impulse(world, box, impulse, NULL));
  CHECK_OK(drystone_world_set_timestep(world, 0.5));
  CHECK_OK(drystone_world_step(world, 2, NULL));  // the loads act in the first step alone
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 2 * 0.5 / 2, 1e-12);
  CHECK_NEAR(linear[1], 4 / 2.0, 1e-12);
  CHECK_NEAR(angular[2], 1 * 0.5 / (2.0 / 6), 1e-12);  // a cube of 1 m: m / 6
  CHECK_OK(drystone_world_destroy(world));
}

static int is_refused(drystone_world* world, drystone_body_id a, drystone_body_id b, void* user) {
  const drystone_body_id* box = user;
  double mass;
  drystone_pose pose;
  CHECK_OK(drystone_body_mass(world, a, &mass));  // to read is no error
  CHECK_OK(drystone_body_pose(world, b, &pose));
  CHECK(drystone_body_set_pose(world, *box, &pose) == DRYSTONE_BAD_INPUT);
  CHECK_FAILS(drystone_world_destroy(world), DRYSTONE_BAD_INPUT, "callback");
  CHECK_FAILS(drystone_world_step(world, 1, NULL), DRYSTONE_BAD_INPUT, "callback");
  return a.index != box->index && b.index != box->index;
}

static void a_filter_lets_one_box_fall_through(void) {
  drystone_world* world = make_world();
  add_floor(world);
  drystone_body_id ghost = add_box(world, 0, 0, 0.5, 1);
  const drystone_body_id box = add_box(world, 5, 0, 0.5, 1);
  CHECK_OK(drystone_world_set_pair_filter(world, is_refused, &ghost));
  CHECK_OK(drystone_world_step(world, 20, NULL));
  drystone_pose pose;
  CHECK_OK(drystone_body_pose(world, ghost, &pose));
  CHECK_NEAR(pose.position[2], 0.5 - kG * kStep * kStep * 20 * 21 / 2, 1e-10);
  CHECK_OK(drystone_body_pose(world, box, &pose));
  CHECK_NEAR(pose.position[2], 0.5, 1e-6);
  CHECK_OK(drystone_world_set_pair_filter(world, NULL, NULL));
  CHECK_OK(drystone_world_destroy(world));
}

/// What a modifier was told, and what it does.
struct belt {
  drystone_body_id floor;
  double friction;  ///< of the next contacts
  int calls;
  drystone_contact_change last;
};

static void carry(drystone_world* world, drystone_contact_change* contact, void* user) {
  struct belt* belt = user;
  const double side = contact->b.index == belt->floor.index ? 1 : -1;  // of b relative to a
  ++belt->calls;
  belt->last = *contact;
  contact->surface_velocity[0] = side;
  contact->friction = belt->friction;
  CHECK_FAILS(drystone_world_step(world, 1, NULL), DRYSTONE_BAD_INPUT, "callback");
}

/// A floor that goes along at 1 m/s takes the box with it, by mu g h a step.
static void a_modifier_makes_a_belt(void) {
  drystone_world* world = make_world();
  struct belt belt = {add_floor(world), 0.2, 0, {0}};
  const drystone_body_id box = add_box(world, 0, 0, 0.5, 3);
  double linear[3], angular[3];
  CHECK_OK(drystone_world_set_contact_modifier(world, carry, &belt));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK(belt.calls >= 40);
  CHECK(belt.last.size == sizeof belt.last && belt.last.part_a == -1 && belt.last.triangle_b == -1);
  CHECK_NEAR(fabs(belt.last.normal[2]), 1, 1e-12);
  CHECK_NEAR(fabs(belt.last.position[0]), 0.5, 0.1);
  CHECK_NEAR(belt.last.gap, 0, 1e-6);
  CHECK_NEAR(fabs(belt.last.velocity[0]), 0.2 * kG * 0.09, 1e-6);  // before the last step
  CHECK_NEAR(belt.last.friction, 0.5, 0);
  CHECK_NEAR(belt.last.compliance, -1, 0);
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 0.2 * kG * 0.1, 1e-6);
  CHECK_OK(drystone_world_step(world, 100, NULL));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 1, 1e-6);

  // What no contact can have ends the call after that step, which is complete.
  double time = 0;
  belt.friction = NAN;
  CHECK_FAILS(drystone_world_step(world, 5, NULL), DRYSTONE_BAD_INPUT, "contact modifier");
  CHECK_OK(drystone_world_time(world, &time));
  CHECK_NEAR(time, 1.11, 1e-9);
  CHECK_OK(drystone_world_set_contact_modifier(world, NULL, NULL));
  const int calls = belt.calls;
  CHECK_OK(drystone_world_step(world, 100, NULL));
  CHECK(belt.calls == calls);
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[0], 0, 1e-6);  // mu is 0.5 again, and the floor stands
  CHECK_FAILS(drystone_world_set_contact_modifier(NULL, carry, NULL), DRYSTONE_BAD_INPUT, "world");
  CHECK_OK(drystone_world_destroy(world));
}

static void disable(drystone_world* world, drystone_contact_change* contact, void* user) {
  (void)world, (void)user;
  contact->is_disabled = 1;
}

static void soften(drystone_world* world, drystone_contact_change* contact, void* user) {
  (void)world;
  contact->compliance = *(const double*)user;
  contact->restitution = 0.5;
}

static void a_modifier_disables_and_bounces(void) {
  drystone_world* world = make_world();
  double linear[3], angular[3], compliance = -2;
  add_floor(world);
  const drystone_body_id box = add_box(world, 0, 0, 0.5, 1);
  CHECK_OK(drystone_world_set_contact_modifier(world, disable, NULL));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[2], -10 * kG * kStep, 1e-10);
  CHECK_OK(drystone_world_destroy(world));

  world = make_world();
  add_floor(world);
  const drystone_body_id ball = add_box(world, 0, 0, 0.55, 1);
  const double down[3] = {0, 0, -4}, none[3] = {0, 0, 0};
  CHECK_OK(drystone_world_set_gravity(world, none));
  CHECK_OK(drystone_body_set_velocity(world, ball, down, none));
  CHECK_OK(drystone_world_set_contact_modifier(world, soften, &compliance));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  CHECK_OK(drystone_body_velocity(world, ball, linear, angular));
  CHECK_NEAR(linear[2], 2, 1e-6);
  CHECK_OK(drystone_world_destroy(world));
}

/// What a modifier was told of a point's spring, and what it makes of it.
struct spring {
  double stiffness, damping;
  drystone_contact_change told;
};

static void make_spring(drystone_world* world, drystone_contact_change* contact, void* user) {
  struct spring* spring = user;
  (void)world;
  spring->told = *contact;
  contact->stiffness = spring->stiffness;
  contact->damping = spring->damping;
}

/// Four points, each with a spring of k and a damper of d, take a box's velocity v in a step from
/// no gap to v / (1 + 4 (h d + h^2 k) / m), and bear it m g / (4 k) deep.
static void a_modifier_makes_springs(void) {
  const double down[3] = {0, 0, -1}, none[3] = {0, 0, 0}, gravity[3] = {0, 0, -kG};
  struct spring spring = {1000, 10, {0}};
  double linear[3], angular[3];
  drystone_pose pose;
  drystone_world* world = make_world();
  add_floor(world);
  const drystone_body_id box = add_box(world, 0, 0, 0.5, 1);
  CHECK_OK(drystone_world_set_gravity(world, none));
  CHECK_OK(drystone_body_set_velocity(world, box, down, none));
  CHECK_OK(drystone_world_set_contact_modifier(world, make_spring, &spring));
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_NEAR(spring.told.stiffness, -1, 0);
  CHECK_NEAR(spring.told.damping, -1, 0);
  CHECK_OK(drystone_body_velocity(world, box, linear, angular));
  CHECK_NEAR(linear[2], -1 / (1 + 4 * (kStep * 10 + kStep * kStep * 1000)), 1e-6);
  CHECK_OK(drystone_world_set_gravity(world, gravity));
  CHECK_OK(drystone_world_step(world, 200, NULL));
  CHECK_OK(drystone_body_pose(world, box, &pose));
  CHECK_NEAR(pose.position[2], 0.5 - kG / (4 * 1000), 1e-6);

  spring.stiffness = -1;  // a damper alone holds nothing
  CHECK_FAILS(drystone_world_step(world, 1, NULL), DRYSTONE_BAD_INPUT, "damping");
  CHECK_OK(drystone_world_destroy(world));
}

static void events_tell_of_the_touch(void) {
  drystone_world* world = make_world();
  const drystone_body_id floor_id = add_floor(world);
  add_box(world, 0, 0, 0.5, 1);
  drystone_event events[4];
  size_t count = 9;
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_world_events(world, events, sizeof events[0], 4, &count));
  CHECK(count == 1 && events[0].kind == DRYSTONE_CONTACT_BEGUN);
  CHECK(events[0].a.index == floor_id.index && events[0].joint.index == -1);
  CHECK_NEAR(events[0].impulse, kG * kStep, 1e-8);
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_world_events(world, events, sizeof events[0], 4, &count));
  CHECK(count == 1 && events[0].kind == DRYSTONE_CONTACT_LASTING);
  CHECK_OK(drystone_world_destroy(world));
}

void test_motion(void) {
  a_body_falls();
  a_box_rests_with_its_weight();
  a_block_slides();
  loads_and_gravity_act();
  a_filter_lets_one_box_fall_through();
  a_modifier_makes_a_belt();
  a_modifier_disables_and_bounces();
  a_modifier_makes_springs();
  events_tell_of_the_touch();
}
