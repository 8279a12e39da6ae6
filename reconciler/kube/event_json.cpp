#include "reconciler/kube/event_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lvmd/base/utf8.hpp"
#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {
namespace {

using nlohmann::json;

constexpr const char* kNamespace = "default";
constexpr const char* kComponent = "lvmd-reconciler";
// The API server refuses longer messages.
constexpr std::size_t kMaxMessage = 1024;

std::string bounded(std::string message) {
  constexpr std::string_view kEllipsis = "...";
  if (message.size() <= kMaxMessage) return message;
  message.resize(whole_characters(message, kMaxMessage - kEllipsis.size()).size());
  return message.append(kEllipsis);
}

}  // namespace

std::string events_path() { return fmt::format("/api/v1/namespaces/{}/events", kNamespace); }

std::string event_path(const std::string& name) {
  return fmt::format("{}/{}", events_path(), percent_encode(name));
}

std::string new_event(const LogicalVolume& object, const Event& event, const EventSeries& series,
                      const std::string& node_name) {
  return to_body({{"apiVersion", "v1"},
                  {"kind", "Event"},
                  {"metadata", {{"name", series.name}, {"namespace", kNamespace}}},
                  {"involvedObject",
                   {{"apiVersion", fmt::format("{}/{}", to_string(object.key.group), kVersion)},
                    {"kind", kKind},
                    {"name", object.key.name},
                    {"uid", object.uid},
                    {"resourceVersion", object.resource_version}}},
                  {"type", event.is_warning ? "Warning" : "Normal"},
                  {"reason", event.reason},
                  {"message", bounded(event.message)},
                  {"count", series.count},
                  {"firstTimestamp", to_timestamp(series.first)},
                  {"lastTimestamp", to_timestamp(series.last)},
                  {"source", {{"component", kComponent}, {"host", node_name}}},
                  {"reportingComponent", kComponent},
                  {"reportingInstance", node_name}});
}

std::string event_patch(const Event& event, const EventSeries& series) {
  return to_body({{"count", series.count},
                  {"lastTimestamp", to_timestamp(series.last)},
                  {"message", bounded(event.message)}});
}

}  // namespace lvmd::reconciler::kube
