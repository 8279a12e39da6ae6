// SHA-256, by libcrypto: gRPC links it anyway, and unlike the kernel's (AF_ALG) it needs neither a
// module nor a socket in a sandbox.
#pragma once

#include <openssl/evp.h>

#include <string>
#include <string_view>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::transfers {

// Of what comes piece by piece.
class Sha256 {
 public:
  static constexpr std::size_t kSize = 32;

  Sha256();
  void add(std::string_view bytes);
  // kSize bytes. Ends it: nothing can be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  UniqueC<EVP_MD_CTX, &EVP_MD_CTX_free> context_;
};

[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace lvmd::transfers
