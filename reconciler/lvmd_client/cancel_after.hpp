// A time limit for the first response of a call without a deadline.
#pragma once

#include <grpcpp/client_context.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace lvmd::reconciler {

// Cancels the call after `limit`, unless it is lifted or destroyed before. The context must outlive
// it.
class CancelAfter {
 public:
  CancelAfter(grpc::ClientContext& context, std::chrono::milliseconds limit)
      : timer_([&context, limit](const std::stop_token& lifted) {
          std::mutex mutex;
          std::unique_lock lock{mutex};
          std::condition_variable_any never;
          static_cast<void>(never.wait_for(lock, lifted, limit, [] { return false; }));
          if (!lifted.stop_requested()) context.TryCancel();
        }) {}

  void lift() { timer_.request_stop(); }

 private:
  std::jthread timer_;
};

}  // namespace lvmd::reconciler
