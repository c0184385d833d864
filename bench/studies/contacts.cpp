// How far contacts are from the truth, over random and degenerate poses of every pair of convex
// shapes, judged by closed forms that share no code with the narrow phase.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "apps/support/option_checks.h"
#include "bench/studies/study.h"
#include "bench/studies/study_program.h"
#include "collision/analytic/certificate.h"
#include "collision/analytic/contact_deviation.h"
#include "tests/unit/collision/contact_cases.h"

namespace {

using namespace drystone;
using namespace drystone::bench;
using namespace drystone::certify;

/// Of contacts that are judged, as a share of the thinner shape's thickness.
constexpr Real kMostGap = 0.11;

/// The largest deviations of the contacts that belong together.
struct Deviations {
  int contacts = 0, unknown = 0;
  Real gap = 0, normal = 0, place = 0;  ///< [m], [rad], [m]
  int gapPose = -1, normalPose = -1, placePose = -1;

  void add(const ContactDeviation& one, int pose) {
    ++contacts;
    if (!one.isKnown) ++unknown;
    const auto note = [pose](Real value, Real& worst, int& worstPose) {
      if (value <= worst) return;
      worst = value;
      worstPose = pose;
    };
    note(one.gap, gap, gapPose);
    note(one.normal, normal, normalPose);
    note(one.place, place, placePose);
  }
};

struct Poses {
  int random = 100'000, degenerate = 1'000;
  /// makeCase() numbers them in fives: two of any turn, three of faces, edges and corners.
  static constexpr int kOfFive = 2;
};

/// The pose of makeCase() with the k-th random or degenerate number.
int randomPose(int k) { return 5 * (k / Poses::kOfFive) + k % Poses::kOfFive; }
int degeneratePose(int k) { return 5 * (k / 3) + Poses::kOfFive + k % 3; }

struct PairDeviations {
  Deviations randomApart, randomOverlapping, degenerateApart, degenerateOverlapping;
};

void addPose(Kind a, Kind b, int pose, Deviations& apart, Deviations& overlapping) {
  ContactCase made = makeCase(a, b, pose);
  // Points farther apart than this touch in no step, and some lie within their shape: the far end
  // of a capsule that stands on a plane.
  made.margin = kMostGap * thinnestOf(made.a, made.b);
  const std::vector<ContactPoint> contacts = contactsOf(made);
  if (contacts.empty()) return;
  const std::vector<ContactDeviation> deviations =
      contactDeviations(made.a.shape, made.a.pose, made.b.shape, made.b.pose, contacts);
  Deviations& of = deepestOf(contacts).gap < 0 ? overlapping : apart;
  for (const ContactDeviation& one : deviations) of.add(one, pose);
}

PairDeviations deviationsOf(Kind a, Kind b, const Poses& poses) {
  PairDeviations all;
  for (int k = 0; k < poses.random; ++k) {
    addPose(a, b, randomPose(k), all.randomApart, all.randomOverlapping);
  }
  for (int k = 0; k < poses.degenerate; ++k) {
    addPose(a, b, degeneratePose(k), all.degenerateApart, all.degenerateOverlapping);
  }
  return all;
}

void print(const std::string& pair, const PairDeviations& all, CsvFile& csv) {
  const auto columns = [](const Deviations& of) {
    return fmt::format("{:.0e} | {:.0e} | {:.0e}", of.gap, of.normal, of.place);
  };
  printRow("| {} | {} | {} | {} | {} |\n", pair, columns(all.randomApart),
           columns(all.randomOverlapping), columns(all.degenerateApart),
           columns(all.degenerateOverlapping));
  const auto row = [&](const char* kind, const Deviations& of) {
    csv.row(pair, kind, of.contacts, of.unknown, of.gap, of.gapPose, of.normal, of.normalPose,
            of.place, of.placePose);
  };
  row("random, apart", all.randomApart);
  row("random, overlapping", all.randomOverlapping);
  row("degenerate, apart", all.degenerateApart);
  row("degenerate, overlapping", all.degenerateOverlapping);
}

}  // namespace

int main(int argc, char** argv) {
  StudyApp app("contacts");
  StudyOptions options;
  options.program = "contacts";
  Poses poses;
  constexpr int kMost = 10'000'000;
  app.add_option("--random", poses.random, "poses of any turn, a pair of shapes")
      ->transform(cli::wholeNumber(0, kMost));
  app.add_option("--degenerate", poses.degenerate,
                 "poses of faces, edges and corners on each other, a pair of shapes")
      ->transform(cli::wholeNumber(0, kMost));
  app.addCsv(options.csvFolder);
  return runStudy(app, argc, argv, [&] {
    options.checkCsvFolder();
    CsvFile csv(options, "deviations",
                "pair,poses,contacts,not_checked,gap_m,gap_pose,normal_rad,normal_pose,place_m,"
                "place_pose");
    fmt::print(
        "{} random and {} degenerate poses a pair; largest errors of gap [m], normal [rad] and "
        "place "
        "[m]\n\n",
        poses.random, poses.degenerate);
    fmt::print("| pair |");
    for (const char* kind :
         {"random, apart", "random, overlapping", "degenerate, apart", "degenerate, overlapping"}) {
      fmt::print(" {}: gap | normal | place |", kind);
    }
    fmt::print("\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    const auto judge = [&](Kind a, Kind b) {
      print(nameOf(a) + " on " + nameOf(b), deviationsOf(a, b, poses), csv);
    };
    for (const Kind a : kBoundedKinds) {
      for (const Kind b : kBoundedKinds) {
        if (a <= b) judge(a, b);
      }
      judge(a, Kind::kPlane);
      judge(a, Kind::kTriangle);
    }
    return 0;
  });
}
