#pragma once

#include "scenes/reading/scene_context.h"

namespace drystone {

/// One generator at work. Reads what all have in common: `name` (prefix of the bodies' names),
/// `position` and `orientation` (the frame in which the generator places its bodies), and the keys
/// of a body but its shape and pose. Then takes the bodies, after their number was found allowed.
class Generation {
 public:
  /// `ownBodies`: the generator brings its bodies whole, so the keys of a body are not read.
  Generation(ObjectReader& in, SceneContext& context, std::string_view type,
             bool ownBodies = false);

  /// To be called once, before anything of the size of the result is made: true when nothing was
  /// wrong so far and the scene may hold `count` bodies more. `formula` says how they count.
  bool allows(Real count, const std::string& formula);

  /// Adds a body at a pose in the generator's frame; its name is the prefix, "_" and the suffix.
  /// Returns its index, -1 after an error; so do the others.
  int add(const std::string& suffix, const Shape& shape, const Pose& local);
  /// … with a mass [kg] of its own in place of the generator's.
  int add(const std::string& suffix, const Shape& shape, const Pose& local, Real mass);
  /// … that never moves, with the generator's material: floors and walls.
  int addStatic(const std::string& suffix, const Shape& shape, const Pose& local);
  /// … as defined, shape and all, turned and moved with the frame.
  int addDefined(const std::string& suffix, BodyDefinition body);

  /// Adds a velocity in the generator's frame to that of a body [m/s].
  void push(int body, const Vec3& velocity);

  /// Ties two bodies of the scene by a joint as defined but for its frames, which lie at `local` in
  /// the generator's frame. Its name is the prefix, "_joint_" and the suffix.
  void join(int bodyA, int bodyB, const Pose& local, JointDefinition definition,
            const std::string& suffix);

  /// Adds a joint as defined; its name is the prefix, "_" and the suffix.
  void addJoint(const std::string& suffix, SceneJoint joint);

  /// What the generator's keys say of every body.
  const BodyDefinition& common() const { return template_.definition; }

 private:
  int add(const std::string& suffix, const Shape& shape, const Pose& local,
          const BodyTemplate& from);
  Pose frameOn(int body, const Pose& local) const;
  int append(const std::string& suffix, BodyDefinition body, const Pose& local);

  ObjectReader& in_;
  SceneContext& context_;
  std::string_view type_;
  std::string prefix_;
  Pose frame_;
  BodyTemplate template_;
};

// One function a generator, in its own file. Each reads its keys and appends its bodies.
void generateChain(ObjectReader& in, SceneContext& context);
void generateGrid(ObjectReader& in, SceneContext& context);
void generateStack(ObjectReader& in, SceneContext& context);
void generateWall(ObjectReader& in, SceneContext& context);
void generatePyramid(ObjectReader& in, SceneContext& context);
void generateCardHouse(ObjectReader& in, SceneContext& context);
void generateArch(ObjectReader& in, SceneContext& context);
void generateCable(ObjectReader& in, SceneContext& context);
void generateLogTower(ObjectReader& in, SceneContext& context);
void generateRandomFill(ObjectReader& in, SceneContext& context);
void generateReplicate(ObjectReader& in, SceneContext& context);

/// Counts along x, y and z, at least 1 each.
struct GridCounts {
  int x = 1, y = 1, z = 1;
  Real total() const { return Real(x) * y * z; }
  std::string formula() const;
};
GridCounts readCounts(ObjectReader& in, Presence presence);

}  // namespace drystone
