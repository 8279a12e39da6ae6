#include "reconciler/store/kube/node_writer.hpp"

#include <utility>

#include "reconciler/store/kube/kube_api.hpp"

namespace lvmd::reconciler::kube {

Status NodeWriter::publish(const Capacity& capacity) {
  const StringMap wanted = capacity_annotations(capacity);
  if (!present_)
    if (auto read = exchange({.path = path_}); !read) return read;
  if (*present_ == wanted) return {};
  return exchange({.method = "PATCH", .path = path_, .body = capacity_patch(*present_, wanted)});
}

Status NodeWriter::exchange(const HttpRequest& request) {
  present_.reset();
  const auto response = http_.send(request);
  if (!response) return std::unexpected(response.error());
  if (auto error = error_of(response->status, response->body))
    return std::unexpected(std::move(*error));
  auto annotations = parse_capacity(response->body);
  if (!annotations) return std::unexpected(std::move(annotations.error()));
  present_ = std::move(*annotations);
  return {};
}

}  // namespace lvmd::reconciler::kube
