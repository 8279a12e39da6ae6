#include "lvmd/server/error_details.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "lvmd/base/utf8.hpp"

namespace lvmd::server {
namespace {

constexpr const char* kDomain = "lvmd.io";
// The message is sent twice: percent-encoded, where a byte may take three, and base64-encoded in
// the details.
constexpr std::size_t kMaxMessage = 1400;
constexpr std::size_t kMaxValue = 200;
constexpr std::string_view kEllipsis = "…";

// At most `limit` bytes. Cuts between two UTF-8 characters.
std::string bounded(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  text.resize(whole_characters(text, limit - kEllipsis.size()).size());
  return text.append(kEllipsis);
}

}  // namespace

grpc::Status to_status(const Error& error) {
  const std::string message = bounded(describe(error), kMaxMessage);
  google::rpc::ErrorInfo info;
  info.set_reason(std::string{reason_of(error)});
  info.set_domain(kDomain);
  for (const auto& [key, value] : error.metadata)
    (*info.mutable_metadata())[key] = bounded(value, kMaxValue);
  google::rpc::Status status;
  status.set_code(static_cast<int>(error.code));
  status.set_message(message);
  status.add_details()->PackFrom(info);
  return {static_cast<grpc::StatusCode>(error.code), message, status.SerializeAsString()};
}

}  // namespace lvmd::server
