#include "bench/peers/mujoco_batch.h"

#include <mujoco/mujoco.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace drystone::bench {
namespace {

// The masses and inertias of the capsule and the box are those of the scene. Its memory is sized
// for what it has: with the sizes that MuJoCo takes otherwise a reset clears a megabyte.
constexpr char kModel[] = R"(<mujoco>
  <size nstack="2000" njmax="10" nconmax="1"/>
  <option timestep="0.02" gravity="0 0 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body>
      <joint type="slide" axis="1 0 0"/>
      <geom type="box" size="0.2 0.1 0.1" mass="1"/>
      <body euler="0 1 0">
        <joint type="hinge" axis="0 1 0"/>
        <geom type="capsule" pos="0 0 0.5" size="0.02 0.48" mass="0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>)";

}  // namespace

struct MujocoBatch::Parts {
  mjModel* model = nullptr;
  std::vector<mjData*> copies;
};

bool hasMujocoBatch() { return true; }

MujocoBatch::MujocoBatch(int copies) : parts_(std::make_unique<Parts>()) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "cart_pole.xml", sizeof kModel - 1);
  std::memcpy(files->filedata[0], kModel, sizeof kModel - 1);
  std::array<char, 1000> error = {};
  parts_->model = mj_loadXML("cart_pole.xml", files.get(), error.data(), error.size());
  mj_deleteVFS(files.get());
  if (parts_->model == nullptr) throw std::runtime_error(error.data());
  for (int i = 0; i < copies; ++i) {
    mjData* data = mj_makeData(parts_->model);
    if (data == nullptr) throw std::runtime_error("MuJoCo could not allocate its memory");
    parts_->copies.push_back(data);
  }
}

MujocoBatch::~MujocoBatch() {
  for (mjData* data : parts_->copies) mj_deleteData(data);
  mj_deleteModel(parts_->model);
}

void MujocoBatch::restart(int copy) {
  mjData* data = parts_->copies[copy];
  mj_resetData(parts_->model, data);
  data->qfrc_applied[0] = pushOf(copy);
}

void MujocoBatch::step(int copy, int steps) {
  for (int i = 0; i < steps; ++i) mj_step(parts_->model, parts_->copies[copy]);
}

}  // namespace drystone::bench
