// Keeps the Node's capacity annotations true, with no request that changes nothing.
#pragma once

#include <mutex>
#include <optional>

#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/node_capacity.hpp"

namespace lvmd::reconciler::kube {

class NodeWriter {
 public:
  // `stop_fd` as HttpClient's.
  NodeWriter(const KubeOptions& options, int stop_fd)
      : path_(node_path(options.node_name)), http_(options, stop_fd) {}

  // Writes only what differs from what the Node has by its last answer, or by see(). Asks for the
  // Node when neither is known. Not from two threads at once.
  [[nodiscard]] Status publish(const Capacity& capacity);

  // The capacity annotations that the Node has now; absent: there is no such Node. Another one may
  // have been made in its place, without any [R-CAP-5]. Safe from every thread.
  void see(std::optional<StringMap> present);

 private:
  // Sends and takes down the annotations that the Node has then.
  [[nodiscard]] Status exchange(const HttpRequest& request);
  [[nodiscard]] std::optional<StringMap> present() const;

  std::string path_;
  HttpClient http_;
  mutable std::mutex mutex_;
  // As the API server last told.
  std::optional<StringMap> present_;
};

}  // namespace lvmd::reconciler::kube
