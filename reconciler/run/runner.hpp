// Keeps every object of a store as it is wished: workers, retries, and what wakes them.
#pragma once

#include <stop_token>
#include <thread>
#include <vector>

#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/run/progress_book.hpp"
#include "reconciler/run/work_queue.hpp"
#include "reconciler/store/volume_store.hpp"

namespace lvmd::reconciler {

// Level-based [R-RUN-1]: a change only says which object to look at.
class Runner {
 public:
  // Both must outlive the runner.
  Runner(VolumeStore& store, VolumeService& service) : store_(store), service_(service) {}
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner() { stop(); }

  // Starts the store and the workers. Call once.
  [[nodiscard]] Status start();

  // Ends everything, calls under way too, and waits for it. Idempotent [R-CLI-22].
  void stop();

 private:
  void changed(const Key& key);
  void work();
  void look_at(const Key& key);

  VolumeStore& store_;
  VolumeService& service_;
  WorkQueue queue_;
  std::stop_source stop_;
  ProgressBook book_;
  // Last: joined first.
  std::vector<std::jthread> workers_;
};

}  // namespace lvmd::reconciler
