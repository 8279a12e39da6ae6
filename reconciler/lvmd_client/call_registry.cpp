#include "reconciler/lvmd_client/call_registry.hpp"

namespace lvmd::reconciler {

CallRegistry::Call::Call(CallRegistry& registry, grpc::ClientContext& context)
    : registry_(registry), context_(context) {
  const std::lock_guard lock{registry_.mutex_};
  registry_.active_.insert(&context_);
  if (registry_.cancelled_) context_.TryCancel();
}

CallRegistry::Call::~Call() {
  const std::lock_guard lock{registry_.mutex_};
  registry_.active_.erase(&context_);
}

void CallRegistry::cancel_all() {
  const std::lock_guard lock{mutex_};
  cancelled_ = true;
  for (grpc::ClientContext* context : active_) context->TryCancel();
}

bool CallRegistry::is_cancelled() const {
  const std::lock_guard lock{mutex_};
  return cancelled_;
}

}  // namespace lvmd::reconciler
