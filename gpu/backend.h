#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/device_work.h"

namespace drystone::gpu {

/// Where kernels run.
enum class Target : std::uint8_t {
  kCuda,           ///< on the first CUDA device
  kHost,           ///< thread after thread on the processor, for tests
  kHostBackwards,  ///< the same from the last thread to the first, for the same bits
};

/// Does the sweeps of one laid-out problem, on a device or, by the same code, on the processor.
/// Without CUDA types. `Form` (forms/) says how the problem is laid out and what is launched.
/// Memory is kept from problem to problem. Throws DeviceError when the device fails or has no
/// memory left.
template <class Form>
class Backend {
 public:
  virtual ~Backend() = default;

  /// Makes room and returns the host's image of the arrays, to be written before `upload`.
  virtual const typename Form::View& allocate(const typename Form::Sizes& sizes) = 0;
  /// `isKept`: what of the image lies before Sections::keptEnd is on the device from the last
  /// upload, and `allocate` was not called since.
  virtual void upload(const typename Form::Plan& plan, bool isKept = false) = 0;
  /// Takes λ from the host's image, and what follows from λ.
  virtual void setImpulses() = 0;
  /// Brings λ to the host's image.
  virtual void getImpulses() = 0;
  /// One pass over the phases; returns before the device is done. Islands are swept so often at
  /// once, when something else is asked for.
  virtual void sweep() = 0;
  /// Does so many sweeps; returns what they took by the clock of where they ran [ms].
  virtual double timeSweeps(int count) = 0;
  /// w = A λ + b on the device, with all that follows from λ computed afresh; `fetch` brings it.
  virtual void constraintVelocity() = 0;
  /// The same, and the residual of it; `fetch` brings either. Islands that meet the tolerance [m/s]
  /// are left as they are from now on, until λ is set anew.
  virtual void measureResidual(double tolerance) = 0;
  /// Remembers the λ that was measured last, on the device.
  virtual void keepImpulses() = 0;
  virtual void scaleSteps(typename Form::Value factor) = 0;
  /// Brings part of the host's image, which begins at `array`, from the device.
  virtual void fetch(const void* array, std::size_t bytes) = 0;
  /// Brings it there.
  virtual void send(const void* array, std::size_t bytes) = 0;
  /// Of all calls so far.
  virtual const ExecutorWork& work() const = 0;
};

template <class Form>
std::unique_ptr<Backend<Form>> makeHostBackend(bool runsBackwards);
/// Only where a device is available (devices.h).
template <class Form>
std::unique_ptr<Backend<Form>> makeCudaBackend();

template <class Form>
std::unique_ptr<Backend<Form>> makeBackend(Target target) {
  if (target == Target::kCuda) return makeCudaBackend<Form>();
  return makeHostBackend<Form>(target == Target::kHostBackwards);
}

}  // namespace drystone::gpu
