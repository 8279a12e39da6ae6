// lvmd's calls as the plan has them.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/torture/plan.hpp"

namespace lvmd::torture {

struct Outcome {
  std::string code;
  std::string message;
  // Of google.rpc.ErrorInfo, "" without one.
  std::string reason;
  // What an OK says: `size` of a volume, `volumes` (name to size) of a list, `free`.
  nlohmann::json told = nlohmann::json::object();

  // Whether a repeated request would be told the same: all else is asked again.
  [[nodiscard]] bool is_final() const;
};

// A connection of its own, whatever other connections this process has. One call at a time.
class Connection {
 public:
  explicit Connection(const std::string& socket);
  ~Connection();

  Outcome call(const Operation& operation);
  Outcome free_bytes(const std::string& device_class);
  // "SERVING", "NOT_SERVING" or the code of a failed call; and lvmd's words beside it.
  std::pair<std::string, std::string> health(const std::string& group);

 private:
  struct Stubs;
  std::unique_ptr<Stubs> stubs_;
};

}  // namespace lvmd::torture
