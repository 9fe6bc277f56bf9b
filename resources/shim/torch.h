// What wrappers use of PyTorch's C++ interface.
#pragma once

namespace c10 {
enum class ScalarType : signed char {
  Byte,
  Char,
  Short,
  Int,
  Long,
  Half,
  Float,
  Double,
  Bool,
  BFloat16,
  Undefined
};
enum class DeviceType : signed char { CPU, CUDA };
enum class MemoryFormat : signed char { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

constexpr ScalarType kByte = ScalarType::Byte;
constexpr ScalarType kChar = ScalarType::Char;
constexpr ScalarType kShort = ScalarType::Short;
constexpr ScalarType kInt = ScalarType::Int;
constexpr ScalarType kInt32 = ScalarType::Int;
constexpr ScalarType kLong = ScalarType::Long;
constexpr ScalarType kInt64 = ScalarType::Long;
constexpr ScalarType kHalf = ScalarType::Half;
constexpr ScalarType kFloat16 = ScalarType::Half;
constexpr ScalarType kFloat = ScalarType::Float;
constexpr ScalarType kFloat32 = ScalarType::Float;
constexpr ScalarType kDouble = ScalarType::Double;
constexpr ScalarType kFloat64 = ScalarType::Double;
constexpr ScalarType kBool = ScalarType::Bool;
constexpr ScalarType kBFloat16 = ScalarType::BFloat16;
constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

struct Device {
  Device(DeviceType, int = 0);
  bool is_cuda() const PLUMBLINE_HOST("device-is-cuda");
  int index() const PLUMBLINE_HOST("device-index");
  DeviceType type() const PLUMBLINE_HOST("device-type");
};
bool operator==(const Device&, const Device&) PLUMBLINE_HOST("device-same");
bool operator!=(const Device&, const Device&) PLUMBLINE_HOST("device-other");

template <class T> class ArrayRef {
public:
  ArrayRef();
  ArrayRef(const std::initializer_list<T>&);
  ArrayRef(const std::vector<T>&);
  ArrayRef(const T&);
  const T* begin() const PLUMBLINE_HOST("list-begin");
  const T* end() const PLUMBLINE_HOST("list-end");
  const T& operator[](size_t) const PLUMBLINE_HOST("size");
  const T& at(size_t) const PLUMBLINE_HOST("size");
  size_t size() const PLUMBLINE_HOST("dim");
  bool empty() const PLUMBLINE_HOST("unknown");
  std::vector<T> vec() const PLUMBLINE_HOST("list-copy");
};
template <class T> bool operator==(const ArrayRef<T>&, const ArrayRef<T>&) PLUMBLINE_HOST("same-sizes");
template <class T> bool operator!=(const ArrayRef<T>&, const ArrayRef<T>&) PLUMBLINE_HOST("other-sizes");
using IntArrayRef = ArrayRef<int64_t>;

struct nullopt_t {};
constexpr nullopt_t nullopt{};
template <class T> using optional = std::optional<T>;

struct TensorOptions {
  TensorOptions();
  TensorOptions(ScalarType);
  TensorOptions(DeviceType);
  TensorOptions(Device);
  TensorOptions dtype(ScalarType) const PLUMBLINE_HOST("options-dtype");
  TensorOptions device(Device) const PLUMBLINE_HOST("options-device");
  TensorOptions device(DeviceType) const PLUMBLINE_HOST("options-device");
  TensorOptions device(DeviceType, int) const PLUMBLINE_HOST("options-device");
  TensorOptions requires_grad(bool) const PLUMBLINE_HOST("options-same");
  TensorOptions memory_format(MemoryFormat) const;
};
} // namespace c10

namespace at {
using namespace c10;

class Scalar {
public:
  Scalar(bool);
  Scalar(int);
  Scalar(unsigned);
  Scalar(long);
  Scalar(unsigned long);
  Scalar(long long);
  Scalar(double);
  Scalar(float);
};

class Tensor;

namespace indexing {
struct Slice {
  Slice();
  Slice(int64_t);
  Slice(int64_t, int64_t, int64_t = 1);
};
enum class EllipsisIndexType { Ellipsis };
constexpr EllipsisIndexType Ellipsis = EllipsisIndexType::Ellipsis;
struct TensorIndex {
  TensorIndex(nullopt_t);
  TensorIndex(EllipsisIndexType);
  TensorIndex(Slice);
  TensorIndex(int64_t);
  TensorIndex(const Tensor&);
};
constexpr nullopt_t None{};
} // namespace indexing

// Any argument of a function that stays torch's.
struct TorchArgument {
  TorchArgument();
  TorchArgument(const Tensor&);
  TorchArgument(const std::optional<Tensor>&);
  TorchArgument(nullopt_t);
  TorchArgument(bool);
  TorchArgument(int);
  TorchArgument(unsigned);
  TorchArgument(long);
  TorchArgument(unsigned long);
  TorchArgument(long long);
  TorchArgument(double);
  TorchArgument(float);
  TorchArgument(Scalar);
  TorchArgument(const char*);
  TorchArgument(ScalarType);
  TorchArgument(DeviceType);
  TorchArgument(Device);
  TorchArgument(const TensorOptions&);
  TorchArgument(IntArrayRef);
  TorchArgument(const std::vector<int64_t>&);
  TorchArgument(const std::vector<Tensor>&);
  TorchArgument(std::initializer_list<int64_t>);
  TorchArgument(std::initializer_list<Tensor>);
  TorchArgument(std::initializer_list<indexing::TensorIndex>);
};

class Tensor {
public:
  Tensor();
  Tensor(const Tensor&);
  Tensor(Tensor&&);
  Tensor& operator=(const Tensor&);
  Tensor& operator=(Tensor&&);
  ~Tensor();
  int64_t numel() const PLUMBLINE_HOST("numel");
  int64_t size(int64_t) const PLUMBLINE_HOST("size");
  int64_t dim() const PLUMBLINE_HOST("dim");
  int64_t ndimension() const PLUMBLINE_HOST("dim");
  IntArrayRef sizes() const PLUMBLINE_HOST("sizes");
  int64_t stride(int64_t) const PLUMBLINE_HOST("unknown");
  IntArrayRef strides() const PLUMBLINE_HOST("unknown");
  TensorOptions options() const PLUMBLINE_HOST("options");
  ScalarType scalar_type() const PLUMBLINE_HOST("dtype");
  ScalarType dtype() const PLUMBLINE_HOST("dtype");
  ScalarType type() const PLUMBLINE_HOST("dtype");
  Device device() const PLUMBLINE_HOST("device");
  int64_t get_device() const PLUMBLINE_HOST("device");
  bool is_cuda() const PLUMBLINE_HOST("always-true");
  bool is_contiguous() const PLUMBLINE_HOST("is-contiguous");
  // Says nothing about row-major order, which is what kernels are read in: a check of it is not understood.
  bool is_contiguous(MemoryFormat) const PLUMBLINE_HOST("unknown");
  bool is_floating_point() const PLUMBLINE_HOST("is-floating");
  bool defined() const PLUMBLINE_HOST("defined");
  bool requires_grad() const PLUMBLINE_HOST("unknown");
  Tensor contiguous() const PLUMBLINE_HOST("contiguous");
  Tensor contiguous(MemoryFormat) const PLUMBLINE_HOST("unknown");
  Tensor view(IntArrayRef) const PLUMBLINE_HOST("viewed");
  Tensor reshape(IntArrayRef) const PLUMBLINE_HOST("viewed");
  Tensor view_as(const Tensor&) const PLUMBLINE_HOST("viewed");
  Tensor reshape_as(const Tensor&) const PLUMBLINE_HOST("viewed");
  Tensor flatten(int64_t = 0, int64_t = -1) const PLUMBLINE_HOST("viewed");
  Tensor unsqueeze(int64_t) const PLUMBLINE_HOST("viewed");
  Tensor to(TorchArgument, TorchArgument = {}, TorchArgument = {}) const PLUMBLINE_HOST("moved");
  Tensor cuda() const PLUMBLINE_HOST("moved");
#include "torch_methods.h"
  template <class T> T item() const PLUMBLINE_HOST("unknown");
  template <class T> T* data_ptr() const PLUMBLINE_HOST("data");
  template <class T> T* mutable_data_ptr() const PLUMBLINE_HOST("data");
  template <class T> const T* const_data_ptr() const PLUMBLINE_HOST("data");
  template <class T> T* data() const PLUMBLINE_HOST("data");
  void* data_ptr() const PLUMBLINE_HOST("data");
  void* mutable_data_ptr() const PLUMBLINE_HOST("data");
  const void* const_data_ptr() const PLUMBLINE_HOST("data");
};

Tensor empty_like(const Tensor&) PLUMBLINE_HOST("empty-like");
Tensor empty_like(const Tensor&, const TensorOptions&) PLUMBLINE_HOST("empty-like");
Tensor zeros_like(const Tensor&) PLUMBLINE_HOST("zeros-like");
Tensor zeros_like(const Tensor&, const TensorOptions&) PLUMBLINE_HOST("zeros-like");
Tensor empty(IntArrayRef, const TensorOptions& = {}) PLUMBLINE_HOST("empty");
Tensor zeros(IntArrayRef, const TensorOptions& = {}) PLUMBLINE_HOST("zeros");
#include "torch_functions.h"
template <class T> T ceil_div(T a, T b) PLUMBLINE_HOST("ceil-div");

std::optional<Device> device_of(const Tensor&) PLUMBLINE_HOST("device");

struct DeviceGuard {
  explicit DeviceGuard(Device);
};
namespace cuda {
struct CUDAStream {
  operator cudaStream_t() const PLUMBLINE_HOST("ignored");
  cudaStream_t stream() const PLUMBLINE_HOST("ignored");
  void synchronize() const PLUMBLINE_HOST("ignored");
};
CUDAStream getCurrentCUDAStream(int64_t = -1) PLUMBLINE_HOST("ignored");
CUDAStream getDefaultCUDAStream(int64_t = -1) PLUMBLINE_HOST("ignored");
cublasHandle_t getCurrentCUDABlasHandle() PLUMBLINE_HOST("ignored");
template <class T> T ATenCeilDiv(T a, T b) PLUMBLINE_HOST("ceil-div");
struct CUDAGuard {
  explicit CUDAGuard(Device);
  explicit CUDAGuard(int64_t);
};
struct OptionalCUDAGuard {
  explicit OptionalCUDAGuard(std::optional<Device>);
  explicit OptionalCUDAGuard(Device);
};
} // namespace cuda
using OptionalDeviceGuard = cuda::OptionalCUDAGuard;
inline TensorOptions dtype(ScalarType) PLUMBLINE_HOST("options-new");
inline TensorOptions device(Device) PLUMBLINE_HOST("options-new");
} // namespace at

namespace c10 {
using at::Scalar;
namespace cuda {
using at::cuda::CUDAGuard;
using at::cuda::CUDAStream;
using at::cuda::getCurrentCUDAStream;
using at::cuda::getDefaultCUDAStream;
using at::cuda::OptionalCUDAGuard;
} // namespace cuda
} // namespace c10

namespace torch {
using namespace at;
using at::Tensor;
using Dtype = c10::ScalarType;
} // namespace torch

// The message is kept as text: it is computed where the check fails.
void plumblineCheck(bool condition, const char* text, const char* message) PLUMBLINE_HOST("check");
void plumblineThrow(const char* message) PLUMBLINE_HOST("throws");
template <class... A> void plumblineWarn(const A&...) PLUMBLINE_HOST("ignored");
template <class F>
PLUMBLINE_HOST("dispatch")
void plumblineDispatch(c10::ScalarType, const char*, const F&) {}

#define TORCH_CHECK(condition, ...) ::plumblineCheck(static_cast<bool>(condition), #condition, #__VA_ARGS__)
#define TORCH_INTERNAL_ASSERT(condition, ...) ::plumblineCheck(static_cast<bool>(condition), #condition, #__VA_ARGS__)
#define TORCH_CHECK_EQ(a, b) ::plumblineCheck(static_cast<bool>((a) == (b)), #a " == " #b, "")
#define AT_ASSERTM(condition, ...) ::plumblineCheck(static_cast<bool>(condition), #condition, #__VA_ARGS__)
#define AT_ASSERT(condition, ...) ::plumblineCheck(static_cast<bool>(condition), #condition, #__VA_ARGS__)
#define AT_CHECK(condition, ...) ::plumblineCheck(static_cast<bool>(condition), #condition, #__VA_ARGS__)
#define AT_ERROR(...) ::plumblineThrow(#__VA_ARGS__)
#define TORCH_WARN(...) ::plumblineWarn(__VA_ARGS__)
#define C10_CUDA_CHECK(expression) static_cast<void>(expression)
#define AT_CUDA_CHECK(expression) static_cast<void>(expression)
#define C10_CUDA_KERNEL_LAUNCH_CHECK() static_cast<void>(0)
#define TORCH_CUDA_KERNEL_LAUNCH_CHECK() static_cast<void>(0)
#define TORCH_EXTENSION_NAME plumbline_extension
#define TORCH_API
#define C10_EXPORT

// The binary32 instance is the one that is read.
#define PLUMBLINE_DISPATCH(macro, type, ...)                                                                 \
  {                                                                                                          \
    using scalar_t [[maybe_unused]] = float;                                                                 \
    ::plumblineDispatch(type, macro, __VA_ARGS__);                                                           \
  }
#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                                                          \
  PLUMBLINE_DISPATCH("AT_DISPATCH_FLOATING_TYPES", type, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...)                                                 \
  PLUMBLINE_DISPATCH("AT_DISPATCH_FLOATING_TYPES_AND_HALF", type, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES(type, name, ...) PLUMBLINE_DISPATCH("AT_DISPATCH_ALL_TYPES", type, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND(t0, type, name, ...)                                                  \
  PLUMBLINE_DISPATCH("AT_DISPATCH_FLOATING_TYPES_AND", type, __VA_ARGS__)
#define AT_DISPATCH_FLOATING_TYPES_AND2(t0, t1, type, name, ...)                                             \
  PLUMBLINE_DISPATCH("AT_DISPATCH_FLOATING_TYPES_AND2", type, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND(t0, type, name, ...)                                                       \
  PLUMBLINE_DISPATCH("AT_DISPATCH_ALL_TYPES_AND", type, __VA_ARGS__)
#define AT_DISPATCH_ALL_TYPES_AND2(t0, t1, type, name, ...)                                                  \
  PLUMBLINE_DISPATCH("AT_DISPATCH_ALL_TYPES_AND2", type, __VA_ARGS__)

namespace pybind11 {
struct arg {
  explicit arg(const char*);
  template <class T> arg operator=(const T&);
};
struct module_ {
  template <class F, class... Extra> module_& def(const char*, F, const Extra&...);
};
} // namespace pybind11
namespace py = pybind11;
#define PYBIND11_MODULE(name, variable) static void plumblineBindings(pybind11::module_& variable)

namespace torch {
struct Library {
  template <class... A> Library& def(A&&...);
  template <class... A> Library& impl(A&&...);
};
} // namespace torch
#define TORCH_LIBRARY(name, variable) static void plumblineLibrary_##name(torch::Library& variable)
#define TORCH_LIBRARY_IMPL(name, key, variable)                                                              \
  static void plumblineLibrary_##name##key(torch::Library& variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) static void plumblineFragment_##name(torch::Library& variable)
