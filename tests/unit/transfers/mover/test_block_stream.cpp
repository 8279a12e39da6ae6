#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/transfers/mover/block_stream.hpp"

using namespace lvmd;
using namespace lvmd::transfers::mover;

namespace {

// Keeps the content of a stream in memory.
class Memory : public BlockTarget {
 public:
  [[nodiscard]] Status begin(std::uint64_t device_size) override {
    content.assign(device_size, '\0');
    return {};
  }
  [[nodiscard]] Status write(std::uint64_t offset, std::string_view bytes) override {
    writes.emplace_back(offset, bytes.size());
    content.replace(offset, bytes.size(), bytes);
    return {};
  }

  std::string content;
  std::vector<std::pair<std::uint64_t, std::size_t>> writes;
};

// A little more than 3 MiB: zeros with a few other blocks.
std::string sample() {
  std::string content((std::size_t{3} << 20U) + 512, '\0');
  content[5] = 'a';
  content[kBlockSize + 7] = 'b';
  content[(std::size_t{1} << 20U) - 1] = 'c';
  content[(std::size_t{1} << 20U)] = 'd';
  content.back() = 'e';
  return content;
}

std::string stream_of(const std::string& content, BlockStreamWriter& writer) {
  std::string stream = writer.header();
  for (std::size_t at = 0; at < content.size(); at += kMaxRun)
    stream += writer.runs(std::string_view{content}.substr(at, kMaxRun));
  return stream + writer.trailer();
}

std::string stream_of(const std::string& content) {
  BlockStreamWriter writer{content.size()};
  return stream_of(content, writer);
}

Status read(const std::string& stream, BlockTarget& target, std::size_t piece = 1U << 20U) {
  BlockStreamReader reader{target};
  for (std::size_t at = 0; at < stream.size(); at += piece)
    if (auto taken = reader.add(std::string_view{stream}.substr(at, piece)); !taken) return taken;
  return reader.finish();
}

}  // namespace

TEST_CASE("blocks return at their offsets for all sizes of pieces [P-XFER-7]", "[mover]") {
  const std::string content = sample();
  const std::string stream = stream_of(content);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{1000}, stream.size()}) {
    Memory memory;
    REQUIRE(read(stream, memory, piece));
    CHECK(memory.content == content);
  }
}

TEST_CASE("the stream contains only blocks that are not zeros [P-XFER-7]", "[mover]") {
  Memory memory;
  const std::string stream = stream_of(sample());
  REQUIRE(read(stream, memory));
  CHECK(memory.writes == std::vector<std::pair<std::uint64_t, std::size_t>>{
                             {0, 2 * kBlockSize},
                             {(std::size_t{1} << 20U) - kBlockSize, kBlockSize},
                             {std::size_t{1} << 20U, kBlockSize},
                             {std::size_t{3} << 20U, 512}});
  CHECK(stream.size() < 5 * kBlockSize + 1024);
  CHECK(stream_of(std::string(std::size_t{8} << 20U, '\0')).size() == 24 + 16 + 32);
}

TEST_CASE("equal content has equal hashes, different content different ones", "[mover]") {
  std::string content = sample();
  BlockStreamWriter writer{content.size()};
  const std::string stream = stream_of(content, writer);
  Memory memory;
  BlockStreamReader reader{memory};
  REQUIRE(reader.add(stream));
  REQUIRE(reader.finish());
  CHECK(reader.hash() == writer.hash());
  CHECK(reader.device_size() == content.size());
  content[kBlockSize * 40] = 'x';
  BlockStreamWriter other{content.size()};
  static_cast<void>(stream_of(content, other));
  CHECK(other.hash() != writer.hash());
}

TEST_CASE("a stream that is truncated anywhere is damaged", "[mover]") {
  const std::string stream = stream_of(std::string(kBlockSize, 'x'));
  for (std::size_t length = 0; length < stream.size(); length += length < 64 ? 1 : 977) {
    Memory memory;
    const auto result = read(stream.substr(0, length), memory);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == Code::kOutOfRange);
  }
}

TEST_CASE("a stream with a changed byte is damaged", "[mover]") {
  const std::string stream = stream_of(sample());
  std::vector<std::size_t> offsets;
  offsets.reserve(48 + 50 + 1);
  for (std::size_t at = 0; at < 48; ++at) offsets.push_back(at);
  for (std::size_t at = 1; at <= 50; ++at) offsets.push_back(stream.size() - at);
  offsets.push_back(stream.size() / 2);
  for (const std::size_t offset : offsets) {
    // Skips the upper bytes of the device's size: the result would not fit into memory.
    if (offset > 16 && offset < 24) continue;
    std::string changed = stream;
    changed[offset] = static_cast<char>(changed[offset] ^ 0x11);
    Memory memory;
    INFO(offset);
    CHECK_FALSE(read(changed, memory));
  }
}

TEST_CASE("data behind the trailer is damage", "[mover]") {
  Memory memory;
  CHECK_FALSE(read(stream_of(sample()) + "x", memory));
}
