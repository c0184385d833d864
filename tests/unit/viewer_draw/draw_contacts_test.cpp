#include "viewer/draw/draw_contacts.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/unit/viewer_draw/drawn_worlds.h"
#include "viewer/draw/contact_state.h"
#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

/// A box sliding along x on the ground, its four contacts in the frame.
ViewFrame slidingBox() {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5}, {3, 0, 0});
  world.step();
  return frameOf(world);
}

TEST(ContactDrawing, ImpulseArrowsPointFromTheContactsAlongTheImpulses) {
  const ViewFrame frame = slidingBox();
  ASSERT_EQ(frame.snapshot.contacts.size(), 4u);
  DrawOptions options = only();
  options.impulses = true;
  options.contacts = ContactColoring::kState;
  const DrawList list = draw(frame, options);
  const Batch& heads = list.batches.back();
  ASSERT_EQ(heads.instances.size(), 4u);
  EXPECT_TRUE(heads.overlay);
  Real length = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    const float* m = heads.instances[i].transform;
    // The apex of the head, at z = 1/2 of its mesh.
    const Vec3 tip =
        Vec3(m[3] + 0.5 * m[2], m[7] + 0.5 * m[6], m[11] + 0.5 * m[10]) - contact.position;
    EXPECT_NEAR(tip.normalized().dot(contact.impulse.normalized()), 1, 1e-5);
    length += tip.norm() / 4;
    EXPECT_TRUE(isColor(heads.instances[i], stateColor(ContactState::kSlip)));
  }
  // The mean arrow is 0.8 of half the box's side.
  EXPECT_NEAR(length, 0.4, 1e-3);
}

TEST(ContactDrawing, ConesOfSlippingContacts_HaveTheImpulsesTipOnTheirRim) {
  const ViewFrame frame = slidingBox();
  DrawOptions options = only();
  options.cones = options.impulses = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.batches.size(), 3u);
  const Batch &cones = list.batches[0], &heads = list.batches[2];
  ASSERT_EQ(cones.instances.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const ContactSnapshot& contact = frame.snapshot.contacts[i];
    EXPECT_LT(cones.instances[i].color[3], 1);
    const float *m = heads.instances[i].transform, *c = cones.instances[i].transform;
    const Vec3 tip =
        Vec3(m[3] + 0.5 * m[2], m[7] + 0.5 * m[6], m[11] + 0.5 * m[10]) - contact.position;
    const Real height = Vec3(c[2], c[6], c[10]).norm(), radius = Vec3(c[0], c[4], c[8]).norm();
    EXPECT_NEAR(radius / height, contact.friction, 1e-5);
    EXPECT_NEAR(tip.dot(contact.normal), height, 1e-4);
    EXPECT_NEAR((tip - tip.dot(contact.normal) * contact.normal).norm(), radius, 1e-3);
  }
  // Apex at the contact, base of radius μ at height 1: the mesh opens along +z.
  for (const Vec3f& p : cones.mesh->positions) {
    EXPECT_NEAR(std::hypot(p.x(), p.y()), p.z(), 1e-5);
  }
}

// Of 84°; a cone of more would reach out of the scene.
TEST(ContactDrawing, ConeOfAnyFriction_IsNoWiderThanTenTimesItsHeight) {
  ViewFrame frame = slidingBox();
  for (ContactSnapshot& contact : frame.snapshot.contacts) contact.friction = 1e6;
  DrawOptions options = only();
  options.cones = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.batches[0].instances.size(), 4u);
  for (const Instance& cone : list.batches[0].instances) {
    const float* c = cone.transform;
    const Real height = Vec3(c[2], c[6], c[10]).norm(), radius = Vec3(c[0], c[4], c[8]).norm();
    EXPECT_NEAR(radius / height, 10, 1e-5);
  }
}

/// Farthest that a cone's sides are off the border of the friction set, as a share of μ λ_n: over
/// the corners of their base and the middles between these.
Real offTheBorder(const ViewFrame& frame) {
  DrawOptions options = only();
  options.cones = true;
  const DrawList list = draw(frame, options);
  const Batch& cones = list.batches[0];
  EXPECT_EQ(cones.instances.size(), frame.snapshot.contacts.size());
  Real worst = 0;
  for (std::size_t c = 0; c < cones.instances.size(); ++c) {
    ContactSnapshot contact = frame.snapshot.contacts[c];
    const Eigen::Map<const Eigen::Matrix<float, 3, 4, Eigen::RowMajor>> matrix(
        cones.instances[c].transform);
    const auto& triangles = cones.mesh->indices;
    for (std::size_t t = 0; t < triangles.size(); t += 3) {
      // A side has one corner at the apex.
      std::vector<Vec3> base;
      for (std::size_t k = t; k < t + 3; ++k) {
        const Vec3f& p = cones.mesh->positions[triangles[k]];
        if (p.z() > 0.5F)
          base.push_back((matrix * p.homogeneous()).cast<Real>() - contact.position);
      }
      if (base.size() != 2) continue;
      for (const Vec3& impulse : {base[0], base[1], Vec3(0.5 * (base[0] + base[1]))}) {
        contact.impulse = impulse;
        const Real limit = contact.friction * impulse.dot(contact.normal);
        worst = std::max(worst, std::abs(frictionDemand(contact, frame.friction) / limit - 1));
      }
    }
  }
  EXPECT_GT(worst, 0);
  return worst;
}

