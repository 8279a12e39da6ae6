// A watch stream in pieces gives the same lines as in one, and each line is an event or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "reconciler/kube/line_splitter.hpp"
#include "reconciler/kube/watch_event.hpp"

using namespace lvmd::reconciler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte is the length of the pieces.
  const std::size_t length = std::size_t{data[0]} + 1;
  const std::string_view stream{reinterpret_cast<const char*>(data + 1), size - 1};
  kube::LineSplitter whole;
  const std::vector<std::string> lines = whole.feed(stream);
  kube::LineSplitter splitter;
  std::vector<std::string> pieced;
  for (std::size_t at = 0; at < stream.size(); at += length)
    for (std::string& line : splitter.feed(stream.substr(at, length)))
      pieced.push_back(std::move(line));
  if (lines != pieced) std::abort();
  for (const std::string& line : lines) static_cast<void>(kube::parse_watch_event(line));
  return 0;
}
