// Writes a stream of blocks to a volume.
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

// Ranges without blocks in the stream become zeros. Zeros are written only where the device has
// other data, so that blocks that were never written stay unallocated. The first and the last MiB
// are written last: until then the volume counts as blank, and an interrupted restore can be
// repeated.
//
// Not thread-safe.
class BlockDevice : public BlockTarget {
 public:
  // Opens the device exclusively. `on_progress` is called with the current offset at least once for
  // each MiB. An Error that it returns stops the writing.
  [[nodiscard]] static Result<std::unique_ptr<BlockDevice>> open(
      const std::string& path, std::function<Status(std::uint64_t)> on_progress);

  // OutOfRange when the device is smaller than the device of the stream.
  [[nodiscard]] Status begin(std::uint64_t device_size) override;
  [[nodiscard]] Status write(std::uint64_t offset, std::string_view bytes) override;
  // Completes the device after the end of the stream. On success all data has reached the device.
  [[nodiscard]] Status finish();

 private:
  BlockDevice(UniqueFd fd, std::string path, std::uint64_t size,
              std::function<Status(std::uint64_t)> on_progress);

  [[nodiscard]] Status zero_up_to(std::uint64_t offset);
  // Writes into the device or into the buffers of its edges.
  [[nodiscard]] Status put(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] Status put_now(std::uint64_t offset, std::string_view bytes);

  UniqueFd fd_;
  std::string path_;
  std::uint64_t size_;
  std::function<Status(std::uint64_t)> on_progress_;
  std::uint64_t stream_size_ = 0;
  std::uint64_t offset_ = 0;
  // The buffered edges: head_ starts at offset 0, tail_ at tail_offset_ and extends to the end of
  // the device.
  std::string head_;
  std::string tail_;
  std::uint64_t tail_offset_;
};

}  // namespace lvmd::transfers::mover
