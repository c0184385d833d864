// Joints hold, turn and couple as they are asked to.

#include "bindings/c/tests/check.h"

static const double kG = 9.81;

/// A post, an arm of 2 kg beside it, and a hinge about z at the origin between the two.
static drystone_joint_id add_hinge(drystone_world* world, drystone_body_id* arm) {
  const double anchor[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
  drystone_body_definition post;
  drystone_body_id post_id;
  CHECK_OK(drystone_body_defaults(&post, sizeof post));
  post.kind = DRYSTONE_STATIC;
  CHECK_OK(drystone_world_add_body(world, &post, &post_id));
  *arm = add_box(world, 1, 0, 0, 2);
  drystone_joint_definition hinge;
  drystone_joint_id id;
  CHECK_OK(drystone_joint_defaults(&hinge, sizeof hinge));
  hinge.type = "hinge";
  hinge.a = post_id;
  hinge.b = *arm;
  CHECK_OK(drystone_joint_place(world, &hinge, anchor, axis));
  CHECK_NEAR(hinge.frame_b.position[0], -1, 1e-15);
  CHECK_OK(drystone_world_add_joint(world, &hinge, &id));
  return id;
}

static void a_motor_turns_a_hinge(void) {
  drystone_world* world = make_world();
  drystone_body_id arm;
  const drystone_joint_id hinge = add_hinge(world, &arm);
  drystone_motor motor = {0};
  motor.size = sizeof motor;
  motor.kind = DRYSTONE_VELOCITY_MOTOR;
  motor.target = 0.5;
  CHECK_OK(drystone_joint_set_motor(world, hinge, DRYSTONE_ABOUT_X, &motor));
  CHECK_OK(drystone_world_step(world, 100, NULL));
  double angle, rate, force[3], torque[3];
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(rate, 0.5, 1e-8);
  CHECK_NEAR(angle, 0.5, 1e-4);
  CHECK_OK(drystone_joint_reaction(world, hinge, force, torque));
  CHECK_NEAR(force[2], 2 * kG, 1e-4);                     // the post bears the weight
  CHECK_NEAR(hypot(force[0], force[1]), 2 * 0.25, 2e-3);  // and m w^2 r; steps turn it by h w / 2
  drystone_axis_force along = {0};
  along.size = sizeof along;
  CHECK_OK(drystone_joint_axis_force(world, hinge, DRYSTONE_ALONG_X, &along));
  CHECK_NEAR(fabs(along.lock), 2 * kG, 1e-4);
  CHECK_OK(drystone_joint_set_motor_target(world, hinge, DRYSTONE_ABOUT_X, -0.25));
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(rate, -0.25, 1e-8);
  CHECK_OK(drystone_world_destroy(world));
}

/// From rest a cap of 7 N m turns the arm by 7 h / I, I = 2 (1 / 6 + 1); without one it gets there.
static void motors_keep_to_their_cap(void) {
  drystone_world* world = make_world();
  drystone_body_id arm;
  const drystone_joint_id hinge = add_hinge(world, &arm);
  double angle, rate;
  drystone_motor motor = {0};
  motor.size = sizeof motor;
  motor.kind = DRYSTONE_POSITION_MOTOR;
  motor.target = 0.2;
  motor.max_force = 7;
  CHECK_OK(drystone_joint_set_motor(world, hinge, DRYSTONE_ABOUT_X, &motor));
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(rate, 7 * 0.01 / (7.0 / 3), 1e-6);
  motor.max_force = 0;
  CHECK_OK(drystone_joint_set_motor(world, hinge, DRYSTONE_ABOUT_X, &motor));
  CHECK_OK(drystone_world_step(world, 100, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(angle, 0.2, 1e-6);
  motor.kind = 9;
  CHECK_FAILS(drystone_joint_set_motor(world, hinge, DRYSTONE_ABOUT_X, &motor), DRYSTONE_BAD_INPUT,
              "kind");
  CHECK_FAILS(drystone_joint_set_motor(world, hinge, 6, &motor), DRYSTONE_BAD_INPUT, "0 to 5");
  CHECK_OK(drystone_world_destroy(world));
}

static void limits_stop_a_hinge(void) {
  drystone_world* world = make_world();
  drystone_body_id arm;
  const drystone_joint_id hinge = add_hinge(world, &arm);
  const double push[3] = {0, 8, 0};
  double angle, rate;
  CHECK_OK(drystone_joint_set_limits(world, hinge, DRYSTONE_ABOUT_X, -0.1, 0.1));
  CHECK_OK(drystone_body_apply_impulse(world, arm, push, NULL));
  CHECK_OK(drystone_world_step(world, 100, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(angle, 0.1, 1e-3);
  CHECK_NEAR(rate, 0, 1e-6);
  CHECK_OK(drystone_world_destroy(world));
}

static void joints_of_text_and_gears(void) {
  drystone_world* world = make_world();
  const double none[3] = {0, 0, 0};
  CHECK_OK(drystone_world_set_gravity(world, none));
  drystone_body_definition post;
  drystone_body_id post_id, boxes[2];
  CHECK_OK(drystone_body_defaults(&post, sizeof post));
  post.kind = DRYSTONE_STATIC;
  CHECK_OK(drystone_world_add_body(world, &post, &post_id));
  drystone_joint_id hinges[2], gear, found;
  const char* texts[2] = {
      "{\"type\": \"hinge\", \"anchor\": [0, 0, 0], \"axis\": [0, 0, 1], \"name\": \"first\"}",
      "{\"type\": \"hinge\", \"anchor\": [5, 0, 0], \"axis\": [0, 0, 1],\n // the second\n}"};
  for (int i = 0; i < 2; ++i) {
    boxes[i] = add_box(world, 5 * i, 0, 0, 1);
    CHECK_OK(drystone_world_add_joint_from_text(world, post_id, boxes[i], texts[i], &hinges[i]));
  }
  CHECK_OK(drystone_world_add_gear(world, hinges[0], hinges[1], 2, 0, &gear));
  CHECK_OK(drystone_world_find_joint(world, "first", &found));
  CHECK(found.index == hinges[0].index);
  CHECK_OK(drystone_world_find_joint(world, "joint_1", &found));
  CHECK(found.index == hinges[1].index);
  CHECK_OK(drystone_world_find_joint(world, "third", &found));
  CHECK(found.index == -1);
  const double spin[3] = {0, 0, -1};  // a rope would give way
  CHECK_OK(drystone_body_apply_angular_impulse(world, boxes[0], spin));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  double angle[2], rate[2];
  for (int i = 0; i < 2; ++i) {
    CHECK_OK(drystone_joint_coordinate(world, hinges[i], DRYSTONE_ABOUT_X, &angle[i], &rate[i]));
  }
  // L = -1 = I (w1 - w2 / 2) along w1 + 2 w2 = 0, I = 1 / 6: w1 = -4 / 5 of 6.
  CHECK_NEAR(rate[0], -4.8, 1e-6);
  CHECK_NEAR(rate[0] + 2 * rate[1], 0, 1e-6);
  CHECK_NEAR(angle[0] + 2 * angle[1], 0, 1e-6);
  int exists = -1;
  CHECK_OK(drystone_world_remove_body(world, boxes[0]));
  CHECK_OK(drystone_joint_exists(world, hinges[0], &exists));
  CHECK(exists == 0);
  CHECK_OK(drystone_joint_exists(world, gear, &exists));
  CHECK(exists == 0);
  CHECK_OK(drystone_joint_exists(world, hinges[1], &exists));
  CHECK(exists == 1);
  CHECK_OK(drystone_world_remove_joint(world, hinges[1]));
  size_t count = 9;
  CHECK_OK(drystone_world_joints(world, NULL, 0, &count));
  CHECK(count == 0);
  CHECK_OK(drystone_world_destroy(world));
}

/// Loads of 1 kg and 3 kg over an eyelet: a = g (3 - 1) / 4.
static void a_cable_runs_over_an_eyelet(void) {
  drystone_world* world = make_world();
  drystone_body_definition post;
  drystone_body_id over[3];
  CHECK_OK(drystone_body_defaults(&post, sizeof post));
  post.kind = DRYSTONE_STATIC;
  CHECK_OK(drystone_world_add_body(world, &post, &over[1]));
  over[0] = add_box(world, -3, 0, -4, 1);
  over[2] = add_box(world, 3, 0, -5, 3);
  drystone_joint_id rope;
  CHECK_FAILS(drystone_world_add_cable_from_text(world, over, 3, "{\"points\": [{}, {}]}", &rope),
              DRYSTONE_BAD_INPUT, "an object for each of the 3 bodies");
  CHECK_OK(drystone_world_add_cable_from_text(
      world, over, 3, "{\"points\": [{}, {\"position\": [-3, 0, 0]}, {}], \"length\": 20}", &rope));
  CHECK_OK(drystone_world_remove_joint(world, rope));
  const drystone_body_id four[4] = {over[0], over[1], over[1], over[2]};
  CHECK_OK(drystone_world_add_cable_from_text(
      world, four, 4, "{\"points\": [{}, {\"position\": [-3, 0, 0]}, {\"anchor\": [3, 0, 0]}, {}]}",
      &rope));
  CHECK_OK(drystone_world_step(world, 10, NULL));
  double length, rate;
  CHECK_OK(drystone_joint_coordinate(world, rope, DRYSTONE_ALONG_X, &length, &rate));
  CHECK_NEAR(length, 4 + 5, 1e-6);
  double linear[3], angular[3];
  CHECK_OK(drystone_body_velocity(world, over[0], linear, angular));
  CHECK_NEAR(linear[2], kG / 2 * 10 * 0.01, 1e-5);
  CHECK_OK(drystone_world_destroy(world));
}

/// A wheel of 1 / 6 kg m^2 on an axle: alpha = (torque - friction) / I.
static void joints_change_by_keys(void) {
  drystone_world* world = make_world();
  const double none[3] = {0, 0, 0}, torque[3] = {0, 0, 1};
  double angle = 0, rate = 0;
  drystone_body_definition post;
  drystone_body_id post_id;
  drystone_joint_id hinge;
  CHECK_OK(drystone_world_set_gravity(world, none));
  CHECK_OK(drystone_body_defaults(&post, sizeof post));
  post.kind = DRYSTONE_STATIC;
  CHECK_OK(drystone_world_add_body(world, &post, &post_id));
  const drystone_body_id box = add_box(world, 0, 0, 0, 1);
  CHECK_OK(drystone_world_add_joint_from_text(world, post_id, box,
                                              "{\"type\": \"hinge\", \"anchor\": [0, 0, 0], "
                                              "\"axis\": [0, 0, 1], \"motor\": {\"velocity\": 2}}",
                                              &hinge));
  CHECK_OK(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X,
                                           "{\"motor\": null, \"friction\": 0.4}"));
  CHECK_OK(drystone_body_apply_torque(world, box, torque));
  CHECK_OK(drystone_world_step(world, 1, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(rate, 0.6 * 6 * 0.01, 1e-9);
  // No friction, and a spring about 0.2 that a range ends before.
  CHECK_OK(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X,
                                           "{\"friction\": 0, \"upper\": 0.1, \"spring\": "
                                           "{\"stiffness\": 50, \"damping\": 1, \"rest\": 0.2}}"));
  CHECK_OK(drystone_world_step(world, 200, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(angle, 0.1, 1e-4);
  CHECK_OK(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X, "{\"upper\": null}"));
  CHECK_OK(drystone_world_step(world, 400, NULL));
  CHECK_OK(drystone_joint_coordinate(world, hinge, DRYSTONE_ABOUT_X, &angle, &rate));
  CHECK_NEAR(angle, 0.2, 1e-4);
  CHECK_FAILS(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X, "{\"frction\": 1}"),
              DRYSTONE_BAD_INPUT, "did you mean \"friction\"?");
  CHECK_FAILS(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X, "{\"friction\": -1}"),
              DRYSTONE_BAD_INPUT, "friction");
  CHECK_FAILS(drystone_joint_change_from_text(world, hinge, DRYSTONE_ABOUT_X,
                                              "{\"lower\": 2, \"upper\": 1}"),
              DRYSTONE_BAD_INPUT, "upper");
  CHECK_FAILS(drystone_joint_change_from_text(world, hinge, 7, "{}"), DRYSTONE_BAD_INPUT,
              "has the coordinates 0 to 5");
  CHECK_OK(drystone_world_destroy(world));
}

void test_joints(void) {
  joints_change_by_keys();
  a_motor_turns_a_hinge();
  motors_keep_to_their_cap();
  limits_stop_a_hinge();
  joints_of_text_and_gears();
  a_cable_runs_over_an_eyelet();
}
