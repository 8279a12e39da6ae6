// A file of manifests is objects or a problem with a reason, never something in between.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reconciler/directory/manifest.hpp"

using namespace lvmd::reconciler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text{reinterpret_cast<const char*>(data), size};
  const auto parsed = directory::parse_manifest_file("fuzz.yaml", text);
  if (!parsed) {
    if (parsed.error().message.empty()) std::abort();
    return 0;
  }
  for (const directory::Manifest& manifest : parsed->manifests)
    if (!directory::is_valid_name(manifest.object.key)) std::abort();
  return 0;
}
