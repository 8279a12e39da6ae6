// The one Node of this reconciler: what it has of our capacity annotations goes to the NodeWriter.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reconciler/store/kube/collection.hpp"
#include "reconciler/store/kube/node_writer.hpp"

namespace lvmd::reconciler::kube {

class NodeCollection final : public Collection {
 public:
  // `writer` must outlive it.
  NodeCollection(std::string node_name, NodeWriter& writer)
      : node_name_(std::move(node_name)), writer_(writer) {}

  [[nodiscard]] std::string name() const override { return "node " + node_name_; }
  [[nodiscard]] std::string path() const override;
  [[nodiscard]] std::string field_selector() const override;

  void begin_list() override { listed_.reset(); }
  [[nodiscard]] Status add_listed(const nlohmann::json& object) override;
  void end_list() override { writer_.see(std::exchange(listed_, std::nullopt)); }
  [[nodiscard]] Status put(const nlohmann::json& object) override;
  [[nodiscard]] Status erase(const nlohmann::json& object) override;

 private:
  const std::string node_name_;
  NodeWriter& writer_;
  std::optional<StringMap> listed_;
};

}  // namespace lvmd::reconciler::kube
