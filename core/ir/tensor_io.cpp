#include "core/ir/tensor_io.h"

#include <algorithm>
#include <charconv>

namespace plumbline::ir {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 40;

struct DtypeName {
  ScalarType type;
  std::string_view name;
};
constexpr std::array<DtypeName, 13> kDtypes = {{{ScalarType::Bool, "bool"},
                                                {ScalarType::I8, "int8"},
                                                {ScalarType::U8, "uint8"},
                                                {ScalarType::I16, "int16"},
                                                {ScalarType::U16, "uint16"},
                                                {ScalarType::I32, "int32"},
                                                {ScalarType::U32, "uint32"},
                                                {ScalarType::I64, "int64"},
                                                {ScalarType::U64, "uint64"},
                                                {ScalarType::F32, "float32"},
                                                {ScalarType::F64, "float64"},
                                                {ScalarType::F16, "float16"},
                                                {ScalarType::BF16, "bfloat16"}}};

uint64_t maskOf(ScalarType type) {
  const int width = bitWidth(type);
  return width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

tl::unexpected<Error> bad(const std::string& name, const std::string& what) {
  return fail(ErrorKind::File, "tensor-json", "tensor " + name + ": " + what,
              "write {\"shape\": [..], \"dtype\": \"float32\", \"bits\": [..]}");
}

/// The pattern that one entry of "bits" names; nothing when it does not fit the type.
std::optional<uint64_t> patternFromJson(const Json& entry, ScalarType type) {
  const uint64_t mask = maskOf(type);
  uint64_t pattern = 0;
  if (entry.is_number_unsigned()) {
    pattern = entry.get<uint64_t>();
  } else if (entry.is_number_integer()) {
    const auto value = entry.get<int64_t>();
    if (value < 0 && (!isSigned(type) || value < -static_cast<int64_t>(mask / 2) - 1))
      return std::nullopt;
    return static_cast<uint64_t>(value) & mask;
  } else if (entry.is_string()) {
    const auto& text = entry.get_ref<const std::string&>();
    const char* end = text.data() + text.size();
    if (!text.starts_with("0x"))
      return std::nullopt;
    auto [stopped, code] = std::from_chars(text.data() + 2, end, pattern, 16);
    if (code != std::errc() || stopped != end)
      return std::nullopt;
  } else {
    return std::nullopt;
  }
  return pattern <= mask ? std::optional<uint64_t>(pattern) : std::nullopt;
}

Expected<std::vector<int64_t>> shapeFromJson(const std::string& name, const Json& json) {
  std::vector<int64_t> shape;
  auto found = json.find("shape");
  if (found == json.end() || !found->is_array())
    return bad(name, "no shape");
  for (const Json& size : *found) {
    if (!size.is_number_integer())
      return bad(name, "a size is not an integer");
    shape.push_back(size.get<int64_t>());
  }
  return shape;
}

Expected<TensorFile> readNpyFolder(const std::filesystem::path& folder) {
  TensorFile file;
  std::error_code code;
  for (std::filesystem::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (entry->path().extension() != ".npy")
      continue;
    Expected<std::string> content = readFile(entry->path());
    Expected<Tensor> tensor = content.and_then(
        [&](const std::string& text) { return tensorFromNpy(text, entry->path().string()); });
    if (!tensor)
      return fail(tensor.error());
    file.tensors.emplace(entry->path().stem().string(), std::move(*tensor));
  }
  if (code)
    return fail(ErrorKind::File, "file-unreadable", "cannot read the folder " + folder.string(),
                "check its permissions");
  if (file.tensors.empty())
    return fail(ErrorKind::File, "npy-none", "no .npy file in " + folder.string(),
                "name a folder that has some");
  return file;
}

} // namespace

std::string_view dtypeName(ScalarType type) {
  for (const DtypeName& row : kDtypes)
    if (row.type == type)
      return row.name;
  return {};
}

std::optional<ScalarType> typeFromDtype(std::string_view dtype) {
  for (const DtypeName& row : kDtypes)
    if (row.name == dtype)
      return row.type;
  return std::nullopt;
}

std::optional<int64_t> elementCount(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  if (std::any_of(shape.begin(), shape.end(), [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count) || count > kMostElements)
      return std::nullopt;
  return count;
}

Json toJson(const Tensor& tensor) {
  return {{"shape", tensor.shape}, {"dtype", dtypeName(tensor.type)}, {"bits", tensor.bits}};
}

Expected<Tensor> tensorFromJson(const std::string& name, const Json& json) {
  if (!json.is_object())
    return bad(name, "not an object");
  Tensor tensor;
  auto dtype = json.find("dtype");
  std::optional<ScalarType> type =
      dtype != json.end() && dtype->is_string() ? typeFromDtype(dtype->get<std::string>()) : std::nullopt;
  if (!type)
    return bad(name, "no known dtype");
  tensor.type = *type;
  Expected<std::vector<int64_t>> shape = shapeFromJson(name, json);
  if (!shape)
    return fail(shape.error());
  tensor.shape = std::move(*shape);
  auto bits = json.find("bits");
  if (bits == json.end() || !bits->is_array())
    return bad(name, "no bits");
  for (const Json& entry : *bits) {
    std::optional<uint64_t> pattern = patternFromJson(entry, tensor.type);
    if (!pattern)
      return bad(name, entry.dump() + " is no bit pattern of " + std::string(dtypeName(tensor.type)));
    tensor.bits.push_back(*pattern);
  }
  if (elementCount(tensor.shape) != static_cast<int64_t>(tensor.bits.size()))
    return bad(name, "the shape does not have " + std::to_string(tensor.bits.size()) + " elements");
  return tensor;
}

Expected<TensorFile> tensorsFromJson(const Json& json) {
  TensorFile file;
  if (!json.is_object())
    return bad("file", "not an object of tensors");
  for (const auto& [name, value] : json.items()) {
    if (name == "symbols" && value.is_object() && !value.contains("dtype")) {
      for (const auto& [symbol, size] : value.items()) {
        if (!size.is_number_integer())
          return bad("symbols", symbol + " is not an integer");
        file.symbols[symbol] = size.get<int64_t>();
      }
      continue;
    }
    Expected<Tensor> tensor = tensorFromJson(name, value);
    if (!tensor)
      return fail(tensor.error());
    file.tensors.emplace(name, std::move(*tensor));
  }
  return file;
}

Expected<TensorFile> readTensors(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return readNpyFolder(path);
  Expected<std::string> content = readFile(path);
  if (!content)
    return fail(content.error());
  Expected<Json> json = parseJson(*content, path.string());
  return json ? tensorsFromJson(*json) : fail(json.error());
}

Expected<void> writeNpyFolder(const std::filesystem::path& folder, const Tensors& tensors) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  for (const auto& [name, tensor] : tensors)
    if (tensor.type == ScalarType::BF16)
      return fail(ErrorKind::Usage, "npy-unsupported", name + " holds bfloat16, which NumPy does not have",
                  "write JSON instead of .npy");
    else if (Expected<void> written = writeFile(folder / (name + ".npy"), toNpy(tensor)); !written)
      return written;
  return {};
}

} // namespace plumbline::ir
