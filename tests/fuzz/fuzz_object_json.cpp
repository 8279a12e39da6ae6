// Whatever the API server answers as an object, a list or a failure, the patches that follow from
// it are JSON.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/object_json.hpp"
#include "reconciler/kube/patch_json.hpp"
#include "reconciler/kube/watch_event.hpp"

using namespace lvmd::reconciler;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (const auto object = kube::parse_object(Group::kTopolvm, text)) {
    if (object->key.name.empty() || object->uid.empty()) std::abort();
    for (const auto& patch :
         {kube::finalizer_patch(*object), kube::finalizer_removal_patch(*object),
          kube::status_patch(*object, object->status)})
      if (!nlohmann::json::accept(patch)) std::abort();
  }
  static_cast<void>(kube::parse_list(text));
  static_cast<void>(kube::error_of(500, text));
  return 0;
}
