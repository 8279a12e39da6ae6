// A listening TCP socket for an address in text form.
#pragma once

#include <cstdint>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::http {

struct ListeningSocket {
  UniqueFd fd;
  std::uint16_t port = 0;
};

// `address`: "HOST:PORT" with a number for the host, "[::1]:PORT", or ":PORT" for every address;
// port 0: any free port. InvalidArgument when it has none of these forms. Every error names the
// address and the reason.
[[nodiscard]] Result<ListeningSocket> listen_at(const std::string& address);

}  // namespace lvmd::http
