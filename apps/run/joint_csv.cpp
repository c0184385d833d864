#include "apps/run/joint_csv.h"

#include "apps/support/csv_values.h"

namespace drystone::cli {
namespace {

constexpr int kMostCoordinates = 6;

}  // namespace

JointCsv::JointCsv(const std::filesystem::path& path) : file_(path, "--joints") {
  file_.writeLine(
      "step,time_s,joint,force_x_N,force_y_N,force_z_N,torque_x_Nm,torque_y_Nm,torque_z_Nm,"
      "q1,q2,q3,q4,q5,q6");
}

void JointCsv::addStep(const World& world) {
  const std::string start = csvNumber(world.stepCount()) + "," + csvNumber(world.time()) + ",";
  for (const JointId joint : world.joints()) {
    const JointReaction reaction = world.jointReaction(joint);
    std::string row = start + csvText(std::string(world.name(joint))) + "," +
                      csvVector(reaction.force) + "," + csvVector(reaction.torque);
    const int count = world.coordinateCount(joint);
    for (int i = 0; i < kMostCoordinates; ++i) {
      row += i < count ? "," + csvNumber(world.jointCoordinate(joint, i)) : ",";
    }
    file_.writeLine(row);
  }
}

}  // namespace drystone::cli
