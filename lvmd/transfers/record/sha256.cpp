#include "lvmd/transfers/record/sha256.hpp"

#include <new>

namespace lvmd::transfers {

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  // This fails only without memory: every build of libcrypto contains SHA-256.
  if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
    throw std::bad_alloc{};
}

void Sha256::add(std::string_view bytes) {
  if (EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) != 1) throw std::bad_alloc{};
}

std::string Sha256::finish() {
  std::string digest(kSize, '\0');
  if (EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(digest.data()),
                         nullptr) != 1)
    throw std::bad_alloc{};
  return digest;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

}  // namespace lvmd::transfers
