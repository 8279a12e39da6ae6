// Keeps secrets out of texts that leave the mover [P-XFER-5, P-XFER-12].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "internal/transfer.pb.h"

namespace lvmd::transfers::mover {

class Redactor {
 public:
  // Knows each value of the credentials, also as it stands in a URL.
  explicit Redactor(const v1::Credentials& credentials);

  // The text with *** for each secret, as one line of UTF-8 of at most 1,000 bytes: what was
  // something else is a '?', what is too long is cut.
  [[nodiscard]] std::string operator()(std::string_view text) const;

 private:
  void add(std::string_view secret);

  // The longest first: one may be a part of another.
  std::vector<std::string> secrets_;
};

}  // namespace lvmd::transfers::mover
