#include "tests/differential/kernel/case_file.h"

#include <algorithm>
#include <sstream>

namespace plumbline::differential {
namespace {

const std::vector<uint64_t> kSpecial32 = {
    0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x3f800000,
    0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f7fffff,
    0x3f800001, 0x40c00000, 0x33800000, 0x4b000000, 0xcb000001, 0x3e99999a, 0x3c23d70a, 0x7effffff};
const std::vector<uint64_t> kSpecial64 = {0x7ff8000000000000,
                                          0x7ff0000000000000,
                                          0xfff0000000000000,
                                          0,
                                          0x8000000000000000,
                                          0x3ff0000000000000,
                                          1,
                                          0x000fffffffffffff,
                                          0x7fefffffffffffff,
                                          0x47efffffe0000000,
                                          0x36a0000000000000,
                                          0x3690000000000001,
                                          0x47efffffefffffff,
                                          0x3fb999999999999a};

uint64_t randomFloat(bool narrow, std::mt19937_64& random) {
  if (random() % 2 == 0)
    return narrow ? random() & 0xFFFFFFFF : random();
  const double moderate = static_cast<double>(static_cast<int64_t>(random() % 2000001) - 1000000) / 16384.0;
  return narrow ? std::bit_cast<uint32_t>(static_cast<float>(moderate)) : std::bit_cast<uint64_t>(moderate);
}

uint64_t randomInteger(const CaseFile& test, const std::string& buffer, ir::ScalarType type,
                       std::mt19937_64& random) {
  const int width = ir::bitWidth(type);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  const Json values = test.description.value("values", Json::object());
  if (!values.contains(buffer))
    return random() & mask;
  const auto low = values[buffer][0].get<int64_t>();
  const auto high = values[buffer][1].get<int64_t>();
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  const uint64_t edge[] = {static_cast<uint64_t>(low), static_cast<uint64_t>(high), 0};
  const uint64_t choice = random() % 8;
  if (choice < 2)
    return edge[choice] & mask;
  return (static_cast<uint64_t>(low) + random() % span) & mask;
}

} // namespace

Expected<CaseFile> readCase(const std::filesystem::path& path) {
  Expected<std::string> source = readFile(path);
  if (!source)
    return fail(source.error());
  std::istringstream lines(*source);
  std::string description;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("//!"))
      description += line.substr(3) + "\n";
  Expected<Json> json = parseJson(description, path.filename().string());
  if (!json)
    return fail(json.error());
  return CaseFile{path.stem().string(), std::move(*source), std::move(*json)};
}

std::vector<std::string> caseNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_CASES))
    if (entry.path().extension() == ".cu")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<uint64_t> makeContents(const CaseFile& test, const std::string& buffer, ir::ScalarType type,
                                   int64_t length, std::mt19937_64& random) {
  std::vector<uint64_t> bits(static_cast<size_t>(length));
  const bool narrow = type == ir::ScalarType::F32;
  std::vector<uint64_t> special = narrow ? kSpecial32 : kSpecial64;
  std::shuffle(special.begin(), special.end(), random);
  for (size_t i = 0; i < bits.size(); ++i) {
    if (!ir::isFloat(type))
      bits[i] = randomInteger(test, buffer, type, random);
    else if (i < special.size())
      bits[i] = special[i];
    else
      bits[i] = random() % 8 == 0 ? special[random() % special.size()] : randomFloat(narrow, random);
  }
  return bits;
}

} // namespace plumbline::differential
