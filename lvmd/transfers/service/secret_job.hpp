// A job that holds credentials for as long as it is needed.
#pragma once

#include <utility>

#include "internal/transfer.pb.h"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::transfers {

// Its credentials are overwritten when it goes.
class SecretJob {
 public:
  explicit SecretJob(internal::MoverJob job) : job_(std::move(job)) {}
  ~SecretJob() { ipc::wipe(*job_.mutable_credentials()); }
  SecretJob(const SecretJob&) = delete;
  SecretJob& operator=(const SecretJob&) = delete;

  [[nodiscard]] internal::MoverJob& operator*() { return job_; }
  [[nodiscard]] internal::MoverJob* operator->() { return &job_; }

 private:
  internal::MoverJob job_;
};

}  // namespace lvmd::transfers
