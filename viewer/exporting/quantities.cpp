#include "viewer/exporting/quantities.h"

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace drystone::viewer {
namespace {

constexpr std::string_view kVectorParts[] = {"x", "y", "z"},
                           kRotationParts[] = {"w", "x", "y", "z"};

/// How a value becomes numbers.
template <class Value>
struct Numbers;
template <>
struct Numbers<Real> {
  static std::span<const std::string_view> parts() { return {}; }
  static void put(Real value, Real* to) { *to = value; }
};
template <class Whole>
requires std::is_integral_v<Whole>
struct Numbers<Whole> {
  static std::span<const std::string_view> parts() { return {}; }
  static void put(Whole value, Real* to) { *to = static_cast<Real>(value); }
};
template <>
struct Numbers<Vec3> {
  static std::span<const std::string_view> parts() { return kVectorParts; }
  static void put(const Vec3& value, Real* to) {
    for (int k = 0; k < 3; ++k) to[k] = value[k];
  }
};
template <>
struct Numbers<std::optional<Vec3>> {
  static std::span<const std::string_view> parts() { return kVectorParts; }
  static void put(const std::optional<Vec3>& value, Real* to) {
    const Vec3 none = Vec3::Constant(std::numeric_limits<Real>::quiet_NaN());
    Numbers<Vec3>::put(value.value_or(none), to);
  }
};
template <>
struct Numbers<Quat> {
  static std::span<const std::string_view> parts() { return kRotationParts; }
  static void put(const Quat& value, Real* to) {
    to[0] = value.w();
    for (int k = 0; k < 3; ++k) to[k + 1] = value.vec()[k];
  }
};

/// The quantity that a path of members leads to.
template <class Record, auto... kPath>
Quantity<Record> quantity(const char* name, const char* unit = "") {
  using Field = Numbers<std::remove_cvref_t<decltype((std::declval<Record&>().*....*kPath))>>;
  return {name, unit, Field::parts(),
          [](const Record& from, Real* to) { Field::put((from.*....*kPath), to); }};
}

}  // namespace

const std::vector<Quantity<BodySnapshot>>& bodyQuantities() {
  using Body = BodySnapshot;
  static const std::vector<Quantity<Body>> all = {
      quantity<Body, &Body::pose, &Pose::position>("position", "m"),
      quantity<Body, &Body::pose, &Pose::rotation>("rotation"),
      quantity<Body, &Body::linearVelocity>("linear_velocity", "m/s"),
      quantity<Body, &Body::angularVelocity>("angular_velocity", "rad/s"),
  };
  return all;
}

const std::vector<Quantity<ContactSnapshot>>& contactQuantities() {
  using Contact = ContactSnapshot;
  static const std::vector<Quantity<Contact>> all = {
      quantity<Contact, &Contact::position>("position", "m"),
      quantity<Contact, &Contact::normal>("normal"),
      quantity<Contact, &Contact::gap>("gap", "m"),
      quantity<Contact, &Contact::impulse>("impulse", "N s"),
      quantity<Contact, &Contact::normalImpulse>("normal_impulse", "N s"),
      quantity<Contact, &Contact::attraction>("attraction", "N s"),
      quantity<Contact, &Contact::friction>("friction"),
  };
  return all;
}

const std::vector<Quantity<ForcePlateReading>>& plateQuantities() {
  using Reading = ForcePlateReading;
  static const std::vector<Quantity<Reading>> all = {
      quantity<Reading, &Reading::force>("force", "N"),
      quantity<Reading, &Reading::torque>("torque", "N m"),
      quantity<Reading, &Reading::center>("center", "m"),
      quantity<Reading, &Reading::forceError>("force_error", "N"),
      quantity<Reading, &Reading::torqueError>("torque_error", "N m"),
      quantity<Reading, &Reading::centerError>("center_error", "m"),
      quantity<Reading, &Reading::isSumUnique>("is_sum_unique"),
      quantity<Reading, &Reading::areSharesUnique>("are_shares_unique"),
      quantity<Reading, &Reading::rank>("rank"),
      quantity<Reading, &Reading::unknowns>("unknowns"),
  };
  return all;
}

}  // namespace drystone::viewer
