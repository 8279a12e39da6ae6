// Encoded responses of one state of a volume group.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::volumes {

// Thread-safe.
class ResponseCache {
 public:
  using Encode = std::function<Result<std::string>()>;

  // The response for `key`. If there is none yet, keeps the one that `encode` returns; an error is
  // not kept. Other calls wait while `encode` runs.
  [[nodiscard]] Result<grpc::ByteBuffer> find_or_encode(const std::string& key,
                                                        const Encode& encode);

 private:
  std::mutex mutex_;
  std::map<std::string, grpc::ByteBuffer> responses_;
};

}  // namespace lvmd::volumes
