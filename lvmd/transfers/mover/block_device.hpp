// A volume's blocks, written from a stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/block_stream.hpp"

namespace lvmd::transfers::mover {

// What the stream has no blocks for becomes zeros where it isn't: written only there, so that what
// has never been written stays a hole. The first and the last MiB are written last: until then the
// volume counts as blank, and whoever is interrupted can begin again.
class BlockDevice : public BlockTarget {
 public:
  // Opened exclusively. `pulse` is called with the offset reached, at least once for each MiB; an
  // Error of it ends the writing.
  [[nodiscard]] static Result<std::unique_ptr<BlockDevice>> open(
      const std::string& path, std::function<Status(std::uint64_t)> pulse);

  // OutOfRange when it is smaller than the stream's device.
  [[nodiscard]] Status begin(std::uint64_t device_size) override;
  [[nodiscard]] Status write(std::uint64_t offset, std::string_view bytes) override;
  // After the stream's end. Everything has reached the device.
  [[nodiscard]] Status finish();

 private:
  BlockDevice(UniqueFd fd, std::string path, std::uint64_t size,
              std::function<Status(std::uint64_t)> pulse);

  [[nodiscard]] Status zero_up_to(std::uint64_t offset);
  // Into the device, or into what is kept of the edges.
  [[nodiscard]] Status put(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] Status put_now(std::uint64_t offset, std::string_view bytes);

  UniqueFd fd_;
  std::string path_;
  std::uint64_t size_;
  std::function<Status(std::uint64_t)> pulse_;
  std::uint64_t stream_size_ = 0;
  std::uint64_t offset_ = 0;
  // The edges: from 0, and from tail_offset_ to the device's end.
  std::string head_;
  std::string tail_;
  std::uint64_t tail_offset_;
};

// `count` bytes from `offset`, or fewer at the device's end.
[[nodiscard]] Result<std::string> read_blocks(int fd, const std::string& path, std::uint64_t offset,
                                              std::size_t count);

}  // namespace lvmd::transfers::mover
