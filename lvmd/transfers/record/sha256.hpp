// SHA-256 from libcrypto, which gRPC links anyway. The kernel's (AF_ALG) would need a module and a
// socket in the sandbox.
#pragma once

#include <openssl/evp.h>

#include <string>
#include <string_view>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::transfers {

// Hashes data that arrives in pieces.
class Sha256 {
 public:
  static constexpr std::size_t kSize = 32;

  Sha256();
  void add(std::string_view bytes);
  // Returns the kSize bytes of the hash. No other member function may be called afterwards.
  [[nodiscard]] std::string finish();

 private:
  UniqueC<EVP_MD_CTX, &EVP_MD_CTX_free> context_;
};

// Returns the kSize bytes of the hash.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace lvmd::transfers
