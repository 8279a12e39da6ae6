// lvmd.yaml is a configuration or findings, whatever its text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lvmd/config/config_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  const auto parsed = lvmd::config::parse_config(text, "fuzz.yaml");
  if (!parsed && parsed.error().message.empty()) std::abort();
  return 0;
}
