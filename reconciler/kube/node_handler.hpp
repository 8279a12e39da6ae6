// Handles this reconciler's Node: its capacity annotations go to the NodeWriter, its UID to the
// NodeIdentity.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "reconciler/kube/node_writer.hpp"
#include "reconciler/kube/resource_handler.hpp"

namespace lvmd::reconciler::kube {

// The Node object that represents this host now. Safe from every thread.
class NodeIdentity {
 public:
  // metadata.uid of the Node; empty: there is none.
  void see(const std::string& uid) {
    const std::lock_guard lock{mutex_};
    uid_ = uid;
  }

  // The last UID; empty before the first one.
  [[nodiscard]] std::string uid() const {
    const std::lock_guard lock{mutex_};
    return uid_;
  }

 private:
  mutable std::mutex mutex_;
  std::string uid_;
};

class NodeHandler final : public ResourceHandler {
 public:
  // `writer` and `identity` must outlive it.
  NodeHandler(std::string node_name, NodeWriter& writer, NodeIdentity& identity)
      : node_name_(std::move(node_name)), writer_(writer), identity_(identity) {}

  [[nodiscard]] std::string name() const override { return "node " + node_name_; }
  [[nodiscard]] std::string path() const override;
  [[nodiscard]] std::string field_selector() const override;

  void begin_list() override;
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override;
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  const std::string node_name_;
  NodeWriter& writer_;
  NodeIdentity& identity_;
  std::optional<StringMap> listed_;
  std::string listed_uid_;
};

}  // namespace lvmd::reconciler::kube
