// Which Node object stands for this host now.
#pragma once

#include <mutex>
#include <string>

namespace lvmd::reconciler::kube {

// Safe from every thread.
class NodeIdentity {
 public:
  // metadata.uid of the Node; empty: there is none.
  void see(const std::string& uid) {
    const std::lock_guard lock{mutex_};
    uid_ = uid;
  }

  // As last seen; empty before.
  [[nodiscard]] std::string uid() const {
    const std::lock_guard lock{mutex_};
    return uid_;
  }

 private:
  mutable std::mutex mutex_;
  std::string uid_;
};

}  // namespace lvmd::reconciler::kube
