#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lvmd::reconciler::kube {

// Puts the pieces of a stream together to lines.
class LineSplitter {
 public:
  // The lines that `piece` completes, without their newline; empty ones are left out.
  [[nodiscard]] std::vector<std::string> feed(std::string_view piece);

 private:
  std::string begun_;
};

}  // namespace lvmd::reconciler::kube
