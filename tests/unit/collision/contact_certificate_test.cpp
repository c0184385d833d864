// Every pair of convex kinds over random and degenerate poses: the lowest gap is the distance (or
// the least overlap), proved by closed forms that share no code with the narrow phase.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "collision/analytic/certificate.h"
#include "tests/unit/collision/contact_cases.h"

namespace drystone::certify {
namespace {

/// Poses of each pair; a study may raise it.
constexpr int kCertifiedPoses = 1000;
/// The search for the least overlap takes longest, so it is made for every so many poses.
constexpr int kOverlapStride = 2;

/// Not asserted tighter: two edges, or sides of capsules, cylinders and cones, within 5 degrees of
/// parallel count as side by side, and their contacts lie at the ends of the stretch that they
/// share. There they are apart sideways by up to this share of the shorter shape's extent (3 cm on
/// a box of 1 m under a capsule turned by 5 degrees), though the gap and the normal are right.
constexpr Real kSkewEdges = 2 * 0.0872;
/// How far beyond a feature its points count as on it: boxes and hulls, and other pairs. Relative
/// to the thickness.
constexpr Real kClipPolyhedra = 1e-5, kClipOthers = 1e-6;
/// What LeastOverlap and closestPoints() promise of overlaps: of the depth, and of the thickness.
constexpr Real kDepthShare = 0.01, kDepthRound = 1e-6;
/// Overlapping round shapes: the points of the deepest contact come from shapes moved apart by a
/// hundredth of the thickness, along a normal good to about the square root of the depth's error.
/// Relative to thickness and depth.
constexpr Real kDeepPoints = 0.01;

/// Of boxes and hulls, too: two overlapping edges that are parallel and meet to within 2e-3 of the
/// thickness have the normal halfway between their faces.
constexpr Real kMeetingEdges = 2e-3;
/// How far a laid face's normal may be off.
constexpr Real kLaidAngle = 0.0175;  // [rad]

struct PairOfKinds {
  Kind a, b;
};

class ContactCertificate : public testing::TestWithParam<PairOfKinds> {
 protected:
  /// Calls `check(case, contacts)` for every pose that has contacts, or every so many; nearly all
  /// do.
  template <class Check>
  void forEveryPose(const Check& check, int stride = 1) const {
    const auto [a, b] = GetParam();
    int touching = 0;
    for (int i = 0; i < kCertifiedPoses && !HasFailure(); i += stride) {
      const ContactCase made = makeCase(a, b, i);
      const std::vector<ContactPoint> contacts = contactsOf(made);
      if (contacts.empty()) continue;
      ++touching;
      SCOPED_TRACE(describe(a, b, i, made));
      check(made, contacts);
    }
    if (HasFailure()) return;
    EXPECT_GT(touching * stride, kCertifiedPoses * 98 / 100);
  }
};

bool isEnd(const ContactPoint& contact) { return vertexOf(contact) != ContactVertex::kNone; }

TEST_P(ContactCertificate, EveryConvexPair_HasTheExactDistance) {
  forEveryPose([](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
    const Verdict verdict = judge(made.a, made.b, contacts);
    const Real size = sizeOf(made.a, made.b), thickness = thinnestOf(made.a, made.b);
    EXPECT_TRUE(verdict.hasOneNormal);
    EXPECT_LE(verdict.highestGap, made.margin);
    // The normal separates (or holds together) by just the lowest gap.
    const Real exact = kRound * size + kBeyondEdge * std::min(thickness, size);
    if (verdict.gapError <= exact) return;
    ASSERT_TRUE(areBothPolyhedra(made)) << "the gap is off by " << verdict.gapError << " m";
    const Slab widest = widestSlab(made.a, made.b, contacts.front().normal);
    EXPECT_NEAR(verdict.lowestGap, widest.width,
                kLaidShare * std::abs(widest.width) + kLaidRound * thickness);
    const Real across = extentOf(made.a.shape) + extentOf(made.b.shape);
    EXPECT_LE(verdict.gapError, kLaidAngle * across);
  });
}

TEST_P(ContactCertificate, EveryConvexPair_OverlapsByTheLeast) {
  forEveryPose(
      [](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
        const Real depth = -judge(made.a, made.b, contacts).lowestGap;
        if (depth <= 0) return;
        const Real thickness = thinnestOf(made.a, made.b);
        const Real least = std::max(Real(0), -widestSlab(made.a, made.b, contacts[0].normal).width);
        const Real polyhedra = areBothPolyhedra(made) ? kMeetingEdges : 0;
        EXPECT_LE(depth,
                  (1 + kDepthShare) * least +
                      (kDepthRound + polyhedra) * std::min(thickness, sizeOf(made.a, made.b)));
      },
      kOverlapStride);
}

TEST_P(ContactCertificate, EveryConvexPair_TouchesAtPointsOfBoth) {
  forEveryPose([](const ContactCase& made, const std::vector<ContactPoint>& contacts) {
    const Verdict verdict = judge(made.a, made.b, contacts);
    const Real size = sizeOf(made.a, made.b), thickness = thinnestOf(made.a, made.b);
    const Real shorter = std::min(extentOf(made.a.shape), extentOf(made.b.shape));
    const bool isLine =
        contacts.size() <= 3 && std::any_of(contacts.begin(), contacts.end(), isEnd);
    const Real edges = isLine ? kSkewEdges * shorter : 0;
    const Real clip = areBothPolyhedra(made) ? kClipPolyhedra : kClipOthers;
    const Real deep = verdict.lowestGap <= kRound * size
                          ? kDeepPoints * (std::min(thickness, size) - verdict.lowestGap)
                          : 0;
    const Real most = kRound * size + edges + clip * std::min(thickness, size) + deep;
    EXPECT_LE(verdict.deepestOutside, most);
    EXPECT_LE(verdict.othersOutside, most);
  });
}

std::vector<PairOfKinds> everyPairOfKinds() {
  std::vector<PairOfKinds> pairs;
  for (const Kind a : kBoundedKinds) {
    for (const Kind b : kBoundedKinds) {
      if (a <= b) pairs.push_back({a, b});
    }
    pairs.push_back({a, Kind::kPlane});
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Kinds, ContactCertificate, testing::ValuesIn(everyPairOfKinds()),
                         [](const auto& each) {
                           return nameOf(each.param.a) + nameOf(each.param.b);
                         });

}  // namespace
}  // namespace drystone::certify
