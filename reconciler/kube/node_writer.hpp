// This reconciler's Node: its UID, and its capacity annotations, which are kept up to date without
// requests that change nothing.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "reconciler/kube/http_client.hpp"
#include "reconciler/kube/node_capacity.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::reconciler::kube {

class NodeWriter final : public ResourceHandler {
 public:
  // `stop_fd`: as in HttpClient.
  NodeWriter(const KubeOptions& options, int stop_fd)
      : node_name_(options.node_name), http_(options, stop_fd) {}

  // Writes only the differences from the Node's annotations, by its last response or by the watch.
  // Reads the Node when neither is known. For one thread at a time.
  [[nodiscard]] Status publish(const Capacity& capacity);

  // The last metadata.uid of the Node that represents this host; empty: there is none. Safe from
  // every thread.
  [[nodiscard]] std::string uid() const;

  [[nodiscard]] std::string name() const override { return "node " + node_name_; }
  [[nodiscard]] std::string path() const override { return std::string{kNodesPath}; }
  [[nodiscard]] std::string field_selector() const override {
    return "metadata.name=" + node_name_;
  }

  void begin_list() override { listed_ = {}; }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override { see(listed_); }
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  // As the API server reports it.
  struct Node {
    std::string uid{};
    // The capacity annotations; absent: the Node does not exist, or nothing is known. A new Node of
    // the same name has none [R-CAP-5].
    std::optional<StringMap> annotations{};
  };

  [[nodiscard]] static Node node_from(const nlohmann::json& object);
  void see(const Node& node);
  void see_annotations(std::optional<StringMap> annotations);
  [[nodiscard]] std::optional<StringMap> annotations() const;
  // Sends the request and keeps the annotations of the response.
  [[nodiscard]] Status exchange(const HttpRequest& request);

  const std::string node_name_;
  HttpClient http_;
  mutable std::mutex mutex_;
  Node node_;
  // Only the reflector's thread uses it.
  Node listed_;
};

}  // namespace lvmd::reconciler::kube
