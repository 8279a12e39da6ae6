// Physical volumes made of plain files, byte for byte as LVM lays them out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/metadata/disk_layout.hpp"

namespace lvmd::metadata::test {

// A folder of its own, removed with the object. In the working directory, because O_DIRECT needs a
// real file system, which /tmp often isn't.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The four sectors in which a label may be, with one in sector `number`.
[[nodiscard]] std::string label_sectors(std::string_view pv_id,
                                        const std::vector<DiskRange>& metadata_areas,
                                        std::size_t number = 1);

// `flags` are those of slot 0. A text of size 0 gives a header without text.
[[nodiscard]] std::string mda_header(const DiskRange& area, const TextLocation& text,
                                     std::uint32_t flags = 0);

// Recomputes the checksum of a label in `sector` or of an area's header.
void seal_label(std::string& sector);
void seal_header(std::string& sector);

void put_number(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size);

// A physical volume of 1 MiB with one or two metadata areas of 64 KiB.
class PvImage {
 public:
  static constexpr DiskRange kFirstArea{.offset = 4096, .size = 65536};
  static constexpr DiskRange kSecondArea{.offset = 524288, .size = 65536};

  PvImage(std::string path, std::string_view pv_id, std::vector<DiskRange> areas = {kFirstArea});

  [[nodiscard]] const std::string& path() const { return path_; }

  // Writes the text (and a final NUL, as LVM does) at `offset` of the area, going on behind the
  // header at the area's end, and then the header.
  void commit(std::string_view text, std::size_t area = 0, std::uint64_t offset = 512,
              std::uint32_t flags = 0);
  void overwrite(std::uint64_t at, std::string_view bytes);

 private:
  std::string path_;
  std::vector<DiskRange> areas_;
};

}  // namespace lvmd::metadata::test
