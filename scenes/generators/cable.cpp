// A cable along a polyline: capsules end to end, tied by joints that bend, twist and stretch
// against springs. The capsules' axes meet in the joints, so their round caps close the bends.

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

/// The y axes of the joints lie along the cable: twist is the angle in between, and both ways of
/// bending may exceed a right angle.
constexpr JointCoordinateIndex kStretch = kAlongY, kTwist = kAboutY;
constexpr std::array<JointCoordinateIndex, 2> kBends = {kAboutX, kAboutZ};

struct Segment {
  Vec3 start, end;
  Real length() const { return (end - start).norm(); }
  Vec3 direction() const { return (end - start).normalized(); }
};

/// Stiffness and damping of a cable's cross section, for a segment of unit length. The spring of a
/// joint is that of the piece from centre to centre of its two segments.
struct SectionSpring {
  JointSpring perLength;
  bool isGiven() const { return perLength.stiffness > 0 || perLength.damping > 0; }
  JointSpring of(Real length) const {
    return {.stiffness = perLength.stiffness / length, .damping = perLength.damping / length};
  }
};

struct CableKeys {
  std::vector<Vec3> points;  ///< ends and corners [m]
  int count = 0;             ///< of segments; 0: by `segmentLength`
  Real segmentLength = 0;    ///< longest [m]
  Real radius = 0;           ///< [m]
  Real massPerLength = 0;    ///< [kg/m]
  SectionSpring bending;     ///< [N m²], [N m² s]
  SectionSpring twisting;    ///< [N m²], [N m² s]
  SectionSpring stretching;  ///< [N], [N s]
  std::optional<Real> compliance;
  bool clamped = false;            ///< the held ends are tied as the segments are
  int holdFrom = -1, holdTo = -1;  ///< bodies, or -1
};

void readPoints(ObjectReader& in, std::vector<Vec3>& points) {
  in.list(
      {"points", "ends and corners; the shape at the start is free of stress"},
      KeyType::listOf("vector", "m"),
      [&](const JsonCursor& at) {
        Vec3 point = Vec3::Zero();
        if (!at.vector(point, anyReal("m"))) return;
        if (!points.empty() && !((point - points.back()).norm() >= kSmallestPositiveInput)) {
          at.error("must differ from the point before");
        }
        points.push_back(point);
      },
      kRequired);
  if (in.clean() && points.size() < 2) in.at().member("points")->error("a cable needs two points");
}

void readSection(ObjectReader& in, const std::array<Key, 2>& keys,
                 const std::array<std::string_view, 2>& units, SectionSpring& out) {
  in.real(keys[0], out.perLength.stiffness, notNegative(units[0]), kNoDefault);
  in.real(keys[1], out.perLength.damping, notNegative(units[1]));
}

void readMassPerLength(ObjectReader& in, Real density, CableKeys& out) {
  // Without the caps, which lie inside the neighbours.
  out.massPerLength = density * M_PI * out.radius * out.radius;
  in.real({"mass_per_length", "or density, of the cross section"}, out.massPerLength,
          positive("kg/m"), kNoDefault);
  in.atMostOne({"mass_per_length", "density"});
  for (const std::string_view key : {"mass", "inertia", "center_of_mass"}) {
    if (in.has(key)) {
      in.at().member(key)->keyError(
          "the segments' mass follows from \"mass_per_length\" or \"density\"");
    }
  }
}

CableKeys readKeys(ObjectReader& in, const SceneContext& context, Real density) {
  constexpr std::array<std::string_view, 2> kEnds = {"pinned", "clamped"};
  CableKeys keys;
  readPoints(in, keys.points);
  in.integer({"count", "segments, shared out to the legs by length; or segment_length"}, keys.count,
             1, std::numeric_limits<int>::max(), kNoDefault);
  in.real({"segment_length", "longest that a segment of a straight cable may be; or count"},
          keys.segmentLength, positive("m"), kNoDefault);
  in.atLeastOne({"count", "segment_length"});
  in.atMostOne({"count", "segment_length"});
  in.real({"radius", "of the cable"}, keys.radius, positive("m"), kRequired);
  readMassPerLength(in, density, keys);
  readSection(in,
              {Key("bending_stiffness", "E I; without it the joints bend freely"),
               Key("bending_damping", "of bending")},
              {"N m²", "N m² s"}, keys.bending);
  readSection(in,
              {Key("twisting_stiffness", "G J; without it the segments twist freely"),
               Key("twisting_damping", "of twisting")},
              {"N m²", "N m² s"}, keys.twisting);
  readSection(in,
              {Key("stretching_stiffness", "E A; without it the cable keeps its length"),
               Key("stretching_damping", "of stretching")},
              {"N", "N s"}, keys.stretching);
  in.real({"compliance", "of the joints' locked rows; the world's unless given"}, keys.compliance,
          notNegative("1/kg"));
  if (const auto at =
          in.child({"hold_from", "name of a body that the start is tied to"}, KeyType::text())) {
    keys.holdFrom = resolveName(*at, "body", context.bodies);
  }
  if (const auto at =
          in.child({"hold_to", "name of a body that the end is tied to"}, KeyType::text()))
    keys.holdTo = resolveName(*at, "body", context.bodies);
  in.choice({"ends", "how held ends are tied: by balls, or as the segments are"}, keys.clamped,
            kEnds);
  return keys;
}

