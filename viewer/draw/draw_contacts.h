#pragma once

#include <memory>

#include "viewer/draw/contact_state.h"
#include "viewer/draw/draw_options.h"
#include "viewer/draw/list_writer.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

/// Points, normals, impulses and friction cones of contacts, over the bodies.
class ContactDrawer {
 public:
  ContactDrawer();
  /// Forgets the size of the impulses of the scene before.
  void setScene() {
    typicalImpulse_ = 0;
    step_ = -1;
  }
  void draw(const ViewFrame& frame, const DrawOptions& options, ListWriter& out);
  /// Drawn length of an impulse [m/(N s)]: the typical one is a bit shorter than a body's half
  /// side. Of the frame that was drawn last; 0: it had none.
  Real lengthPerImpulse(const DrawOptions& options, Real bodySize) const;

 private:
  void updateTypicalImpulse(std::int64_t step, Real mean);
  void drawPoints(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                  ListWriter& out) const;
  void drawImpulses(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                    ListWriter& out) const;
  void drawCones(const ViewFrame& frame, const DrawOptions& options, Real bodySize,
                 ListWriter& out) const;
  Color colorOf(const ViewFrame& frame, const DrawOptions& options, std::size_t contact) const;
  ContactState stateOf(const ViewFrame& frame, const ContactSnapshot& contact) const;

  std::shared_ptr<const TriangleMeshf> point_, shaft_, head_, cone_, pyramid_;
  Real typicalImpulse_ = 0;  ///< mean over the contacts, and over the last steps [N s]
  std::int64_t step_ = -1;   ///< that it is up to date with
  Real negligible_ = 0;      ///< impulses of the frame up to this are none [N s]
};

Color stateColor(ContactState state);

}  // namespace drystone::viewer
