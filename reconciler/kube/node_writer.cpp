#include "reconciler/kube/node_writer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "reconciler/kube/json_member.hpp"
#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

Status NodeWriter::publish(const Capacity& capacity) {
  const std::string path = node_path(node_name_);
  const StringMap wanted = capacity_annotations(capacity);
  if (!annotations())
    if (auto read = exchange({.path = path}); !read) return read;
  // The watch may have reported meanwhile that the Node was deleted.
  const StringMap found = annotations().value_or(StringMap{});
  if (found == wanted) return {};
  return exchange({.method = "PATCH", .path = path, .body = capacity_patch(found, wanted)});
}

std::string NodeWriter::uid() const {
  const std::lock_guard lock{mutex_};
  return node_.uid;
}

Status NodeWriter::add_listed(const nlohmann::json& object) {
  listed_ = node_from(object);
  return {};
}

Status NodeWriter::put(const nlohmann::json& object) {
  see(node_from(object));
  return {};
}

Status NodeWriter::erase(const nlohmann::json& /*object*/) {
  see({});
  return {};
}

NodeWriter::Node NodeWriter::node_from(const nlohmann::json& object) {
  return {.uid = string_member(member(object, "metadata"), "uid"),
          .annotations = capacity_of(object)};
}

void NodeWriter::see(const Node& node) {
  const std::lock_guard lock{mutex_};
  node_ = node;
}

void NodeWriter::see_annotations(std::optional<StringMap> annotations) {
  const std::lock_guard lock{mutex_};
  node_.annotations = std::move(annotations);
}

std::optional<StringMap> NodeWriter::annotations() const {
  const std::lock_guard lock{mutex_};
  return node_.annotations;
}

Status NodeWriter::exchange(const HttpRequest& request) {
  see_annotations(std::nullopt);
  const auto body = body_of(http_.send(request));
  if (!body) return std::unexpected(body.error());
  auto annotations = parse_capacity(*body);
  if (!annotations) return std::unexpected(std::move(annotations.error()));
  see_annotations(std::move(*annotations));
  return {};
}

}  // namespace lvmd::reconciler::kube