// States are judged by the model, so the drawn set is the model's.
TEST(ContactDrawing, ConesHaveTheFormOfTheFrictionModel) {
  ViewFrame frame = slidingBox();
  // Tangents that lie along no axis.
  for (ContactSnapshot& contact : frame.snapshot.contacts) {
    contact.normal = Vec3(1, 2, 2) / 3;
    contact.normalImpulse = 1;
    contact.tangent = Vec3(2, 1, -2) / 3;
    contact.frictionAcross = 0.6 * contact.friction;
  }
  for (const FrictionModel model :
       {FrictionModel::kCone, FrictionModel::kContensou, FrictionModel::kPyramid,
        FrictionModel::kBox, FrictionModel::kDiamond}) {
    frame.friction = model;
    // A round cone has its facets.
    EXPECT_LT(offTheBorder(frame), 0.02) << frictionModelName(model);
  }
  frame.friction = FrictionModel::kNone;
  DrawOptions options = only();
  options.cones = true;
  std::size_t cones = 0;
  for (const Batch& batch : draw(frame, options).batches) {
    for (const Instance& instance : batch.instances) cones += instance.color[3] < 1;
  }
  EXPECT_EQ(cones, 0u);
}

/// What the arrows, cones and normals of the contacts are.
std::vector<Instance> arrowsOf(const ViewFrame& frame) {
  DrawOptions options = only();
  options.impulses = options.cones = true;
  std::vector<Instance> all;
  for (const Batch& batch : draw(frame, options).batches) {
    all.insert(all.end(), batch.instances.begin(), batch.instances.end());
  }
  return all;
}

/// The same contacts, as if the other body came first.
ViewFrame exchanged(ViewFrame frame) {
  for (ContactSnapshot& contact : frame.snapshot.contacts) contact = seenFrom(contact, -1);
  return frame;
}

void expectEqual(const std::vector<Instance>& a, const std::vector<Instance>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    // A cone seen from the other side has its second tangent turned round.
    for (const int k : {2, 3, 6, 7, 10, 11}) {
      EXPECT_FLOAT_EQ(a[i].transform[k], b[i].transform[k]) << i;
    }
  }
}

TEST(ContactDrawing, ArrowsAndConesShowThePushOnTheUpperBodyWhicheverComesFirst) {
  const ViewFrame frame = slidingBox();
  expectEqual(arrowsOf(frame), arrowsOf(exchanged(frame)));
  for (const Instance& one : arrowsOf(exchanged(frame))) EXPECT_GT(one.transform[10], 0);
}

TEST(ContactDrawing, LevelContactsAndThoseWithoutGravity_ShowThePushOnBothBodies) {
  const ViewFrame upright = slidingBox();
  ViewFrame frame = upright;
  auto weightless = std::make_shared<SceneView>(*frame.scene);
  weightless->gravity.setZero();
  frame.scene = weightless;
  EXPECT_EQ(arrowsOf(frame).size(), 2 * arrowsOf(upright).size());
  frame = upright;
  auto sideways = std::make_shared<SceneView>(*frame.scene);
  sideways->gravity = {9.81, 0, 0};
  frame.scene = sideways;
  EXPECT_EQ(arrowsOf(frame).size(), 2 * arrowsOf(upright).size());
  Real sum = 0;
  for (const Instance& one : arrowsOf(frame)) sum += one.transform[10];
  EXPECT_NEAR(sum, 0, 1e-5) << "one against the other";
}

TEST(ContactDrawing, ImpulsesThatAreRoundOffBesideTheOthers_AreNone) {
  ViewFrame frame = slidingBox();
  const Vec3 round = 1e-12 * frame.snapshot.contacts[0].impulse;
  frame.snapshot.contacts[0].impulse = round;
  frame.snapshot.contacts[0].normalImpulse = round.z();
  DrawOptions options = only();
  options.contactPoints = true;
  options.contacts = ContactColoring::kState;
  const DrawList list = draw(frame, options);
  EXPECT_TRUE(isColor(list.batches[0].instances[0], stateColor(ContactState::kOpen)));
  EXPECT_TRUE(isColor(list.batches[0].instances[1], stateColor(ContactState::kSlip)));
}

TEST(ContactDrawing, PointsAreColoredByResidualWhereItIsKnown) {
  ViewFrame frame = slidingBox();
  DrawOptions options = only();
  options.contactPoints = options.contactNormals = true;
  const DrawList unknown = draw(frame, options);
  EXPECT_TRUE(isColor(unknown.batches[0].instances[0], kUnknown));
  ASSERT_EQ(unknown.lines.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    // From A, the ground, to B, the box: 0.6 of half its side upwards.
    const Vec3 at = frame.snapshot.contacts[i].position;
    EXPECT_LT((unknown.lines[i].from.cast<Real>() - at).norm(), 1e-6);
    EXPECT_LT((unknown.lines[i].to.cast<Real>() - at - Vec3(0, 0, 0.3)).norm(), 1e-6);
  }
  frame.contactResidual = {1e-12, 1e-9, 1e-6, 1};
  std::set<float> reds;
  const DrawList known = draw(frame, options);
  for (const Instance& point : known.batches[0].instances) reds.insert(point.color[0]);
  EXPECT_EQ(reds.size(), 3u);  // the first two are below the range
  frame.contactColor = {0, 1, 0, -1};
  options.contacts = ContactColoring::kGraph;
  const DrawList graph = draw(frame, options);
  EXPECT_TRUE(isColor(graph.batches[0].instances[2], kMarkColors[0]));
  EXPECT_TRUE(isColor(graph.batches[0].instances[1], kMarkColors[1]));
  EXPECT_TRUE(isColor(graph.batches[0].instances[3], kUnknown));
}

}  // namespace
}  // namespace drystone::viewer
