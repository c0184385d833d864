// The module drystone._render: draws without a window. It alone links OpenGL, and the package loads
// it with the first picture.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>

#include "viewer/render/offscreen.h"

namespace drystone::python {
namespace {

namespace py = pybind11;
using Pixels = py::array_t<std::uint8_t>;

/// Of the thread that made it, as its OpenGL context is.
class PictureRenderer {
 public:
  PictureRenderer(int width, int height) : renderer_(width, height) {}

  Pixels draw(const std::shared_ptr<viewer::DrawList>& list, const viewer::Camera& camera) {
    viewer::Image image;
    {
      const py::gil_scoped_release unlocked;
      image = renderer_.render(*list, camera);
    }
    Pixels pixels({image.height, image.width, 3});
    std::ranges::copy(image.pixels, pixels.mutable_data());
    return pixels;
  }

 private:
  viewer::OffscreenRenderer renderer_;
};

}  // namespace
}  // namespace drystone::python

PYBIND11_MODULE(_render, module) {
  using drystone::python::PictureRenderer;
  // What it is handed, and the errors that it raises.
  pybind11::module_::import("drystone._drystone");
  pybind11::class_<PictureRenderer> type(
      module, "Renderer",
      "Draws pictures of one size [pixels], on the thread that made it. RuntimeError where there "
      "is "
      "no OpenGL to draw with, and InputError where it cannot draw that size.");
  type.def(pybind11::init<int, int>(), pybind11::arg("width"), pybind11::arg("height"));
  type.def("draw", &PictureRenderer::draw, "Pixels of a list, (height, width, 3), from the top.");
}
