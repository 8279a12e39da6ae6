// Keeps the Node's capacity annotations up to date, without requests that change nothing.
#pragma once

#include <mutex>
#include <optional>

#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/node_capacity.hpp"

namespace lvmd::reconciler::kube {

class NodeWriter {
 public:
  // `stop_fd`: as in HttpClient.
  NodeWriter(const KubeOptions& options, int stop_fd)
      : path_(node_path(options.node_name)), http_(options, stop_fd) {}

  // Writes only the differences from the Node's annotations, by its last response or by see().
  // Reads the Node when neither is known. For one thread at a time.
  [[nodiscard]] Status publish(const Capacity& capacity);

  // The Node's current capacity annotations; absent: the Node does not exist. A new Node of the
  // same name has none [R-CAP-5]. Safe from every thread.
  void see(std::optional<StringMap> present);

 private:
  // Sends the request and keeps the annotations of the response.
  [[nodiscard]] Status exchange(const HttpRequest& request);
  [[nodiscard]] std::optional<StringMap> present() const;

  std::string path_;
  HttpClient http_;
  mutable std::mutex mutex_;
  // As the API server last reported.
  std::optional<StringMap> present_;
};

}  // namespace lvmd::reconciler::kube
