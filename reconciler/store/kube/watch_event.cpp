#include "reconciler/store/kube/watch_event.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/store/kube/kube_api.hpp"
#include "reconciler/store/kube/object_json.hpp"

namespace lvmd::reconciler::kube {
namespace {

constexpr std::size_t kMaxQuotedLine = 200;

std::unexpected<Error> not_an_event(std::string_view line) {
  return fail(Code::kUnavailable, "the API server sent no watch event: {}",
              line.substr(0, kMaxQuotedLine));
}

Error error_event(const nlohmann::json& object) {
  const auto code = object.find("code");
  const long status = code != object.end() && code->is_number_integer() ? code->get<long>() : 500;
  // A status that says success in an ERROR event is none.
  return error_of(status, object.dump())
      .value_or(make_error(Code::kUnavailable, "the watch ended with an error"));
}

}  // namespace

Result<WatchEvent> parse_watch_event(Group group, std::string_view line) {
  const auto event = nlohmann::json::parse(line, nullptr, false);
  if (!event.is_object()) return not_an_event(line);
  const auto type_field = event.find("type");
  const auto object = event.find("object");
  if (type_field == event.end() || !type_field->is_string() || object == event.end() ||
      !object->is_object())
    return not_an_event(line);
  const auto type = type_field->get<std::string>();
  if (type == "ERROR") return std::unexpected(error_event(*object));
  if (type == "BOOKMARK") {
    const auto pointer = nlohmann::json::json_pointer("/metadata/resourceVersion");
    if (!object->contains(pointer) || !object->at(pointer).is_string()) return not_an_event(line);
    return Bookmark{object->at(pointer).get<std::string>()};
  }
  auto volume = object_from_json(group, *object);
  if (!volume) return std::unexpected(std::move(volume.error()));
  if (type == "DELETED") return Deleted{std::move(*volume)};
  if (type == "ADDED" || type == "MODIFIED") return Upserted{std::move(*volume)};
  return not_an_event(line);
}

}  // namespace lvmd::reconciler::kube
