#include "tests/unit/metadata/pv_image.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "lvmd/metadata/crc.hpp"

namespace lvmd::metadata::test {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::current_path() / "scratch-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error{"mkdtemp " + name};
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void put_number(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    bytes.at(at + i) = static_cast<char>((value >> (8 * i)) & 0xffU);
}

void seal_label(std::string& sector) {
  put_number(sector, 16, crc(std::string_view{sector}.substr(20)), 4);
}

void seal_header(std::string& sector) {
  put_number(sector, 0, crc(std::string_view{sector}.substr(4)), 4);
}

std::string label_sectors(std::string_view pv_id, const std::vector<DiskRange>& metadata_areas,
                          std::size_t number) {
  std::string sector(512, '\0');
  sector.replace(0, 8, "LABELONE");
  put_number(sector, 8, number, 8);
  put_number(sector, 20, 32, 4);
  sector.replace(24, 8, "LVM2 001");
  sector.replace(32, pv_id.size(), pv_id);
  put_number(sector, 64, 1U << 20U, 8);
  // One data area, then the end of its list.
  put_number(sector, 72, 131072, 8);
  std::size_t at = 72 + 32;
  for (const DiskRange& area : metadata_areas) {
    put_number(sector, at, area.offset, 8);
    put_number(sector, at + 8, area.size, 8);
    at += 16;
  }
  seal_label(sector);
  std::string sectors(2048, '\0');
  return sectors.replace(number * 512, 512, sector);
}

std::string mda_header(const DiskRange& area, const TextLocation& text, std::uint32_t flags) {
  std::string sector(512, '\0');
  sector.replace(4, 16, " LVM2 x[5A%r0N*>");
  put_number(sector, 20, 1, 4);
  put_number(sector, 24, area.offset, 8);
  put_number(sector, 32, area.size, 8);
  if (text.size > 0) {
    put_number(sector, 40, text.offset, 8);
    put_number(sector, 48, text.size, 8);
    put_number(sector, 56, text.checksum, 4);
    put_number(sector, 60, flags, 4);
  }
  seal_header(sector);
  return sector;
}

PvImage::PvImage(std::string path, std::string_view pv_id, std::vector<DiskRange> areas)
    : path_(std::move(path)), areas_(std::move(areas)) {
  std::ofstream{path_, std::ios::binary} << std::string(1U << 20U, '\0');
  overwrite(0, label_sectors(pv_id, areas_));
  for (const DiskRange& area : areas_) overwrite(area.offset, mda_header(area, {}));
}

void PvImage::commit(std::string_view text, std::size_t area, std::uint64_t offset,
                     std::uint32_t flags) {
  const DiskRange& range = areas_.at(area);
  const std::string bytes = std::string{text} + '\0';
  const std::size_t fits = std::min<std::size_t>(bytes.size(), range.size - offset);
  overwrite(range.offset + offset, std::string_view{bytes}.substr(0, fits));
  overwrite(range.offset + 512, std::string_view{bytes}.substr(fits));
  overwrite(
      range.offset,
      mda_header(range, {.offset = offset, .size = bytes.size(), .checksum = crc(bytes)}, flags));
}

void PvImage::overwrite(std::uint64_t at, std::string_view bytes) {
  if (bytes.empty()) return;
  std::fstream file{path_, std::ios::binary | std::ios::in | std::ios::out};
  file.seekp(static_cast<std::streamoff>(at));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw std::runtime_error{"write " + path_};
}

}  // namespace lvmd::metadata::test
