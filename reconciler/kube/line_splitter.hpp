#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lvmd::reconciler::kube {

// Joins the pieces of a stream to lines.
class LineSplitter {
 public:
  // The lines that `piece` completes, without their newline and without empty lines.
  [[nodiscard]] std::vector<std::string> feed(std::string_view piece);

 private:
  std::string begun_;
};

}  // namespace lvmd::reconciler::kube
