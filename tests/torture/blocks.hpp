// Known content of a volume: blocks of 4 KiB that say who wrote them, when, and where.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace lvmd::torture {

inline constexpr std::int64_t kBlockBytes = 4096;

// Writes `bytes` (whole blocks) at `offset` past the page cache and flushes the device. 0 or errno.
int write_blocks(const std::string& device, std::int64_t offset, std::int64_t bytes,
                 const std::string& birth, std::int64_t sequence);

struct BlocksRead {
  int error = 0;
  // How many blocks have which content: "BIRTH/SEQUENCE" of a block that is whole and where it was
  // written, "zeros", or "other: …" with how the block begins.
  std::map<std::string, std::int64_t> contents;
};

// Reads past the page cache.
BlocksRead read_blocks(const std::string& device, std::int64_t offset, std::int64_t bytes);

}  // namespace lvmd::torture
