// A listening TCP socket by its address as text.
#pragma once

#include <cstdint>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::reconciler {

struct ListeningSocket {
  UniqueFd fd;
  std::uint16_t port = 0;
};

// `address`: "HOST:PORT" with a number for the host, "[::1]:PORT", or ":PORT" for every address;
// port 0: any that is free. InvalidArgument when it is none of these; otherwise the error names it
// and the reason.
[[nodiscard]] Result<ListeningSocket> listen_at(const std::string& address);

}  // namespace lvmd::reconciler
