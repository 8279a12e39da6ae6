// Owns a job with credentials.
#pragma once

#include <utility>

#include "internal/transfer.pb.h"
#include "lvmd/ipc/wipe.hpp"

namespace lvmd::transfers {

// Overwrites the credentials when it is destroyed.
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
