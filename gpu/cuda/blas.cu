#include "gpu/cuda/blas.h"

#include <dlfcn.h>

#include <type_traits>

#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

// The C interface of cuBLAS as far as it is used here, from cublas_api.h: the same since CUDA 4.
using Handle = void*;
constexpr int kSuccess = 0;
constexpr int kNoTranspose = 0;
template <class Scalar>
using Gemv = int (*)(Handle, int transpose, int rows, int columns, const Scalar* alpha,
                     const Scalar* matrix, int stride, const Scalar* x, int xStep,
                     const Scalar* beta, Scalar* y, int yStep);

struct Library {
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*setStream)(Handle, cudaStream_t) = nullptr;
  int (*setWorkspace)(Handle, void*, std::size_t) = nullptr;
  const char* (*statusText)(int) = nullptr;
  Gemv<float> floats = nullptr;
  Gemv<double> doubles = nullptr;
  std::string problem;

  Library() {
    const std::string name = "libcublas.so." + std::to_string(CUDART_VERSION / 1000);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      problem = name + " cannot be loaded: put the folder of cuBLAS on LD_LIBRARY_PATH (" +
                dlerror() + ")";
      return;
    }
    const auto find = [&](auto& function, const char* symbol) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
      if (function == nullptr) problem = name + " has no " + symbol;
    };
    find(create, "cublasCreate_v2");
    find(destroy, "cublasDestroy_v2");
    find(setStream, "cublasSetStream_v2");
    find(setWorkspace, "cublasSetWorkspace_v2");
    find(statusText, "cublasGetStatusString");
    find(floats, "cublasSgemv_v2");
    find(doubles, "cublasDgemv_v2");
  }
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

void check(int status, const char* what) {
  if (status == kSuccess) return;
  throw DeviceError(std::string("cuBLAS failed at ") + what + ": " + library().statusText(status));
}

template <class Scalar>
void multiply(Gemv<Scalar> gemv, Handle handle, int rows, const Scalar* matrix, std::size_t stride,
              const Scalar* x, Scalar* y) {
  const Scalar one = 1, zero = 0;
  check(gemv(handle, kNoTranspose, rows, rows, &one, matrix, static_cast<int>(stride), x, 1, &zero,
             y, 1),
        "a product");
}

}  // namespace

const std::string& Blas::whyMissing() { return library().problem; }

Blas::Blas(cudaStream_t stream, void* workspace) {
  if (!whyMissing().empty()) throw MissingBlasError(whyMissing());
  Handle handle = nullptr;
  check(library().create(&handle), "starting");
  handle_.reset(handle);
  check(library().setStream(handle, stream), "choosing its stream");
  // Of its own it would allocate while launches are recorded.
  check(library().setWorkspace(handle, workspace, kWorkspaceBytes), "taking its work space");
}

void Blas::Destroy::operator()(void* handle) const { library().destroy(handle); }

void Blas::gemv(int rows, const float* matrix, std::size_t stride, const float* x, float* y) {
  multiply(library().floats, handle_.get(), rows, matrix, stride, x, y);
}

void Blas::gemv(int rows, const double* matrix, std::size_t stride, const double* x, double* y) {
  multiply(library().doubles, handle_.get(), rows, matrix, stride, x, y);
}

std::string_view whyNoBlas() {
  return whyUnavailable().empty() ? std::string_view(Blas::whyMissing()) : whyUnavailable();
}

}  // namespace drystone::gpu
