#include "reconciler/kube/node_writer.hpp"

#include <utility>

#include "reconciler/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

Status NodeWriter::publish(const Capacity& capacity) {
  const StringMap wanted = capacity_annotations(capacity);
  if (!present())
    if (auto read = exchange({.path = path_}); !read) return read;
  // The watch may have reported meanwhile that the Node was deleted.
  const StringMap found = present().value_or(StringMap{});
  if (found == wanted) return {};
  return exchange({.method = "PATCH", .path = path_, .body = capacity_patch(found, wanted)});
}

void NodeWriter::see(std::optional<StringMap> present) {
  const std::lock_guard lock{mutex_};
  present_ = std::move(present);
}

std::optional<StringMap> NodeWriter::present() const {
  const std::lock_guard lock{mutex_};
  return present_;
}

Status NodeWriter::exchange(const HttpRequest& request) {
  see(std::nullopt);
  const auto response = http_.send(request);
  if (!response) return std::unexpected(response.error());
  if (auto error = error_of(response->status, response->body))
    return std::unexpected(std::move(*error));
  auto annotations = parse_capacity(response->body);
  if (!annotations) return std::unexpected(std::move(annotations.error()));
  see(std::move(*annotations));
  return {};
}

}  // namespace lvmd::reconciler::kube