Real lengthOf(const std::vector<Vec3>& points) {
  Real length = 0;
  for (std::size_t i = 1; i < points.size(); ++i) length += (points[i] - points[i - 1]).norm();
  return length;
}

/// Segments that the keys ask for, in reals: they may be more than fit an integer.
Real segmentCount(const CableKeys& keys) {
  if (keys.count > 0) return keys.count;
  constexpr Real kRounding = 1e-9;  // of typed lengths: 10 m are ten pieces of 1 m, not eleven
  return std::max(std::ceil(lengthOf(keys.points) / keys.segmentLength * (1 - kRounding)), 1.0);
}

/// Shares the segments out to the legs of the polyline by length. Every leg has one at least, so a
/// short leg may have one too many; `count` is what the whole cable should have.
std::vector<Segment> cut(const std::vector<Vec3>& points, int count) {
  const Real total = lengthOf(points);
  std::vector<Segment> segments;
  Real length = 0;
  for (std::size_t leg = 1; leg < points.size(); ++leg) {
    const Vec3 from = points[leg - 1], along = points[leg] - from;
    length += along.norm();
    const int end = static_cast<int>(std::lround(count * (length / total)));
    const int pieces = std::max(end - static_cast<int>(segments.size()), 1);
    for (int i = 0; i < pieces; ++i) {
      segments.push_back(
          {from + along * (Real(i) / pieces), from + along * (Real(i + 1) / pieces)});
    }
  }
  return segments;
}

/// What ties two segments whose centres are `length` apart along the cable.
JointDefinition coupling(const CableKeys& keys, Real length) {
  JointDefinition joint = sixDofJoint({}, {}, {}, {});
  joint.compliance = keys.compliance;
  for (const JointCoordinateIndex i : {kAlongX, kAlongY, kAlongZ}) {
    joint.axes[i] = JointAxis::locked();
  }
  if (keys.stretching.isGiven()) {
    joint.axes[kStretch] = {.spring = keys.stretching.of(length)};
  }
  if (keys.bending.isGiven()) {
    for (const JointCoordinateIndex i : kBends) joint.axes[i].spring = keys.bending.of(length);
  }
  if (keys.twisting.isGiven()) joint.axes[kTwist].spring = keys.twisting.of(length);
  return joint;
}

JointDefinition pin(const CableKeys& keys) {
  JointDefinition joint = ballJoint({}, {}, Vec3::Zero(), Vec3::Zero());
  joint.compliance = keys.compliance;
  return joint;
}

/// Frame of a joint: its y axis halves the bend between the directions of two segments.
Pose between(const Vec3& place, const Vec3& before, const Vec3& after) {
  const Vec3 sum = before + after;
  const Vec3 along = sum.norm() > 1e-6 ? sum : before;  // a cable folded back on itself
  return {place, rotationBetween(Vec3::UnitY(), along)};
}

/// Colliding segments must be longer than thick: a joint keeps its own two apart, but not the two
/// beside it.
bool areLongEnough(const std::vector<Segment>& segments, const CableKeys& keys, bool collide,
                   const ObjectReader& in) {
  if (!collide) return true;
  for (const Segment& segment : segments) {
    if (segment.length() > 2 * keys.radius) continue;
    return in.at().error(
        fmt::format("a segment of {:.6g} m is shorter than the cable is thick, {:.6g} m, so that "
                    "its two neighbours would overlap; make segments longer, or give "
                    "\"collide\": false",
                    segment.length(), 2 * keys.radius));
  }
  return true;
}

}  // namespace

void generateCable(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "cable");
  const BodyDefinition& common = generation.common();
  const CableKeys keys = readKeys(in, context, common.density);
  if (!in.clean()) return;
  if (!generation.allows(std::max(segmentCount(keys), Real(keys.points.size() - 1)), "segments")) {
    return;
  }
  const std::vector<Segment> segments = cut(keys.points, static_cast<int>(segmentCount(keys)));
  if (!areLongEnough(segments, keys, common.filter.mask != 0, in)) return;

  const int count = static_cast<int>(segments.size());
  const auto tieEnd = [&](int a, int b, const Segment& last, const Vec3& place, int number) {
    const JointDefinition joint = keys.clamped ? coupling(keys, last.length() / 2) : pin(keys);
    const Vec3 along = last.direction();
    generation.join(a, b, between(place, along, along), joint, std::to_string(number));
  };
  int previous = keys.holdFrom;
  for (int i = 0; i < count; ++i) {
    const Segment& segment = segments[i];
    const Real length = segment.length();
    const Pose pose{(segment.start + segment.end) / 2,
                    rotationBetween(Vec3::UnitZ(), segment.direction())};
    const int body = generation.add(std::to_string(i), Capsule{keys.radius, length / 2}, pose,
                                    keys.massPerLength * length);
    if (body < 0) return;
    if (i > 0) {
      const Segment& before = segments[i - 1];
      generation.join(previous, body,
                      between(segment.start, before.direction(), segment.direction()),
                      coupling(keys, (before.length() + length) / 2), std::to_string(i));
    } else if (previous >= 0) {
      tieEnd(previous, body, segment, segment.start, 0);
    }
    previous = body;
  }
  if (keys.holdTo >= 0) {
    tieEnd(previous, keys.holdTo, segments.back(), segments.back().end, count);
  }
}

}  // namespace drystone
