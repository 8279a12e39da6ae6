#include "reconciler/kube/kube_api.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::reconciler::kube {
namespace {

constexpr int kPageSize = 500;
constexpr std::size_t kMaxQuoted = 200;

std::string selector(std::string_view fields) {
  return fields.empty() ? std::string{} : "&fieldSelector=" + percent_encode(fields);
}

Code code_of(long status) {
  switch (status) {
    case 400:
    case 422:
      return Code::kInvalidArgument;
    case 401:
    case 403:
      return Code::kPermissionDenied;
    case 404:
      return Code::kNotFound;
    case 409:
      return Code::kAborted;
    case 410:
      return Code::kOutOfRange;
    default:
      return Code::kUnavailable;
  }
}

}  // namespace

std::string percent_encode(std::string_view text) {
  const std::string copy{text};
  // libcurl takes the length 0 for "measure it".
  const UniqueC<char, &curl_free> encoded{
      curl_easy_escape(nullptr, copy.c_str(), static_cast<int>(copy.size()))};
  if (!encoded) std::abort();  // Out of memory.
  return encoded.get();
}

std::string list_path(std::string_view collection, std::string_view field_selector,
                      std::string_view continuation) {
  std::string path = fmt::format("{}?limit={}{}", collection, kPageSize, selector(field_selector));
  if (!continuation.empty()) path += "&continue=" + percent_encode(continuation);
  return path;
}

std::string watch_path(std::string_view collection, std::string_view field_selector,
                       std::string_view resource_version, long seconds) {
  return fmt::format(
      "{}?watch=true&allowWatchBookmarks=true&resourceVersion={}&timeoutSeconds={}{}", collection,
      percent_encode(resource_version), seconds, selector(field_selector));
}

std::string volumes_path(Group group) {
  return fmt::format("/apis/{}/{}/logicalvolumes", to_string(group), kVersion);
}

std::string object_path(const Key& key) {
  return fmt::format("{}/{}", volumes_path(key.group), percent_encode(key.name));
}

std::string status_path(const Key& key) { return object_path(key) + "/status"; }

std::string backup_locations_path(std::string_view namespace_name) {
  return fmt::format("/apis/topolvm.io/v1/namespaces/{}/snapshotbackupstorages",
                     percent_encode(namespace_name));
}

std::string backup_location_path(const LocationName& name) {
  return fmt::format("{}/{}", backup_locations_path(name.namespace_name),
                     percent_encode(name.name));
}

std::optional<Error> error_of(long status, std::string_view body) {
  if (status >= 200 && status < 300) return std::nullopt;
  const auto parsed = nlohmann::json::parse(body, nullptr, false);
  std::string reason{body.substr(0, kMaxQuoted)};
  if (parsed.is_object() && parsed.contains("message") && parsed["message"].is_string())
    reason = parsed["message"].get<std::string>();
  return make_error(code_of(status), "API server: HTTP {}: {}", status, reason);
}

Result<std::string> body_of(Result<HttpResponse> response) {
  if (!response) return std::unexpected(std::move(response.error()));
  if (auto error = error_of(response->status, response->body))
    return std::unexpected(std::move(*error));
  return std::move(response->body);
}

}  // namespace lvmd::reconciler::kube
