#include "lvmd/metadata/disk_layout.hpp"

#include <algorithm>
#include <concepts>

#include "lvmd/metadata/crc.hpp"

namespace lvmd::metadata {
namespace {

constexpr std::string_view kLabelId = "LABELONE";
constexpr std::string_view kLabelType = "LVM2 001";
constexpr std::string_view kMdaMagic{" LVM2 x[5A%r0N*>", 16};
constexpr std::uint32_t kMdaVersion = 1;
constexpr std::size_t kIdLength = 32;
constexpr std::uint32_t kIgnoredFlag = 1;
// A larger text counts as damaged: LVM's areas have a size of megabytes.
constexpr std::uint64_t kMaxTextSize = std::uint64_t{256} << 20U;

// Reads consecutive fields. After the end of the bytes, every field is absent.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::size_t position) : bytes_(bytes), position_(position) {}

  [[nodiscard]] std::optional<std::string_view> take(std::size_t size) {
    if (position_ > bytes_.size() || bytes_.size() - position_ < size) return std::nullopt;
    const std::string_view result = bytes_.substr(position_, size);
    position_ += size;
    return result;
  }

  template <std::unsigned_integral T>
  [[nodiscard]] std::optional<T> number() {
    const auto bytes = take(sizeof(T));
    if (!bytes) return std::nullopt;
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;)
      value = static_cast<T>(value << 8U) | static_cast<unsigned char>((*bytes)[i]);
    return value;
  }

  // A list that ends with an entry of offset 0. Absent if the bytes end before.
  [[nodiscard]] std::optional<std::vector<DiskRange>> ranges() {
    std::vector<DiskRange> result;
    while (true) {
      const auto offset = number<std::uint64_t>();
      const auto size = number<std::uint64_t>();
      if (!offset || !size) return std::nullopt;
      if (*offset == 0) return result;
      result.push_back({.offset = *offset, .size = *size});
    }
  }

 private:
  std::string_view bytes_;
  std::size_t position_;
};

bool is_id_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '!' ||
         c == '#';
}

std::optional<PvLabel> parse_label_sector(std::string_view sector, std::uint64_t number) {
  Cursor header{sector, 0};
  if (header.take(kLabelId.size()) != kLabelId) return std::nullopt;
  if (header.number<std::uint64_t>() != number) return std::nullopt;
  const auto checksum = header.number<std::uint32_t>();
  // The checksum covers all bytes after itself.
  if (checksum != crc(sector.substr(20))) return std::nullopt;
  const auto content = header.number<std::uint32_t>();
  if (!content || header.take(kLabelType.size()) != kLabelType) return std::nullopt;

  Cursor pv{sector, *content};
  const auto id = pv.take(kIdLength);
  const auto device_size = pv.number<std::uint64_t>();
  if (!id || !device_size || !std::ranges::all_of(*id, is_id_character)) return std::nullopt;
  const auto data_areas = pv.ranges();
  auto metadata_areas = pv.ranges();
  if (!data_areas || !metadata_areas) return std::nullopt;
  return PvLabel{.pv_id = std::string{*id}, .metadata_areas = std::move(*metadata_areas)};
}

}  // namespace

Result<PvLabel> parse_label(std::string_view head) {
  for (std::size_t number = 0; (number + 1) * kSector <= std::min(head.size(), kLabelScanSize);
       ++number)
    if (auto label = parse_label_sector(head.substr(number * kSector, kSector), number))
      return *std::move(label);
  return fail(Code::kNotFound, "no intact LVM label");
}

Result<MdaHeader> parse_mda_header(std::string_view sector, std::uint64_t area_offset) {
  const auto damaged = [area_offset](std::string_view what) {
    return fail(Code::kUnavailable, "metadata area at {}: {}", area_offset, what);
  };
  if (sector.size() != kMdaHeaderSize) return damaged("its header is incomplete");
  Cursor header{sector, 0};
  const auto checksum = header.number<std::uint32_t>();
  if (checksum != crc(sector.substr(4))) return damaged("its header has a wrong checksum");
  if (header.take(kMdaMagic.size()) != kMdaMagic) return damaged("its header has no magic");
  if (header.number<std::uint32_t>() != kMdaVersion)
    return damaged("its header has an unknown version");
  if (header.number<std::uint64_t>() != area_offset)
    return damaged("its header belongs to another offset");

  MdaHeader result{.area_size = header.number<std::uint64_t>().value_or(0), .text = std::nullopt};
  // Slot 0 is the committed text. Slot 1 is a precommitted text, which readers ignore.
  const std::uint64_t offset = header.number<std::uint64_t>().value_or(0);
  const std::uint64_t size = header.number<std::uint64_t>().value_or(0);
  const std::uint32_t text_checksum = header.number<std::uint32_t>().value_or(0);
  const std::uint32_t flags = header.number<std::uint32_t>().value_or(0);
  if (offset == 0 || (flags & kIgnoredFlag) != 0) return result;
  if (result.area_size <= kMdaHeaderSize || offset < kMdaHeaderSize || offset >= result.area_size ||
      size == 0 || size > result.area_size - kMdaHeaderSize || size > kMaxTextSize)
    return damaged("its text lies outside the area");
  result.text = TextLocation{.offset = offset, .size = size, .checksum = text_checksum};
  return result;
}

}  // namespace lvmd::metadata
