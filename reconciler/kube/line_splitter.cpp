#include "reconciler/kube/line_splitter.hpp"

#include <cstddef>
#include <utility>

namespace lvmd::reconciler::kube {

std::vector<std::string> LineSplitter::feed(std::string_view piece) {
  std::vector<std::string> lines;
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    begun_ += piece.substr(0, end);
    piece.remove_prefix(end + 1);
    if (!begun_.empty()) lines.push_back(std::exchange(begun_, {}));
  }
  begun_ += piece;
  return lines;
}

}  // namespace lvmd::reconciler::kube
