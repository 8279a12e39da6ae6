// The resource that a Reflector lists and watches, and the receiver of its objects. Called on the
// reflector's thread only. An object that cannot be parsed is an Error, which ends the list or the
// watch.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::kube {

class ResourceHandler {
 public:
  ResourceHandler() = default;
  ResourceHandler(const ResourceHandler&) = delete;
  ResourceHandler& operator=(const ResourceHandler&) = delete;
  virtual ~ResourceHandler() = default;

  // For the log.
  [[nodiscard]] virtual std::string name() const = 0;
  // Without a query.
  [[nodiscard]] virtual std::string path() const = 0;
  // "spec.nodeName=n1"; empty: all objects are requested [R-KUBE-4].
  [[nodiscard]] virtual std::string field_selector() const { return {}; }
  // Only the metadata of each object is requested: the objects have no spec and no status.
  [[nodiscard]] virtual bool wants_only_metadata() const { return false; }

  // A list: its begin, possibly after one that was interrupted; each object; its end. Objects that
  // were not in it are removed [R-KUBE-3].
  virtual void begin_list() = 0;
  [[nodiscard]] virtual Status add_listed(const nlohmann::json& object) = 0;
  virtual void end_list() = 0;

  [[nodiscard]] virtual Status put(const nlohmann::json& object) = 0;
  [[nodiscard]] virtual Status erase(const nlohmann::json& object) = 0;
};

}  // namespace lvmd::reconciler::kube
