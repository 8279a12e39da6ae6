#include "lvmd/volumes/service/response_cache.hpp"

#include <grpcpp/support/slice.h>

namespace lvmd::volumes {

Result<grpc::ByteBuffer> ResponseCache::find_or_encode(const std::string& key,
                                                       const Encode& encode) {
  const std::lock_guard lock{mutex_};
  if (const auto known = responses_.find(key); known != responses_.end()) return known->second;
  const auto encoded = encode();
  if (!encoded) return std::unexpected(encoded.error());
  const grpc::Slice bytes{*encoded};
  return responses_.emplace(key, grpc::ByteBuffer{&bytes, 1}).first->second;
}

}  // namespace lvmd::volumes
