// Keeps the Node's capacity annotations true, with no request that changes nothing.
#pragma once

#include <optional>

#include "reconciler/store/kube/http_client.hpp"
#include "reconciler/store/kube/node_capacity.hpp"

namespace lvmd::reconciler::kube {

class NodeWriter {
 public:
  // `stop_fd` as HttpClient's.
  NodeWriter(const KubeOptions& options, int stop_fd)
      : path_(node_path(options.node_name)), http_(options, stop_fd) {}

  // Reads the Node before the first write and after a failed one; a Node that was made anew is
  // noticed with the next change. Not safe from several threads at once.
  [[nodiscard]] Status publish(const Capacity& capacity);

 private:
  // Sends and takes down the annotations that the Node has then.
  [[nodiscard]] Status exchange(const HttpRequest& request);

  std::string path_;
  HttpClient http_;
  // As the API server last told.
  std::optional<StringMap> present_;
};

}  // namespace lvmd::reconciler::kube
