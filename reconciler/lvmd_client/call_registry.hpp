// The calls in progress, so that a stop can end them.
#pragma once

#include <grpcpp/client_context.h>

#include <mutex>
#include <set>

namespace lvmd::reconciler {

class CallRegistry {
 public:
  // Registers a call for its lifetime. A call after cancel_all() is cancelled at once.
  class Call {
   public:
    Call(CallRegistry& registry, grpc::ClientContext& context);
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call();

   private:
    CallRegistry& registry_;
    grpc::ClientContext& context_;
  };

  void cancel_all();

  [[nodiscard]] bool is_cancelled() const;

 private:
  mutable std::mutex mutex_;
  std::set<grpc::ClientContext*> active_;
  bool cancelled_ = false;
};

}  // namespace lvmd::reconciler
