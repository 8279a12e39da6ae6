#include "reconciler/kube/volume_names.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"
#include "reconciler/kube/watch_event.hpp"

namespace lvmd::reconciler::kube {
namespace {

Status add_names(HttpClient& http, Group group, std::set<std::string>& names) {
  std::string continuation;
  do {
    const auto body =
        body_of(http.send({.path = list_path(volumes_path(group), "", continuation)}));
    // A group without a first page has no CRD [R-KUBE-5].
    if (!body && body.error().code == Code::kNotFound && continuation.empty()) return {};
    if (!body) return std::unexpected(body.error());
    auto page = parse_list(*body);
    if (!page) return std::unexpected(std::move(page.error()));
    for (const nlohmann::json& object : page->items) {
      names.insert(string_member(member(object, "metadata"), "uid"));
      names.insert(string_member(member(object, "status"), "volumeID"));
    }
    continuation = std::move(page->continuation);
  } while (!continuation.empty());
  return {};
}

}  // namespace

Result<std::set<std::string>> list_volume_names(HttpClient& http) {
  std::set<std::string> names;
  for (const Group group : {Group::kTopolvm, Group::kLegacy})
    if (auto added = add_names(http, group, names); !added)
      return std::unexpected(std::move(added.error()));
  names.erase("");
  return names;
}

}  // namespace lvmd::reconciler::kube
