// What a Reflector follows: where it is, and who takes what is told of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::reconciler::kube {

// Called on the follower's thread alone. An object that can't be understood is an Error, and ends
// the list or watch that it came with.
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
  // "spec.nodeName=n1"; empty: all of it is asked for [R-KUBE-4].
  [[nodiscard]] virtual std::string field_selector() const { return {}; }

  // A list begins, maybe in the place of one that broke off; each of its objects; it is whole: what
  // was not in it is forgotten [R-KUBE-3].
  virtual void begin_list() = 0;
  [[nodiscard]] virtual Status add_listed(const nlohmann::json& object) = 0;
  virtual void end_list() = 0;

  [[nodiscard]] virtual Status put(const nlohmann::json& object) = 0;
  [[nodiscard]] virtual Status erase(const nlohmann::json& object) = 0;
};

}  // namespace lvmd::reconciler::kube
