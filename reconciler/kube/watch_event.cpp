#include "reconciler/kube/watch_event.hpp"

#include <optional>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxQuotedLine = 200;

Error error_event(const json& object) {
  const auto code = object.find("code");
  const long status = code != object.end() && code->is_number_integer() ? code->get<long>() : 500;
  // An ERROR event whose status is a success has no usable error.
  return error_of(status, object.dump())
      .value_or(make_error(Code::kUnavailable, "the watch ended with an error"));
}

std::optional<WatchEvent::Kind> kind_of(std::string_view type) {
  if (type == "ADDED" || type == "MODIFIED") return WatchEvent::Kind::kUpserted;
  if (type == "DELETED") return WatchEvent::Kind::kDeleted;
  if (type == "BOOKMARK") return WatchEvent::Kind::kBookmark;
  return std::nullopt;
}

}  // namespace

Result<ListPage> parse_list(std::string_view text) {
  json list = json::parse(text, nullptr, false);
  if (!member(list, "items").is_array())
    return fail(Code::kUnavailable, "the API server's response is not a list");
  const json& metadata = member(list, "metadata");
  ListPage page{.items = {},
                .resource_version = string_member(metadata, "resourceVersion"),
                .continuation = string_member(metadata, "continue")};
  page.items = std::move(list["items"]);
  return page;
}

Result<WatchEvent> parse_watch_event(std::string_view line) {
  json event = json::parse(line, nullptr, false);
  const std::string type = string_member(event, "type");
  const json& object = member(event, "object");
  if (type == "ERROR" && object.is_object()) return std::unexpected(error_event(object));
  const auto kind = kind_of(type);
  WatchEvent read{.kind = kind.value_or(WatchEvent::Kind::kBookmark),
                  .resource_version = string_member(member(object, "metadata"), "resourceVersion"),
                  .object = {}};
  if (!kind || read.resource_version.empty())
    return fail(Code::kUnavailable, "the API server sent a line that is not a watch event: {}",
                line.substr(0, kMaxQuotedLine));
  read.object = std::move(event["object"]);
  return read;
}

}  // namespace lvmd::reconciler::kube
